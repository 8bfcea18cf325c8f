"""Searches of which the trace has no span, though the model was told what they found."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from spanjudge.assembly.places import ANSWER_TOOLS, ids_of_calls, names_of_calls
from spanjudge.dialects.documents import documents_in
from spanjudge.dialects.messages import this_turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spanjudge.assembly.places import Found
    from spanjudge.assembly.tree import Node
    from spanjudge.assembly.view import RunView
    from spanjudge.conversation import ToolInvocation


def has_untraced(run: RunView, found: Found) -> bool:
    """Whether contexts that spans of tools have told are not all: the model's messages hold results of others.

    A result is another's where its call has a span neither by id nor by name. It counts where other calls of the same
    tool have spans, or where it holds documents that are not among the contexts: what is no search, as handing over to
    another agent, has no span and no documents.
    """
    tools = [node for node in run.of_kind("tool") if node.facts.tool_name not in ANSWER_TOOLS]
    speaker = run.speaker
    if speaker is None or speaker in found.nodes or not found.documents or not tools:
        return False
    names = {node.facts.tool_name for node in tools}
    known = {document.text for document in found.documents}
    return any(
        call.name in names or any(each.text not in known for each in documents_in(call.result) or ())
        for call in _without_span(_results(speaker), tools)
        if call.name not in ANSWER_TOOLS and run.reading.takes(call.name)
    )


def _results(speaker: Node) -> Iterator[tuple[ToolInvocation, str]]:
    """What the model was told in this turn, by whom, and the id of the call."""
    names = names_of_calls(speaker)
    for message in this_turn(speaker.facts.input_messages):
        for call, call_id in zip_longest(message.tool_invocations, ids_of_calls(message.metadata, blanks=True)):
            if call is not None and call.state == "result":
                name = call.name or names.get(call_id or "", "")
                yield replace(call, name=name), call_id or ""


def _without_span(results: Iterator[tuple[ToolInvocation, str]], tools: Sequence[Node]) -> Iterator[ToolInvocation]:
    ids = {node.facts.tool_call_id for node in tools if node.facts.tool_call_id}
    nameless = [node.facts.tool_name for node in tools if not node.facts.tool_call_id]
    for call, call_id in results:
        if call_id and call_id in ids:
            continue
        if call.name in nameless:
            nameless.remove(call.name)
            continue
        yield call

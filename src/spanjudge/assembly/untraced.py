"""Searches of which the trace has no span, though the model was told what they found."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from spanjudge.assembly.places import ANSWER_TOOLS, ids_of_calls, names_of_calls
from spanjudge.dialects.decode import is_prose
from spanjudge.dialects.documents import documents_in
from spanjudge.dialects.facts import WHOLE_KINDS
from spanjudge.dialects.messages import this_turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spanjudge.assembly.places import Found
    from spanjudge.assembly.tree import Node
    from spanjudge.assembly.view import RunView
    from spanjudge.conversation import ToolInvocation

_BLANK_LINE: Final = re.compile(r"\n[ \t]*\n")


def has_untraced(run: RunView, found: Found) -> bool:
    """Whether contexts that spans have told are not all, as another place shows."""
    if any("documents" in node.facts.told for node in found.nodes):
        return False
    return _has_untold_results(run, found) or any(_returns_more(run, node) for node in run.members)


def _returns_more(run: RunView, step: Node) -> bool:
    """Whether a step around searches has returned all that they found and more: another search's documents.

    Texts are documents where each of those that were found stands between blank lines with nothing added.
    """
    if step.kind not in (*WHOLE_KINDS, None) or not run.holds(step, "retriever") or run.holds(step, "llm", "agent"):
        return False
    searches = [node for node in run.of_kind("retriever", "reranker") if step in run.above(node)]
    told = {document.text for node in searches for document in node.facts.documents or ()}
    output = step.facts.output
    if isinstance(output, str):
        parts = {part.strip() for part in _BLANK_LINE.split(output)}
        returned = {part for part in parts if part in told or (is_prose(part) and not part.endswith(":"))}
    else:
        returned = {document.text for document in documents_in(output) or () if document.text}
    return bool(told) and told < returned


def _has_untold_results(run: RunView, found: Found) -> bool:
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

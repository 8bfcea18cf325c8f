"""Places other than retrievers where contexts may stand, in the order in which they are believed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from spanjudge.assembly.joining import joined
from spanjudge.assembly.view import failed
from spanjudge.dialects.decode import is_repr
from spanjudge.dialects.documents import Documents, documents_in
from spanjudge.dialects.facts import WHOLE_KINDS
from spanjudge.dialects.messages import CALL_IDS, is_message, is_tool_definition, message_of, this_turn
from spanjudge.model import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from spanjudge.assembly.tree import Node
    from spanjudge.assembly.view import RunView

# Tools that hand the answer over instead of fetching anything.
ANSWER_TOOLS: Final = frozenset({"final_answer", "final_result", "submit_answer", "respond", "answer"})
_FAILURES: Final = frozenset({"error", "errors", "message", "status", "code", "detail"})
_SEARCH: Final = re.compile(r"retriev|search", re.IGNORECASE)
_CONTEXT_NAMES: Final = frozenset(
    {
        "context",
        "contexts",
        "context_str",
        "context_list",
        "retrieved_context",
        "retrieved_contexts",
        "retrieved_documents",
        "source_documents",
        "documents",
        "docs",
        "passages",
        "chunks",
        "references",
        "sources",
        "knowledge",
    }
)


@dataclass(frozen=True, slots=True)
class Found:
    """Contexts, None where they were not captured, the spans that they come from, and whether a prompt holds them."""

    documents: Documents | None = None
    nodes: tuple[Node, ...] = ()
    from_prompt: bool = False


def elsewhere(run: RunView) -> Found | None:
    """Find contexts in the first place that has documents; empty only where no place has any."""
    empty: Found | None = None
    places: tuple[Callable[[RunView], Found | None], ...] = (
        _from_tools,
        _from_outputs,
        _from_inputs,
        _from_tool_messages,
        _from_searches,
        _from_variables,
        _from_tool_texts,
    )
    for search in places:
        found = search(run)
        if found is not None and found.documents:
            return found
        empty = empty or found
    return empty


def tools_of(run: RunView) -> list[Node]:
    """Tools that ran, in the order in which the model called them where that is known, else in that of their starts."""
    order = {
        call_id: position
        for position, call_id in enumerate(
            call_id
            for node in run.models
            for message in node.facts.output_messages
            for call_id in ids_of_calls(message.metadata)
        )
    }
    tools = run.outermost([node for node in run.of_kind("tool") if node.facts.tool_name not in ANSWER_TOOLS])
    if not all(node.facts.tool_call_id in order for node in tools):
        return tools
    return sorted(tools, key=lambda node: order[node.facts.tool_call_id or ""])


def searches_of(run: RunView) -> list[Node]:
    """Tools whose results may be contexts, as the user has set it."""
    return [node for node in tools_of(run) if run.reading.takes(node.facts.tool_name)]


def may_tell(run: RunView, node: Node) -> bool:
    """Whether a span does not stand inside a tool whose results are no contexts, as the user has set it."""
    return all(run.reading.takes(each.facts.tool_name) for each in run.above(node) if each.kind == "tool")


def ids_of_calls(metadata: Mapping[str, object], *, blanks: bool = False) -> list[str]:
    """Ids of a message's calls; with blanks for those without, so that they stand as the calls do."""
    ids = metadata.get(CALL_IDS)
    return [each for each in ids if each or blanks] if isinstance(ids, tuple) else []


def _from_tools(run: RunView) -> Found | None:
    found: list[tuple[Node, Documents]] = []
    for node in searches_of(run):
        documents = None if failed(node) else documents_in(node.facts.tool_result)
        if documents is not None:
            found.append((node, documents))
        elif run.holds(node, "agent", "tool"):
            found += _from_inner_tools(run, node)
    return Found(joined(documents for _, documents in found), tuple(node for node, _ in found)) if found else None


def _from_inner_tools(run: RunView, outer: Node) -> Iterator[tuple[Node, Documents]]:
    """Documents that an agent inside a tool has fetched; what it made of them is no context."""
    for node in run.of_kind("tool"):
        if not failed(node) and outer in run.above(node) and run.reading.takes(node.facts.tool_name):
            documents = documents_in(node.facts.tool_result)
            if documents is not None:
                yield node, documents


def _steps(run: RunView) -> Iterator[Node]:
    """Steps that were over, or had begun, before the answer was written, the last first."""
    speaker = run.speaker
    limit = speaker.span.start_ns if speaker else run.root.span.end_ns
    steps = [
        node
        for node in run.members
        if node.kind in (*WHOLE_KINDS, None) and node is not run.root and node.span.start_ns <= limit
    ]
    return iter(sorted(steps, key=lambda node: node.span.end_ns if node.span.end_ns <= limit else 0, reverse=True))


def _from_outputs(run: RunView) -> Found | None:
    """Documents that a step has returned; nothing but an empty list is a result only of what is called a search."""
    empty: Found | None = None
    for node in _steps(run):
        value = node.facts.output
        documents = documents_in(value) if isinstance(value, dict | list | tuple) else None
        if documents and all(document.text for document in documents) and any(_marked(each) for each in documents):
            return Found(documents, (node,))
        if documents == () and _SEARCH.search(node.span.name):
            empty = Found(documents, (node,))
    return empty


def _marked(document: Document) -> bool:
    return document.id is not None or document.score is not None


def _from_inputs(run: RunView) -> Found | None:
    empty: Found | None = None
    for node in [*_steps(run), run.root]:
        # A model's own output may name sources that it was not given.
        whole = node is run.root and node.kind != "llm"
        for value in (node.facts.input, node.facts.output if whole else None):
            documents = _context_in(value, texts=False)
            if documents:
                return Found(documents, (node,))
            if documents == ():
                empty = Found(documents, (node,))
    return empty


def _from_variables(run: RunView) -> Found | None:
    for node in run.members:
        documents = _context_in(node.facts.variables, texts=True)
        if documents is not None:
            return Found(documents, (node,))
    return None


def _context_in(value: object, *, texts: bool) -> Documents | None:
    if not isinstance(value, dict):
        return None
    for name, item in value.items():
        if str(name).lower() not in _CONTEXT_NAMES:
            continue
        documents = documents_in(item)
        if documents is None and texts and isinstance(item, str):
            documents = (Document(text=item),) if item.strip() else ()
        if documents is not None:
            return documents
    return None


def _from_tool_messages(run: RunView) -> Found | None:
    return _from_results(run, texts=False)


def _from_results(run: RunView, *, texts: bool) -> Found | None:
    speaker = run.speaker or (run.models[-1] if run.models else None)
    if speaker is None or any(failed(node) for node in run.of_kind("tool")):
        return None
    lists: list[Documents] = []
    names = names_of_calls(speaker)
    for message in this_turn(speaker.facts.input_messages):
        for call, call_id in zip_longest(message.tool_invocations, ids_of_calls(message.metadata, blanks=True)):
            name = call.name or names.get(call_id or "", "") if call else ""
            if call is None or call.state != "result" or name in ANSWER_TOOLS or not run.reading.takes(name):
                continue
            documents = documents_in(call.result)
            if documents is None and texts and (text := _as_text(call.result)) is not None:
                documents = (Document(text=text),)
            if documents is not None:
                lists.append(documents)
    return Found(joined(lists), (speaker,)) if lists else None


def names_of_calls(speaker: Node) -> dict[str, str]:
    """Names of the tools that were called, by the ids of the calls: results may bear the id alone."""
    return {
        call_id: call.name
        for message in speaker.facts.input_messages
        for call, call_id in zip(message.tool_invocations, ids_of_calls(message.metadata, blanks=True), strict=False)
        if call.name and call_id
    }


def _from_searches(run: RunView) -> Found | None:
    """Results of a search that the model's provider ran itself."""
    lists: list[Documents] = []
    nodes: list[Node] = []
    for node in run.of_kind("llm"):
        for message in node.facts.output_messages:
            for call in message.tool_invocations:
                taken = call.state == "result" and run.reading.takes(call.name)
                documents = documents_in(call.result) if taken else None
                if documents is not None:
                    lists.append(documents)
                    nodes.append(node)
    return Found(joined(lists), tuple(nodes)) if nodes else None


def _from_tool_texts(run: RunView) -> Found | None:
    """Results of tools as they are; an answer that another model gave inside a tool is no context."""
    texts = [
        (node, text)
        for node in searches_of(run)
        if not failed(node)
        and not run.holds(node, "llm", "agent")
        and documents_in(node.facts.tool_result) is None
        and (text := _as_text(node.facts.tool_result)) is not None
    ]
    if texts:
        return Found(tuple(Document(text=text) for _, text in texts), tuple(node for node, _ in texts))
    told = any(node.facts.tool_result is not None for node in run.of_kind("tool"))
    return None if told else _from_results(run, texts=True)


def _as_text(result: object) -> str | None:
    """Give a result as the model was shown it; None where there is nothing to read."""
    message = message_of(result) if isinstance(result, dict) and is_message(result) else None
    if message is not None:
        result = message.content
    if isinstance(result, str):
        return result if result.strip() and not is_repr(result) else None
    if isinstance(result, dict | list | tuple) and result and not _is_no_result(result):
        return json.dumps(result, ensure_ascii=False)
    return None


def _is_no_result(result: object) -> bool:
    return isinstance(result, dict) and (set(result) <= _FAILURES or is_tool_definition(result))

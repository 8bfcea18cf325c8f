"""Which documents the answer was made from: the first place that has them, in a fixed order of places."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from spanjudge.assembly.joining import joined
from spanjudge.assembly.view import failed
from spanjudge.dialects.decode import is_repr
from spanjudge.dialects.documents import Documents, documents_in, ranked, split_as
from spanjudge.dialects.facts import WHOLE_KINDS
from spanjudge.dialects.messages import CALL_IDS, this_turn
from spanjudge.dialects.openinference import with_ids
from spanjudge.model import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from spanjudge.assembly.tree import Node
    from spanjudge.assembly.view import RunView

# Tools that hand the answer over instead of fetching anything.
ANSWER_TOOLS: Final = frozenset({"final_answer", "final_result", "submit_answer", "respond", "answer"})
_FAILURES: Final = frozenset({"error", "errors", "message", "status", "code", "detail"})
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
    """Contexts, None where they were not captured, and the spans that they come from."""

    documents: Documents | None = None
    nodes: tuple[Node, ...] = ()


def contexts_of(run: RunView) -> Found:
    """Find the contexts of a run.

    Rerankers come first, then outermost retrievers, then tools that return documents, then steps that return or take
    them, then what a model was told by tools or found itself, prompt variables, and last a tool's result as one text.
    An empty list is kept as the answer only where no other place has documents.
    """
    found = _reranked(run) or _retrieved(run)
    if found is None or not found.documents:
        rest = _elsewhere(run)
        found = rest if rest is not None and (rest.documents or found is None) else found
    elif any(document.text is None for document in found.documents):
        found = _with_texts(found, _elsewhere(run))
    if found is None:
        return Found()
    if found.documents and not any(document.id for document in found.documents):
        found = replace(found, documents=_named(found.documents, run))
    return replace(found, documents=ranked(found.documents or ()))


def _reranked(run: RunView) -> Found | None:
    nodes = [
        node
        for node in run.of_kind("reranker")
        if node.facts.documents is not None and not any(each.kind == "retriever" for each in run.above(node))
    ]
    if not nodes:
        return None
    documents = joined(node.facts.documents or () for node in run.outermost(nodes))
    before = _retrieved(run)
    texts = {document.id: document.text for document in (before.documents if before else None) or () if document.id}
    documents = tuple(
        replace(document, text=texts.get(document.id or "")) if document.text is None else document
        for document in documents
    )
    return Found(documents, tuple(nodes))


def _retrieved(run: RunView) -> Found | None:
    nodes = run.outermost([node for node in run.of_kind("retriever") if node.facts.documents is not None])
    if not nodes:
        return None
    lists = [_told_by_tool(run, node) for node in nodes]
    return Found(_reordered(joined(lists), run, nodes), tuple(nodes))


def _told_by_tool(run: RunView, node: Node) -> Documents:
    """Give a retriever's documents without texts those of the tool around it."""
    documents = node.facts.documents or ()
    if all(document.text is not None for document in documents):
        return documents
    for tool in run.above(node):
        if tool.kind == "tool" and tool.facts.tool_result is not None:
            found = _with_texts(Found(documents), _as_found(tool))
            return found.documents or documents
    return documents


def _as_found(tool: Node) -> Found | None:
    result = tool.facts.tool_result
    documents = documents_in(result)
    if documents is None and isinstance(result, str):
        documents = (Document(text=result),)
    return None if documents is None else Found(documents, (tool,))


def _with_texts(found: Found, rest: Found | None) -> Found:
    """Join ids without texts to texts that were found elsewhere, by position; only where the numbers agree."""
    known, texts = found.documents or (), (rest.documents if rest else None) or ()
    if rest is None or not texts:
        return found
    if len(texts) == 1 and len(known) > 1 and texts[0].text is not None:
        parts = split_as(texts[0].text, len(known))
        if parts is None:
            return rest
        texts = tuple(Document(text=part) for part in parts)
    if len(texts) != len(known):
        return rest
    documents = tuple(
        replace(one, text=two.text, id=one.id or two.id, score=two.score if one.score is None else one.score)
        for one, two in zip(known, texts, strict=True)
    )
    return Found(documents, found.nodes + rest.nodes)


def _reordered(documents: Documents, run: RunView, retrievers: Sequence[Node]) -> Documents:
    """Bring documents into the order that a later step gave them, where it names only ids that were retrieved."""
    last = max(node.span.end_ns for node in retrievers)
    by_id = {document.id: document for document in documents}
    for node in run.members:
        order = node.facts.order
        if order and node.kind in WHOLE_KINDS and node.span.start_ns >= last and all(each in by_id for each in order):
            documents = tuple(by_id[each] for each in order)
    return documents


def _named(documents: Documents, run: RunView) -> Documents:
    """Take ids from another place where the same texts stand in the same order."""
    for node in run.members:
        for value in (node.facts.tool_result, node.facts.input, node.facts.output):
            others = documents_in(value) if isinstance(value, dict | list | tuple) else None
            if others and all(document.id for document in others):
                named = tuple(with_ids(documents, others))
                if named[0].id:
                    return named
    return documents


def _elsewhere(run: RunView) -> Found | None:
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
            for call_id in _call_ids(message.metadata)
        )
    }
    tools = run.outermost([node for node in run.of_kind("tool") if node.facts.tool_name not in ANSWER_TOOLS])
    if not all(node.facts.tool_call_id in order for node in tools):
        return tools
    return sorted(tools, key=lambda node: order[node.facts.tool_call_id or ""])


def _call_ids(metadata: Mapping[str, object]) -> list[str]:
    ids = metadata.get(CALL_IDS)
    return [each for each in ids if each] if isinstance(ids, tuple) else []


def _from_tools(run: RunView) -> Found | None:
    found: list[tuple[Node, Documents]] = []
    for node in tools_of(run):
        documents = None if failed(node) else documents_in(node.facts.tool_result)
        if documents is not None:
            found.append((node, documents))
        elif run.holds(node, "agent"):
            found += _from_inner_tools(run, node)
    return Found(joined(documents for _, documents in found), tuple(node for node, _ in found)) if found else None


def _from_inner_tools(run: RunView, outer: Node) -> Iterator[tuple[Node, Documents]]:
    """Documents that an agent inside a tool has fetched; what it made of them is no context."""
    for node in run.of_kind("tool"):
        if not failed(node) and outer in run.above(node):
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
    for node in _steps(run):
        value = node.facts.output
        documents = documents_in(value) if isinstance(value, dict | list | tuple) else None
        if documents and all(document.text for document in documents) and any(_marked(each) for each in documents):
            return Found(documents, (node,))
    return None


def _marked(document: Document) -> bool:
    return document.id is not None or document.score is not None


def _from_inputs(run: RunView) -> Found | None:
    empty: Found | None = None
    for node in [*_steps(run), run.root]:
        for value in (node.facts.input, node.facts.output if node is run.root else None):
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
    speaker = run.speaker
    if speaker is None or any(failed(node) for node in run.of_kind("tool")):
        return None
    lists: list[Documents] = []
    for message in this_turn(speaker.facts.input_messages):
        for call in message.tool_invocations:
            if call.state != "result" or call.name in ANSWER_TOOLS:
                continue
            documents = documents_in(call.result)
            if documents is None and texts and (text := _as_text(call.result)) is not None:
                documents = (Document(text=text),)
            if documents is not None:
                lists.append(documents)
    return Found(joined(lists), (speaker,)) if lists else None


def _from_searches(run: RunView) -> Found | None:
    """Results of a search that the model's provider ran itself."""
    lists: list[Documents] = []
    nodes: list[Node] = []
    for node in run.of_kind("llm"):
        for message in node.facts.output_messages:
            for call in message.tool_invocations:
                documents = documents_in(call.result) if call.state == "result" else None
                if documents is not None:
                    lists.append(documents)
                    nodes.append(node)
    return Found(joined(lists), tuple(nodes)) if nodes else None


def _from_tool_texts(run: RunView) -> Found | None:
    """Results of tools as they are; an answer that another model gave inside a tool is no context."""
    texts = [
        (node, text)
        for node in tools_of(run)
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
    if isinstance(result, str):
        return result if result.strip() and not is_repr(result) else None
    if isinstance(result, dict | list | tuple) and result and not _tells_of_failure(result):
        return json.dumps(result, ensure_ascii=False)
    return None


def _tells_of_failure(result: object) -> bool:
    return isinstance(result, dict) and set(result) <= _FAILURES

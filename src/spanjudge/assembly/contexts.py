"""Which documents the answer was made from: the first place that has them, in a fixed order of places."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from spanjudge.assembly.joining import joined
from spanjudge.assembly.places import Found, elsewhere, may_tell
from spanjudge.assembly.prompts import from_prompt
from spanjudge.dialects.documents import Documents, documents_in, ranked, split_as, with_ids
from spanjudge.dialects.facts import WHOLE_KINDS
from spanjudge.model import Document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanjudge.assembly.tree import Node
    from spanjudge.assembly.view import RunView


def contexts_of(run: RunView) -> Found:
    """Find the contexts of a run.

    What the application says are the contexts comes first, then rerankers, outermost retrievers and other spans with
    documents, then tools that return documents, then steps that return or take them, then what a model was told by
    tools or found itself, prompt variables, and a tool's result as one text; last what the user's patterns find in a
    prompt. An empty list is kept as the answer only where no other place has documents.
    """
    found = _told(run) or _reranked(run) or _retrieved(run) or _beside(run)
    if found is None or not found.documents:
        rest = elsewhere(run)
        found = rest if rest is not None and (rest.documents or found is None) else found
    elif any(document.text is None for document in found.documents):
        found = _with_texts(found, elsewhere(run))
    found = found or from_prompt(run)
    if found is None:
        return Found()
    if found.documents and not any(document.id for document in found.documents):
        found = replace(found, documents=_named(found.documents, run))
    return replace(found, documents=ranked(found.documents or ()))


def _told(run: RunView) -> Found | None:
    """Documents that stand where the user says that the contexts are."""
    nodes = run.outermost([node for node in run.members if "documents" in node.facts.told])
    return Found(joined(node.facts.documents or () for node in nodes), tuple(nodes)) if nodes else None


def _beside(run: RunView) -> Found | None:
    """Documents on spans that are no retrievers."""
    nodes = [
        node for node in run.members if node.kind not in ("retriever", "reranker") and node.facts.documents is not None
    ]
    outermost = run.outermost([node for node in nodes if may_tell(run, node)])
    return Found(joined(node.facts.documents or () for node in outermost), tuple(outermost)) if outermost else None


def _reranked(run: RunView) -> Found | None:
    nodes = [
        node
        for node in run.of_kind("reranker")
        if node.facts.documents is not None
        and may_tell(run, node)
        and not any(each.kind == "retriever" for each in run.above(node))
    ]
    if not nodes:
        return None
    documents = joined(node.facts.documents or () for node in _last_word(run.outermost(nodes)))
    before = _retrieved(run)
    texts = {document.id: document.text for document in (before.documents if before else None) or () if document.id}
    documents = tuple(
        replace(document, text=texts.get(document.id or "")) if document.text is None else document
        for document in documents
    )
    return Found(documents, tuple(nodes))


def _last_word(rerankers: list[Node]) -> list[Node]:
    """Leave out rerankers of which a later one has taken what they gave: all that it returns, they returned."""
    return [
        node
        for position, node in enumerate(rerankers)
        if not any(_takes_from(later, node) for later in rerankers[position + 1 :])
    ]


def _takes_from(later: Node, earlier: Node) -> bool:
    given = {document.id or document.text for document in earlier.facts.documents or ()}
    kept = {document.id or document.text for document in later.facts.documents or ()}
    return later.span.start_ns >= earlier.span.end_ns and bool(kept) and kept <= given


def _retrieved(run: RunView) -> Found | None:
    nodes = run.outermost(
        [node for node in run.of_kind("retriever") if node.facts.documents is not None and may_tell(run, node)]
    )
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

"""What the user asked, and what the user was told."""

from __future__ import annotations

import json
from functools import reduce
from typing import TYPE_CHECKING, Final

from spanjudge.assembly.view import said_by
from spanjudge.dialects.decode import is_prose
from spanjudge.dialects.messages import last_text
from spanjudge.dialects.texts import answered, asked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spanjudge.assembly.tree import Node
    from spanjudge.assembly.view import RunView
    from spanjudge.model import Document


_PARTS: Final = frozenset({"llm", "retriever", "reranker", "tool", "embedding", "prompt", "guardrail"})


def question_of(run: RunView, contexts: Sequence[Document] | None) -> tuple[str | None, Node | None]:
    """Find what the user asked, and the span that tells it.

    What stands where the user says comes first, then the root's own input, that of agents inside it, the first model's
    last user message, and the retriever's query last: it is often a rewritten one. What a model inside a tool was told
    is no user's word, and what holds the whole of every context is a prompt and no question.
    """
    mapped = next((node for node in _outermost_first(run) if "query" in node.facts.told), None)
    if mapped is not None:
        return mapped.facts.query, mapped
    found, teller = _asked_in(run, contexts)
    return (None, None) if found and _is_prompt(found, contexts) else (found, teller)


def _asked_in(run: RunView, contexts: Sequence[Document] | None) -> tuple[str | None, Node | None]:
    for node in _wholes(run):
        found = node.facts.query if node.kind != "retriever" or node is run.root else None
        found = found or asked(last_text(node.facts.input_messages, "user")) or asked(node.facts.input)
        if found:
            return found, node
    queries = [(node.facts.query, node) for node in run.of_kind("retriever", "reranker") if node.facts.query]
    models = [node for node in run.of_kind("llm") if not any(each.kind == "tool" for each in run.above(node))]
    for node in models:
        message = last_text(node.facts.input_messages, "user")
        if message:
            pasted = [(query, place) for query, place in queries if query and _is_pasted(query, message, contexts)]
            return pasted[0] if pasted else (message, node)
    for node in models:
        found = asked(node.facts.input)
        if found:
            return found, node
    return queries[0] if queries else (None, None)


def answer_of(run: RunView, contexts: Sequence[Document] | None = None) -> tuple[str | None, Node | None]:
    """Find what the user was told, and the span that tells it: the root's own output, else the last model's text.

    What a chain without any model returns is no answer where it holds the whole of several contexts: it has only
    fetched. One that answers with the one text it found has answered.
    """
    mapped = next((node for node in _outermost_first(run) if "answer" in node.facts.told), None)
    if mapped is not None:
        return mapped.facts.answer, mapped
    for node in _wholes(run):
        found = node.facts.answer or last_text(node.facts.output_messages, "assistant") or answered(node.facts.output)
        if found and (run.models or not _joins(found, contexts)):
            return _unlined(found), node
    speaker = run.speaker
    found = said_by(speaker) if speaker else None
    if found:
        return _unlined(found), speaker
    if run.root.kind == "agent" and isinstance(run.root.facts.output, dict) and not run.root.facts.cut:
        # An agent that answers by a schema, where no model call shows the text.
        return json.dumps(run.root.facts.output, ensure_ascii=False), run.root
    return None, speaker


def _joins(text: str, contexts: Sequence[Document] | None) -> bool:
    return contexts is not None and len(contexts) > 1 and all(each.text and each.text in text for each in contexts)


def _wholes(run: RunView) -> Iterator[Node]:
    """The root and, where it has no content, the agents and workflows inside it."""
    alone = len(run.tops) == 1 and run.tops[0] is run.root
    if (alone and run.root.kind == "retriever" and run.models) or run.root.kind not in _PARTS:
        yield run.root
        yield from (node for node in run.of_kind("agent", "workflow") if node is not run.root)


def _outermost_first(run: RunView) -> list[Node]:
    return [run.root, *(node for node in run.members if node is not run.root)]


def _is_prompt(found: str, contexts: Sequence[Document] | None) -> bool:
    return bool(contexts) and all(each.text and is_prose(each.text) and each.text in found for each in contexts or ())


def _is_pasted(query: str, message: str, contexts: Sequence[Document] | None) -> bool:
    """Whether a prompt merely contains the question, with context pasted around it."""
    if query == message or query not in message:
        return False
    texts = [document.text for document in contexts or () if document.text]
    if texts:
        beside = reduce(lambda rest, text: rest.replace(text, ""), texts, message)
        return beside != message and query in beside
    return any(line.strip().endswith(query) for line in message.splitlines()) and "\n" in message.strip()


def _unlined(text: str) -> str:
    return text.removesuffix("\n")

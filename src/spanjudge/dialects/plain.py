"""Attributes that people set themselves, by names in common use: ``rag.query``, ``question``, ``documents.0.text``."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from spanjudge.conversation import Message
from spanjudge.dialects.attributes import any_cut, is_redacted
from spanjudge.dialects.decode import decode, is_prose, plain
from spanjudge.dialects.document import document_of
from spanjudge.dialects.documents import Documents, ranked
from spanjudge.dialects.facts import Facts, Kind
from spanjudge.dialects.plain_mapping import PlainMapping, documents_of, numbered

if TYPE_CHECKING:
    from spanjudge.sources.record import Attributes, EventRecord, SpanRecord

name: Final = "plain"
scopes: Final = ()

Fact: TypeAlias = Literal["query", "contexts", "answer", "ground_truth"]

_STRONG: Final[dict[str, Fact]] = {
    **dict.fromkeys(("question", "user_question", "user_query", "rag_query", "rag_question"), "query"),
    **dict.fromkeys(("answer", "final_answer", "generated_answer", "rag_answer"), "answer"),
    **dict.fromkeys(
        (
            "contexts",
            "retrieved_documents",
            "retrieved_docs",
            "retrieved_contexts",
            "retrieved_context",
            "retrieved_chunks",
            "retrieved_passages",
            "source_documents",
            "context_documents",
            "rag_documents",
            "rag_context",
            "rag_contexts",
        ),
        "contexts",
    ),
    **dict.fromkeys(("ground_truth", "reference_answer", "expected_answer"), "ground_truth"),
}
# Words that mean these things only in company, or under a name that speaks of retrieval.
_WEAK: Final[dict[str, Fact]] = {
    **dict.fromkeys(("query", "input", "prompt", "user_input"), "query"),
    **dict.fromkeys(("response", "output", "completion", "reply"), "answer"),
    **dict.fromkeys(("documents", "docs", "context", "chunks", "passages", "sources", "results"), "contexts"),
    **dict.fromkeys(("reference", "expected"), "ground_truth"),
}
_TOPICS: Final = frozenset({"rag", "retrieval", "retriever", "retrieve", "qa"})
_FOREIGN: Final = (
    "ai.",
    "client.",
    "cloud.",
    "code.",
    "db.",
    "dns.",
    "error.",
    "exception.",
    "faas.",
    "gcp.",
    "gen_ai.",
    "graphql.",
    "haystack.",
    "http.",
    "input.",
    "k8s.",
    "langfuse.",
    "logfire.",
    "mastra.",
    "messaging.",
    "metadata.",
    "mlflow.",
    "net.",
    "network.",
    "openinference.",
    "output.",
    "process.",
    "pydantic_ai.",
    "reranker.",
    "retrieval.documents",
    "rpc.",
    "server.",
    "session.",
    "spanjudge.",
    "spring.",
    "traceloop.",
    "url.",
    "user_agent.",
)
_NUMBERED: Final = re.compile(r"(.+)\.(\d{1,6})(?:\.(.+))?")
_DOCUMENT_EVENT: Final = re.compile(
    r"document|chunk|passage|context|snippet|retriev|search.?result|(?:^|\W)doc", re.IGNORECASE
)
_SEARCH_NAME: Final = re.compile(r"retriev|search|\brag\b|context|document|knowledge|lookup", re.IGNORECASE)
_FOREIGN_EVENTS: Final = ("gen_ai.", "db.", "exception", "llm.")
_MAPPED: Final[tuple[Fact, ...]] = ("query", "contexts", "answer")
_RANKS: Final = ("rank", "index", "position")


def kind(span: SpanRecord) -> Kind | None:
    """What the span does, by what it tells: documents alone are a search, an answer alone is a model's."""
    return _kind(set(_names(span)) | ({"contexts"} if _events(span) else set()))


def speaks(span: SpanRecord) -> bool:
    """Whether the span bears names in common use, or events that are documents."""
    return bool(_names(span) or _events(span))


def read(span: SpanRecord) -> Facts:
    """All that the span says under names in common use."""
    given = span.attributes
    names = _names(span)
    documents, gap = _documents(given, names.get("contexts"))
    if documents is None:
        documents, gap = _told_by_events(span), False
    raw = [given.get(key) for key in names.values()]
    facts = Facts(
        kind=kind(span),
        query=_text(given, names.get("query")),
        answer=_text(given, names.get("answer")),
        ground_truth=_text(given, names.get("ground_truth")),
        documents=None if documents is None else ranked(documents, span.span_id),
        gaps=gap,
        redacted=is_redacted(raw),
        cut=any_cut(raw),
        dialects=(name,),
    )
    return _spoken(facts)


def kind_as_mapped(span: SpanRecord, mapping: PlainMapping) -> Kind | None:
    """What the span does, by the facts that stand where the user says."""
    told = {fact for fact in _MAPPED if mapping.value(fact, span.attributes) is not None}
    return _kind(told | ({"contexts"} if mapping.documents(span.attributes)[0] is not None else set()))


def speaks_as_mapped(span: SpanRecord, mapping: PlainMapping) -> bool:
    """Whether a question, contexts or an answer stand on the span where the user says."""
    return any(mapping.value(fact, span.attributes) is not None for fact in _MAPPED) or bool(
        isinstance(mapping.contexts, str) and any(key.startswith(mapping.contexts + ".0") for key in span.attributes)
    )


def read_as_mapped(span: SpanRecord, mapping: PlainMapping) -> Facts:
    """All that stands on the span where the user says."""
    given = span.attributes
    documents, gap = mapping.documents(given)
    query, answer = mapping.text("query", given), mapping.text("answer", given)
    pieces = {"query": query, "documents": documents, "answer": answer}
    facts = Facts(
        query=query,
        answer=answer,
        ground_truth=mapping.text("ground_truth", given),
        session=mapping.text("session", given),
        user=mapping.text("user", given),
        documents=None if documents is None else ranked(documents, span.span_id),
        told=tuple(piece for piece, found in pieces.items() if found is not None),
        gaps=gap,
        redacted=is_redacted([mapping.value(fact, given) for fact in _MAPPED]),
        cut=mapping.cut(given),
    )
    return facts if facts == Facts() else _spoken(replace(facts, kind=kind_as_mapped(span, mapping), dialects=(name,)))


def _spoken(facts: Facts) -> Facts:
    """Give the call of a model its question and its answer as messages."""
    if facts.kind != "llm":
        return facts
    return replace(
        facts,
        input_messages=(Message("user", facts.query),) if facts.query else (),
        output_messages=(Message("assistant", facts.answer),) if facts.answer else (),
    )


def _kind(facts: set[Fact] | set[str]) -> Kind | None:
    if "contexts" in facts:
        return None if "answer" in facts else "retriever"
    return "llm" if "answer" in facts else None


def _names(span: SpanRecord) -> dict[Fact, str]:
    """Names of the attributes that tell each fact; the strong ones alone make the weak ones mean anything."""
    strong: dict[Fact, str] = {}
    weak: dict[Fact, str] = {}
    for key, value in span.attributes.items():
        if _is_foreign(key) or value is None or value == "":
            continue
        match = _NUMBERED.fullmatch(key) if ".0" in key else None
        whole = match[1] if match else key
        *way, last = whole.lower().replace("-", "_").split(".")
        fact = _STRONG.get(last)
        if match and fact != "contexts" and _WEAK.get(last) != "contexts":
            continue
        if fact is None and (found := _WEAK.get(last)) and (_TOPICS.intersection(way) or (match and match[3])):
            fact = found
        if fact is not None:
            strong.setdefault(fact, whole)
        elif found := _WEAK.get(last):
            weak.setdefault(found, whole)
    if strong or _in_company(span, weak):
        return {**weak, **strong}
    return {}


def _is_foreign(key: str) -> bool:
    """Whether a name belongs to a convention; ``llm.response`` is a person's, ``llm.openai.output`` is not."""
    return key.startswith(_FOREIGN) or (key.startswith("llm.") and key.count(".") > 1)


def _in_company(span: SpanRecord, weak: dict[Fact, str]) -> bool:
    """Whether names that may mean anything mean something together.

    A text given and a sentence given back do, and documents that look like some or stand where one would look for them.
    """
    given = span.attributes
    if "query" in weak and "answer" in weak:
        answer = plain(given.get(weak["answer"]))
        return plain(given.get(weak["query"])) is not None and answer is not None and is_prose(answer)
    documents = weak.get("contexts")
    if documents is None:
        return False
    found = documents_of(decode(given.get(documents)))
    if not found:
        return False
    marked = all(document.text and (document.id or document.score is not None) for document in found)
    prose = all(document.text and is_prose(document.text) for document in found)
    return marked or (prose and ("query" in weak or bool(_SEARCH_NAME.search(span.name))))


def _documents(given: Attributes, place: str | None) -> tuple[Documents | None, bool]:
    if place is None:
        return None, False
    if place in given:
        return documents_of(given[place]), False
    return numbered(given, place)


def _events(span: SpanRecord) -> list[EventRecord]:
    return [
        event
        for event in span.events
        if _DOCUMENT_EVENT.search(event.name) and not event.name.startswith(_FOREIGN_EVENTS) and event.attributes
    ]


def _told_by_events(span: SpanRecord) -> Documents | None:
    """One document an event, in the order of their ranks where each has one, else in that of the events."""
    rows = [{key.rpartition(".")[2]: value for key, value in event.attributes.items()} for event in _events(span)]
    found = [(document, row) for row in rows if (document := document_of(row)) and document.text is not None]
    for key in _RANKS:
        ranks = [rank for _, row in found if isinstance(rank := row.get(key), int)]
        if len(set(ranks)) == len(found):
            found = [pair for _, pair in sorted(zip(ranks, found, strict=True), key=lambda each: each[0])]
            break
    return tuple(document for document, _ in found) or None


def _text(given: Attributes, place: str | None) -> str | None:
    return plain(given.get(place)) if place else None

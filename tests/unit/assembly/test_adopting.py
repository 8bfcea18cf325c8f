"""Searches and repeats that hang beside their run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spanjudge.assembly import assemble
from spanjudge.sources.record import EventRecord, SpanRecord
from unit.assembly.tracing import ANSWER, QUERY, TEXTS, Tracing, chain, kind, llm, retriever

LANGCHAIN, CHROMA = "openinference.instrumentation.langchain", "opentelemetry.instrumentation.chromadb"
SEARCH = {"db.system": "chroma", "db.operation": "query"}
RESULTS = tuple(
    EventRecord("db.query.result", {"db.query.result.id": id_, "db.query.result.document": each})
    for id_, each in zip("ab", TEXTS, strict=True)
)


def beside(*, inside: bool = True, twice: bool = False, own: bool = False, results: bool = True) -> list[SpanRecord]:
    """A chain, and the search that it made hanging beside it, as callbacks without context leave it."""
    tracing = Tracing()
    server = tracing.span("POST /ask", kind=2)
    if not inside:
        tracing.end(tracing.span("chroma.query", server, scope=CHROMA, attributes=SEARCH, events=RESULTS))
    roots = [tracing.span("chain", server, scope=LANGCHAIN, attributes=chain()) for _ in range(1 + twice)]
    if inside:
        tracing.end(
            tracing.span("chroma.query", server, scope=CHROMA, attributes=SEARCH, events=RESULTS if results else ())
        )
    for root in roots:
        if own:
            tracing.end(tracing.span("retriever", root, scope=LANGCHAIN, attributes=retriever(*TEXTS)))
        tracing.end(tracing.span("model", root, scope=LANGCHAIN, attributes=llm()))
    return tracing.done()


def told(spans: list[SpanRecord]) -> list[tuple[str, object, str | None]]:
    return [
        (run.target.name if run.target else "", run.contexts and [each.text for each in run.contexts], run.skip_reason)
        for run in assemble(spans)
    ]


def test_search_beside_the_only_run_around_it_is_that_runs() -> None:
    assert told(beside()) == [("chain", list(TEXTS), None)]


def test_search_that_two_runs_lie_around_belongs_to_none() -> None:
    runs = told(beside(twice=True))
    assert [contexts for name, contexts, _ in runs if name == "chain"] == [None, None]


def test_search_before_a_run_is_not_taken_for_its_own() -> None:
    assert ("chain", None, "no_context_captured") in told(beside(inside=False))


@pytest.mark.parametrize("results", [True, False])
def test_search_that_repeats_what_the_run_has_is_no_run(results: bool) -> None:  # noqa: FBT001 - a parameter
    assert told(beside(own=True, results=results)) == [("chain", list(TEXTS), None)]


def across(service: str, texts: tuple[str, ...] = TEXTS) -> list[SpanRecord]:
    """A chain, and the service that searches for it, in one trace; the service's clock is wrong."""
    tracing = Tracing()
    server = tracing.span("POST /ask", kind=2)
    root = tracing.span("chain", server, scope=LANGCHAIN, attributes=chain())
    tracing.end(tracing.span("remote", root, scope=LANGCHAIN, attributes=retriever(*TEXTS)))
    tracing.end(tracing.span("model", root, scope=LANGCHAIN, attributes=llm()))
    other = tracing.span("POST /search", server, kind=2)
    tracing.end(tracing.span("knowledge", other, scope=LANGCHAIN, attributes=retriever(*texts)))
    spans = tracing.done()
    return [
        replace(span, resource={"service.name": service}, start_ns=span.start_ns + 10**9, end_ns=span.end_ns + 10**9)
        if span.name in ("knowledge", "POST /search")
        else replace(span, resource={"service.name": "app"})
        for span in spans
    ]


def test_search_that_another_service_made_for_the_run_is_no_run() -> None:
    assert told(across("search")) == [("chain", list(TEXTS), None)]


def test_search_that_found_something_else_is_not_a_repeat() -> None:
    assert len(told(across("search", ("another text",)))) == 2


def test_same_service_is_known_by_its_clock() -> None:
    assert len(told(across("app"))) == 2


def test_two_rerankers_in_a_row_leave_the_last_word_to_the_last() -> None:
    tracing = Tracing()
    root = tracing.span("chain", attributes=chain())
    tracing.end(tracing.span("retriever", root, attributes=retriever(*TEXTS, "third", ids=("a", "b", "c"))))
    for order in (("c", "a", "b"), ("b", "c")):
        given = kind("RERANKER", input__value=QUERY)
        texts = dict(zip("abc", (*TEXTS, "third"), strict=True))
        for rank, each in enumerate(order):
            given[f"reranker.output_documents.{rank}.document.id"] = each
            given[f"reranker.output_documents.{rank}.document.content"] = texts[each]
        tracing.end(tracing.span("reranker", root, attributes=given))
    tracing.end(tracing.span("model", root, attributes=llm()))
    (run,) = assemble(tracing.done())
    assert [each.id for each in run.contexts or ()] == ["b", "c"]
    assert run.answer == ANSWER


def test_rerankers_of_different_lists_are_joined() -> None:
    tracing = Tracing()
    root = tracing.span("chain", attributes=chain())
    for each, text in (("a", TEXTS[0]), ("b", TEXTS[1])):
        given = kind("RERANKER", input__value=QUERY)
        given |= {"reranker.output_documents.0.document.id": each, "reranker.output_documents.0.document.content": text}
        tracing.end(tracing.span("reranker", root, attributes=given))
    (run,) = assemble(tracing.done())
    assert [each.id for each in run.contexts or ()] == ["a", "b"]

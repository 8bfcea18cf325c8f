"""Runs explained: which codes are told, and whose advice."""

from __future__ import annotations

from spanjudge.doctor.advice import SKIPS
from spanjudge.doctor.captured import explain, explain_run
from spanjudge.model import Document, RagRun
from spanjudge.sources.record import SpanRecord

KIND = "openinference.span.kind"
NOTHING = Document(None, id="kb-1")


def _span(trace_id: str, **given: object) -> SpanRecord:
    return SpanRecord(trace_id=trace_id, span_id="b" * 16, name="call", start_ns=1, end_ns=2, scope="app", **given)  # type: ignore[arg-type]


def test_codes_behind_the_first_are_told_too() -> None:
    run = RagRun(query=None, answer=None, contexts=(NOTHING,), skip_reason="no_query")
    found = explain_run(run, ("app",))
    assert [code for code, _ in found.why] == ["no_query", "no_answer", "context_text_missing"]


def test_what_an_error_took_away_is_not_told_beside_the_error() -> None:
    run = RagRun(skip_reason="source_error")
    assert [each.codes for each in explain_run(run, ()).advice] == [("source_error",)]


def test_complete_run_needs_no_advice() -> None:
    run = RagRun(query="q", answer="a", contexts=(Document("text"),))
    assert (explain_run(run, ("litellm",)).why, explain_run(run, ("litellm",)).advice) == ((), ())


def test_unknown_instrumentation_gets_the_advice_that_helps_anywhere() -> None:
    (advised,) = explain_run(RagRun(skip_reason="redacted"), ("app", "")).advice
    assert (advised.instrumentation, advised.do) == (None, SKIPS["redacted"].do)


def test_dialect_tells_the_instrumentation_where_its_scope_is_the_applications() -> None:
    run = RagRun(query="q", answer="a", skip_reason="no_context_captured", dialects=("litellm", "traceloop"))
    (advised,) = explain_run(run, ("my-app",)).advice
    assert advised.instrumentation == "LiteLLM's callback otel"


def test_same_advice_of_two_instrumentations_is_given_once() -> None:
    run = RagRun(query="q", answer="a", skip_reason="no_context_captured")
    scopes = (
        "opentelemetry.instrumentation.openai",
        "openinference.instrumentation.openai",
        "opentelemetry.util.genai",
    )
    assert len(explain_run(run, scopes).advice) == 1


def test_counts_are_in_the_order_of_the_codes_with_complete_first() -> None:
    failed = _span("1" * 32, attributes={KIND: "CHAIN", "input.value": "q"}, error=True)
    empty = _span("2" * 32, attributes={KIND: "CHAIN"})
    other = _span("3" * 32, attributes={"http.route": "/"})
    findings = explain([other, empty, failed])
    assert list(findings.counts.items()) == [("source_error", 1), ("no_content_captured", 1), ("no_run", 1)]
    assert not findings.well
    assert [trace.trace_id[0] for trace in findings.traces] == ["3", "2", "1"]


def test_no_run_at_all_is_not_well_but_other_traces_beside_complete_ones_are() -> None:
    said = {KIND: "CHAIN", "input.value": "q", "output.value": "a"}
    found = {KIND: "RETRIEVER", "retrieval.documents.0.document.content": "text", "input.value": "q"}
    chain = _span("1" * 32, attributes=said)
    retriever = SpanRecord(
        trace_id="1" * 32, span_id="c" * 16, parent_id="b" * 16, start_ns=1, end_ns=2, attributes=found
    )
    other = _span("3" * 32, attributes={"http.route": "/"})
    assert explain([chain, retriever, other]).counts == {"complete": 1, "no_run": 1}
    assert explain([chain, retriever, other]).well
    assert not explain([other]).well
    assert not explain([]).well

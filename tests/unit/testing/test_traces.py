from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from spanjudge.testing import rag_run, rag_spans, trace_rag_call

if TYPE_CHECKING:
    from spanjudge.sources.record import SpanRecord


def test_run_holds_what_it_is_given_and_numbers_tell_runs_apart() -> None:
    run = rag_run("Q", ["a", "b"], "A", ground_truth="G", session_id="s")
    assert (run.query, run.answer, run.ground_truth, run.session_id) == ("Q", "A", "G", "s")
    assert [(document.text, document.rank) for document in run.contexts or ()] == [("a", 0), ("b", 1)]
    assert rag_run(documents=None).contexts is None
    assert rag_run(number=1).run_id == rag_run(number=1).run_id != rag_run(number=2).run_id


def _tree(spans: list[SpanRecord]) -> list[tuple[str, bool]]:
    root = spans[0].span_id
    return [(span.name, span.parent_id == root) for span in spans]


def test_spans_are_a_chain_over_a_retriever_and_an_llm() -> None:
    spans = rag_spans(ground_truth="G")
    assert _tree(spans) == [("answer", False), ("retrieve", True), ("generate", True)]
    assert len({span.span_id for span in spans}) == 3
    assert all(spans[0].start_ns < span.start_ns < span.end_ns < spans[0].end_ns for span in spans[1:])
    assert spans[0].attributes["spanjudge.ground_truth"] == "G"


@pytest.mark.parametrize("documents", [["a", "b"], []])
def test_real_spans_say_the_same_as_records(documents: list[str]) -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace_rag_call(provider.get_tracer("test"), documents=documents)
    real = {span.name: dict(span.attributes or {}) for span in exporter.get_finished_spans()}
    assert real == {span.name: dict(span.attributes) for span in rag_spans(documents=documents)}
    provider.shutdown()

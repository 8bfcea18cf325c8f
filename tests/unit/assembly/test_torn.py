from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from spanjudge.assembly import AssemblyLimits, Closed, OpenTraces, assemble
from spanjudge.model import RagRun
from unit.assembly.tracing import ANSWER, QUERY, TEXTS, Tracing, chain, llm, rag_trace, retriever

if TYPE_CHECKING:
    from spanjudge.sources.record import SpanRecord

MISSING = "00000000000000ff"


def codes(spans: list[SpanRecord]) -> list[str | None]:
    return [run.skip_reason for run in assemble(spans)]


def without(spans: list[SpanRecord], name: str) -> list[SpanRecord]:
    return [span for span in spans if span.name != name]


def nested() -> list[SpanRecord]:
    """A run with a step in the middle, below which a chain answers with texts of its own."""
    tracing = Tracing()
    root = tracing.span("chain", attributes=chain())
    step = tracing.span("step", root, attributes=chain())
    tracing.end(tracing.span("retriever", root, attributes=retriever(*TEXTS)))
    inner = tracing.span("inner", step, attributes=chain(f"Use {TEXTS[0]} to answer {QUERY}"))
    tracing.end(tracing.span("inner retriever", inner, attributes=retriever(*TEXTS)))
    tracing.span("model", inner, attributes=llm())
    return tracing.done()


def test_lost_step_in_the_middle_stops_the_run_and_what_lay_below_the_step() -> None:
    assert codes(nested()) == [None]
    assert codes(without(nested(), "step")) == ["truncated", "truncated"]


def test_run_under_a_parent_that_is_not_known_is_whole_where_nothing_is_around_it() -> None:
    spans = without(rag_trace(under="POST /ask"), "POST /ask")
    assert codes(spans) == [None]


def test_parent_in_another_process_is_no_loss() -> None:
    first, second = rag_trace(prefix="a"), rag_trace(prefix="b")
    around = replace(first[0], end_ns=first[0].end_ns + 10**12)
    remote = [
        replace(span, parent_id=MISSING, parent_is_remote=True) if span.parent_id is None else span for span in second
    ]
    assert codes([around, *first[1:], *remote]) == [None, None]
    local = [replace(span, parent_is_remote=False) for span in remote]
    assert codes([around, *first[1:], *local]) == ["truncated", "truncated"]


def test_lost_span_stops_no_run_of_the_trace_that_was_over_before_it_began() -> None:
    tracing = Tracing()
    server = tracing.span("session", kind=2)
    for number in range(2):
        root = tracing.span("chain", server, attributes=chain())
        step = tracing.span(f"step {number}", root, attributes=chain())
        tracing.end(tracing.span("retriever", step, attributes=retriever(*TEXTS)))
        tracing.end(tracing.span("model", step, attributes=llm()))
        tracing.end(step)
        tracing.end(root)
    runs = assemble(without(tracing.done(), "step 1"))
    assert [run.skip_reason for run in runs][:2] == [None, "truncated"]
    assert not any(run.complete for run in runs[1:])


@pytest.mark.parametrize(("names", "code"), [(("ask", "ask"), None), (("rewrite", "answer"), "truncated")])
def test_runs_of_other_names_side_by_side_are_steps_of_a_lost_run(names: tuple[str, str], code: str | None) -> None:
    tracing = Tracing()
    for name in names:
        root = tracing.span(name, parent_id=MISSING, attributes=chain())
        tracing.end(tracing.span("retriever", root, attributes=retriever(*TEXTS)))
        tracing.end(tracing.span("model", root, attributes=llm()))
        tracing.end(root)
    assert codes(tracing.done()) == [code, code]


def test_calls_side_by_side_under_a_span_that_was_not_exported_are_a_run() -> None:
    tracing = Tracing()
    tracing.end(tracing.span("retriever", parent_id=MISSING, attributes=retriever(*TEXTS)))
    tracing.span("model", parent_id=MISSING, attributes=llm())
    assert codes(tracing.done()) == [None]


def runs_in_process(spans: list[SpanRecord], linger: float = 1.0) -> list[Closed]:
    """Starts and ends in the order of their times, a linger after each."""
    traces = OpenTraces(AssemblyLimits(linger_s=linger))
    moments = [(span.start_ns, replace(span, end_ns=0)) for span in spans]
    moments += [(span.end_ns, span) for span in spans]
    closed: list[Closed] = []
    for place, (_, span) in enumerate(sorted(moments, key=lambda moment: moment[0])):
        (traces.ended if span.end_ns else traces.started)(span, place * 2 * linger)
        closed += traces.due((place * 2 + 1) * linger)
    return closed + traces.due(1_000.0) + traces.due(2_000.0)


def test_what_lies_below_a_span_that_never_started_waits_for_the_run_around_it() -> None:
    closed = runs_in_process(without(nested(), "step"))
    assert [run.skip_reason for run in closed if isinstance(run, RagRun)] == ["truncated", "truncated"]
    (whole,) = runs_in_process(nested())
    assert isinstance(whole, RagRun)
    assert (whole.query, whole.answer, whole.complete) == (QUERY, ANSWER, True)

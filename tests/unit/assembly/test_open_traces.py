from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanjudge.assembly import AssemblyLimits, Closed, Dropped, OpenTraces, assemble
from spanjudge.model import RagRun
from spanjudge.sources.record import LogPart
from unit.assembly.test_assemble import records
from unit.assembly.tracing import ANSWER, QUERY, TEXTS, TRACE, Tracing, chain, kind, llm, rag_trace, retriever

if TYPE_CHECKING:
    from spanjudge.sources.record import SpanRecord

OTHER = "1" * 32
INSTRUMENTED = "openinference.instrumentation.langchain"


def opened(span: SpanRecord, *, bare: bool = False) -> SpanRecord:
    started = replace(span, end_ns=0, error=False)
    return replace(started, attributes={}) if bare else started


def feed(traces: OpenTraces, spans: list[SpanRecord], now: float = 0.0, *, bare: bool = False) -> None:
    """Starts and ends in the order of the spans' own clocks, all at one moment of the caller's."""
    events = [(span.start_ns, span, True) for span in spans] + [
        (span.end_ns, span, False) for span in spans if span.end_ns
    ]
    for _, span, start in sorted(events, key=lambda event: event[0]):
        if start:
            traces.started(opened(span, bare=bare), now)
        else:
            traces.ended(span, now)


def queries(closed: list[Closed]) -> list[str | None]:
    return [each.query if isinstance(each, RagRun) else each.code for each in closed]


def empty(traces: OpenTraces) -> bool:
    return (traces.open_count, traces.bytes, traces.next_deadline()) == (0, 0, None)


def test_run_closes_a_linger_after_its_root_has_ended() -> None:
    traces = OpenTraces()
    feed(traces, rag_trace())
    assert traces.next_deadline() == 1.0
    assert traces.due(0.99) == []
    assert traces.due(1.0) == assemble(rag_trace())
    assert empty(traces)


def test_each_start_and_end_inside_the_run_restarts_the_linger() -> None:
    traces = OpenTraces()
    spans = rag_trace()
    feed(traces, spans)
    late = replace(spans[1], span_id="f" * 16, parent_id=spans[0].span_id)
    traces.started(opened(late), 0.9)
    assert traces.due(1.8) == []
    traces.ended(late, 1.8)
    assert traces.due(2.7) == []
    assert traces.due(2.8) == assemble([*spans, late])


def test_server_span_without_content_is_never_waited_for() -> None:
    spans = rag_trace(under="GET /ask")
    traces = OpenTraces()
    server, *rest = spans
    traces.started(opened(server), 0.0)
    feed(traces, rest)
    closed = traces.due(1.0)
    assert closed == assemble(spans)
    assert (traces.open_count, traces.late) == (1, 0)
    traces.ended(server, 500.0)
    assert empty(traces)


@pytest.mark.parametrize("bare", [False, True])
def test_open_ancestor_that_belongs_to_runs_is_waited_for(bare: bool) -> None:  # noqa: FBT001
    spans = [replace(span, scope=INSTRUMENTED) for span in rag_trace()]
    root, *rest = spans
    traces = OpenTraces()
    traces.started(opened(root, bare=bare), 0.0)
    feed(traces, rest, bare=bare)
    assert traces.due(100.0) == []
    traces.ended(root, 100.0)
    assert traces.due(101.0) == assemble(spans)


def test_overlapping_runs_under_a_websocket_come_out_as_each_closes() -> None:
    tracing = Tracing()
    server = tracing.span("websocket", kind=2)
    traces = OpenTraces()
    traces.started(server, 0.0)
    roots = [tracing.span("chain", server, attributes=chain(f"Question {number}?")) for number in range(6)]
    answered: list[str | None] = []
    for number, root in enumerate(roots):
        now = float(number)
        traces.started(opened(root), now)
        if number:
            traces.ended(tracing.end(roots[number - 1]), now + 0.5)
        answered += queries(traces.due(now + 0.9))
    assert answered == [f"Question {number}?" for number in range(4)]
    traces.ended(tracing.end(roots[5]), 6.0)
    assert queries(traces.due(7.0)) == ["Question 4?", "Question 5?"]
    assert traces.open_count == 1
    traces.ended(tracing.end(server), 9.0)
    assert empty(traces)


def test_loose_calls_under_an_open_span_close_when_none_is_open() -> None:
    tracing = Tracing()
    handler = tracing.span("handle", kind=2)
    traces = OpenTraces()
    traces.started(handler, 0.0)
    search = tracing.span("retriever", handler, attributes=retriever(*TEXTS))
    traces.started(opened(search), 0.0)
    traces.ended(tracing.end(search), 0.1)
    model = tracing.span("model", handler, attributes=llm())
    traces.started(opened(model), 0.2)
    assert traces.due(60.0) == []
    traces.ended(tracing.end(model), 60.0)
    (run,) = traces.due(61.0)
    assert isinstance(run, RagRun)
    assert (run.query, run.answer, run.complete) == (QUERY, ANSWER, True)


def test_loose_calls_of_handlers_under_one_socket_close_apart() -> None:
    tracing = Tracing()
    server = tracing.span("websocket", kind=2)
    traces = OpenTraces()
    traces.started(server, 0.0)
    for number in range(3):
        handler = tracing.span("message", server)
        traces.started(handler, float(number))
        for attributes in (retriever(f"Text {number}."), llm(query=f"Question {number}?")):
            span = tracing.span("call", handler, attributes=attributes)
            traces.started(opened(span), float(number))
            traces.ended(tracing.end(span), float(number))
        if number < 2:
            traces.ended(tracing.end(handler), float(number))
    assert queries(traces.due(2.0)) == ["Question 0?", "Question 1?"]
    assert queries(traces.due(3.0)) == ["Question 2?"]


def test_straggler_is_counted_and_makes_no_second_run() -> None:
    traces = OpenTraces()
    spans = rag_trace()
    feed(traces, spans)
    assert len(traces.due(1.0)) == 1
    straggler = replace(spans[2], span_id="e" * 16, parent_id=spans[0].span_id)
    below = replace(spans[2], span_id="d" * 16, parent_id="e" * 16)
    feed(traces, [straggler, below], 5.0)
    traces.ended(spans[0], 5.0)
    assert (traces.late, traces.due(100.0)) == (3, [])
    assert empty(traces)


def test_span_that_turns_out_to_be_the_root_of_runs_given_out_makes_no_second_run() -> None:
    tracing = Tracing()
    outer = tracing.span("mine")
    traces = OpenTraces()
    traces.started(outer, 0.0)
    model = tracing.span("model", outer, attributes=llm())
    traces.started(opened(model), 0.0)
    traces.ended(tracing.end(model), 0.0)
    assert len(traces.due(1.0)) == 1
    traces.ended(tracing.end(outer, attributes=chain()), 5.0)
    assert (traces.due(100.0), traces.late) == ([], 1)
    assert empty(traces)


def test_trace_without_a_part_in_runs_is_forgotten_when_it_is_over() -> None:
    tracing = Tracing()
    server = tracing.span("GET /", kind=2)
    for _ in range(50):
        tracing.end(tracing.span("SELECT", server, kind=3, attributes={"db.statement": "select 1"}))
    traces = OpenTraces()
    feed(traces, tracing.done())
    assert (traces.open_count, traces.bytes) == (0, 0)


def test_span_that_never_ends_is_forgotten_at_the_greatest_age() -> None:
    traces = OpenTraces()
    traces.started(opened(rag_trace(under="GET /")[0]), 0.0)
    assert traces.next_deadline() == 300.0
    assert traces.due(301.0) == []
    assert empty(traces)


def test_run_that_never_ends_is_dropped_at_the_greatest_age() -> None:
    traces = OpenTraces()
    root = rag_trace()[0]
    traces.started(opened(root), 0.0)
    assert traces.due(299.0) == []
    assert traces.due(300.0) == [Dropped(trace_id=TRACE, target_span_id=root.span_id, code="too_large")]
    traces.ended(root, 301.0)
    assert (traces.due(400.0), traces.late) == ([], 1)
    assert empty(traces)


def test_lost_span_spoils_what_is_open_of_its_trace_and_what_comes_after() -> None:
    traces = OpenTraces()
    spans = rag_trace()
    root, *rest = spans
    traces.started(opened(root), 0.0)
    feed(traces, rag_trace(OTHER), 0.0)
    traces.lost(TRACE, 0.1)
    feed(traces, rest, 0.2)
    traces.ended(root, 0.3)
    closed = traces.due(10.0)
    assert Dropped(trace_id=TRACE, target_span_id=root.span_id, code="trace_spoiled") in closed
    assert [each.query for each in closed if isinstance(each, RagRun)] == [QUERY]
    assert len(closed) == 2


def test_trace_whose_first_span_was_lost_counts_once_and_is_never_judged() -> None:
    traces = OpenTraces()
    traces.lost(TRACE, 0.0)
    feed(traces, rag_trace(), 0.1)
    assert traces.due(10.0) == [Dropped(trace_id=TRACE, target_span_id="", code="inbox_full")]
    traces.due(300.0)
    feed(traces, rag_trace(), 400.0)
    assert queries(traces.due(401.0)) == [QUERY]


def test_loss_in_unknown_traces_spoils_all_that_are_open() -> None:
    traces = OpenTraces()
    for number in (1, 2):
        traces.started(opened(rag_trace(f"{number:032x}")[0]), 0.0)
    traces.lost_any(0.1)
    assert queries(traces.due(0.2)) == ["trace_spoiled", "trace_spoiled"]


@pytest.mark.parametrize("limits", [AssemblyLimits(max_spans_per_trace=2), AssemblyLimits(max_bytes_per_trace=2_000)])
def test_trace_beyond_its_bound_is_dropped_whole(limits: AssemblyLimits) -> None:
    traces = OpenTraces(limits)
    spans = rag_trace()
    feed(traces, spans)
    assert traces.due(10.0) == [Dropped(trace_id=TRACE, target_span_id=spans[0].span_id, code="too_large")]
    assert empty(traces)


def test_oldest_trace_makes_room_and_comes_out_if_it_is_over() -> None:
    traces = OpenTraces(AssemblyLimits(max_traces=1))
    feed(traces, rag_trace())
    second = rag_trace(OTHER)
    traces.started(opened(second[0]), 0.1)
    assert (traces.open_count, traces.next_deadline()) == (1, 0.0)
    assert queries(traces.due(0.2)) == [QUERY]
    feed(traces, rag_trace("2" * 32), 0.3)
    assert traces.due(0.4) == [Dropped(trace_id=OTHER, target_span_id=second[0].span_id, code="too_large")]


def test_trace_without_a_run_makes_room_first() -> None:
    traces = OpenTraces(AssemblyLimits(max_traces=2))
    feed(traces, rag_trace())
    bare = rag_trace(OTHER, under="GET /")[0]
    traces.started(opened(bare), 0.1)
    traces.started(opened(replace(bare, trace_id="2" * 32)), 0.2)
    assert traces.due(0.5) == []
    assert queries(traces.due(1.0)) == [QUERY]


def test_all_traces_together_stay_below_their_bound() -> None:
    traces = OpenTraces(AssemblyLimits(max_total_bytes=20_000))
    for number in range(1, 40):
        feed(traces, rag_trace(f"{number:032x}"))
        assert traces.bytes <= 20_000
    assert queries(traces.due(5.0)) == [QUERY] * 39


def test_memory_of_what_was_given_out_is_bounded() -> None:
    traces = OpenTraces(AssemblyLimits(max_remembered=5))
    for number in range(1, 10):
        feed(traces, rag_trace(f"{number:032x}"))
    traces.due(5.0)
    assert len(traces._given_out) == 5


def test_flush_gives_what_is_over_and_abandon_drops_the_rest() -> None:
    traces = OpenTraces()
    feed(traces, rag_trace())
    going = rag_trace(OTHER)[0]
    traces.started(opened(going), 0.0)
    assert queries(traces.flush(0.1)) == [QUERY]
    assert traces.open_count == 1
    assert traces.abandon(0.2) == [Dropped(trace_id=OTHER, target_span_id=going.span_id, code="shutdown")]
    assert empty(traces)


def test_trace_from_a_network_closes_after_silence_in_whatever_order_it_came() -> None:
    traces = OpenTraces(AssemblyLimits(silence_s=10.0))
    spans = rag_trace(under="GET /ask")
    for now, span in enumerate(reversed(spans)):
        traces.ended(span, float(now))
    assert traces.due(12.9) == []
    assert traces.due(13.0) == assemble(spans)
    assert empty(traces)


def test_parent_that_came_first_from_a_network_still_joins_its_children() -> None:
    tracing = Tracing()
    root = tracing.span("chain", attributes=chain())
    client = tracing.span("POST", root, kind=3)
    server = tracing.span("POST", client, kind=2, parent_is_remote=True)
    tracing.span("retriever", server, attributes=retriever(*TEXTS))
    spans = tracing.done()
    traces = OpenTraces(AssemblyLimits(silence_s=10.0))
    for now, span in zip((0.0, 9.0, 18.0, 27.0), (spans[1], spans[2], spans[3], spans[0]), strict=True):
        assert traces.due(now) == []
        traces.ended(span, now)
    assert traces.due(37.0) == assemble(spans)


def test_trace_from_a_network_that_is_never_silent_closes_at_the_greatest_age() -> None:
    traces = OpenTraces(AssemblyLimits(silence_s=10.0, max_age_s=30.0))
    closed: list[Closed] = []
    for now in range(0, 40, 5):
        root, *_ = rag_trace(prefix=f"{now:02d}")
        traces.ended(root, float(now))
        closed += traces.due(float(now))
    assert len(closed) == 2
    assert len(traces.due(100.0)) == 6


def test_our_own_spans_are_left_alone() -> None:
    traces = OpenTraces()
    tracing = Tracing()
    tracing.span("evaluate faithfulness", scope="spanjudge", attributes=kind("EVALUATOR"))
    feed(traces, tracing.done())
    assert empty(traces)


def test_duplicate_of_a_run_that_still_goes_on_waits_for_it() -> None:
    tracing = Tracing()
    server = tracing.span("GET /ask", kind=2)
    root = tracing.span("chain", server, attributes=chain(), scope="first")
    traces = OpenTraces()
    for span in (server, root):
        traces.started(opened(span), 0.0)
    for parent, scope in ((root, "first"), (server, "second")):
        model = tracing.span("model", parent, attributes=llm(), scope=scope)
        traces.started(opened(model), 0.0)
        traces.ended(tracing.end(model), 0.0)
    assert traces.due(50.0) == []
    traces.ended(tracing.end(root), 50.0)
    assert queries(traces.due(51.0)) == [QUERY]
    assert traces.due(100.0) == []


@given(st.permutations([0] * 6 + [1] * 6 + [2] * 6))
@settings(deadline=None, max_examples=40)
def test_traces_that_interleave_in_any_way_give_the_runs_of_each(turns: list[int]) -> None:
    sources = [rag_trace(f"{number + 1:032x}") for number in range(3)]
    waiting = []
    for spans in sources:
        events = [(span.start_ns, opened(span)) for span in spans] + [(span.end_ns, span) for span in spans]
        waiting.append([span for _, span in sorted(events, key=lambda event: event[0])])
    traces = OpenTraces()
    for turn in turns:
        span = waiting[turn].pop(0)
        (traces.ended if span.end_ns else traces.started)(span, 0.0)
    closed = traces.due(1.0)
    expected = [run for spans in sources for run in assemble(spans)]
    assert sorted(map(repr, closed)) == sorted(map(repr, expected))
    assert empty(traces)


@given(st.lists(st.tuples(records, st.booleans(), st.floats(0, 2)), max_size=12))
@settings(deadline=None)
def test_any_spans_in_any_order_leave_nothing_behind(events: list[tuple[SpanRecord, bool, float]]) -> None:
    traces = OpenTraces(AssemblyLimits(max_spans_per_trace=5, max_age_s=4.0))
    now = 0.0
    for span, start, step in events:
        now += step
        (traces.started if start else traces.ended)(span, now)
        traces.due(now)
    assert all(isinstance(each, RagRun | Dropped) for each in traces.abandon(now))
    assert (traces.open_count, traces.bytes) == (0, 0)


def test_chain_that_only_fetches_waits_for_the_model_call_beside_it() -> None:
    tracing = Tracing()
    handler = tracing.span("handle", kind=2)
    root = tracing.span("fetch", handler, attributes=chain(QUERY, "\n\n".join(TEXTS)))
    tracing.end(tracing.span("retriever", root, attributes=retriever(*TEXTS)))
    tracing.end(root)
    model = tracing.span("model", handler, attributes=llm())
    traces = OpenTraces()
    feed(traces, tracing.spans)
    assert traces.due(50.0) == []
    traces.ended(tracing.end(model), 50.0)
    traces.ended(tracing.end(handler), 50.0)
    assert traces.due(51.0) == assemble(tracing.spans)


def test_log_records_join_their_span_before_or_after_its_end() -> None:
    asked = LogPart("gen_ai.user.message", {"content": QUERY})
    said = LogPart("gen_ai.choice", {"message": {"content": ANSWER}})
    tracing = Tracing()
    model = tracing.span("chat", attributes={"gen_ai.operation.name": "chat"})
    traces = OpenTraces()
    traces.started(model, 0.0)
    traces.logged(TRACE, model.span_id, asked, 0.1)
    model = tracing.end(model)
    traces.ended(model, 0.2)
    traces.logged(TRACE, model.span_id, said, 0.9)
    assert traces.due(1.5) == []
    (run,) = traces.due(1.9)
    assert run == assemble([replace(model, logs=(asked, said))])[0]
    traces.logged(TRACE, model.span_id, said, 3.0)
    traces.logged(OTHER, model.span_id, said, 3.0)
    assert (traces.late, traces.open_count, traces.bytes) == (1, 0, 0)


def test_span_becomes_part_of_a_run_by_a_log_record() -> None:
    tracing = Tracing()
    span = tracing.span("handle")
    traces = OpenTraces()
    traces.started(span, 0.0)
    traces.logged(TRACE, span.span_id, LogPart("gen_ai.choice", {"message": {"content": ANSWER}}), 0.1)
    traces.ended(tracing.end(span), 0.2)
    (run,) = traces.due(1.2)
    assert isinstance(run, RagRun)
    assert run.answer == ANSWER


def test_log_records_count_towards_the_bound_of_their_trace() -> None:
    traces = OpenTraces(AssemblyLimits(max_bytes_per_trace=5_000))
    root = rag_trace()[0]
    traces.started(opened(root), 0.0)
    traces.logged(TRACE, root.span_id, LogPart("gen_ai.choice", "x" * 6_000), 0.1)
    assert queries(traces.due(0.2)) == ["too_large"]
    assert empty(traces)

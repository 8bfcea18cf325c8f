"""From the inbox to assembled runs: own spans aside, losses first, one odd span never in the way of the others."""

from __future__ import annotations

from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor, TracerProvider
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

from rag_calls import ANSWER, QUESTION, rag_call
from spanjudge import inbox as module
from spanjudge.assembly import AssemblyLimits, Dropped, OpenTraces
from spanjudge.guard import Guard
from spanjudge.inbox import Inbox
from spanjudge.intake import STEP, Intake
from spanjudge.ledger import Ledger
from spanjudge.model import RagRun

QUIET = 0xABC


class _Tap(SpanProcessor):
    """Keeps starts and ends in the order in which the application makes them."""

    def __init__(self) -> None:
        self.seen: list[ReadableSpan] = []

    def on_start(self, span: Span, parent_context: Any = None) -> None:
        del parent_context
        self.seen.append(span)

    def on_end(self, span: ReadableSpan) -> None:
        self.seen.append(span)


class Desk:
    """An intake with all that it is given, on a clock of numbers."""

    def __init__(self, capacity: int = 1000) -> None:
        self.inbox = Inbox(capacity, lambda: True)
        self.inbox.open()
        self.ledger = Ledger()
        self.guard = Guard(lambda: 0.0)
        self.left_out = 0
        self.intake = Intake(
            self.inbox,
            OpenTraces(AssemblyLimits()),
            self.ledger,
            self.guard,
            not_taken=lambda: self.left_out,
            quiet_trace_id=QUIET,
        )
        self.provider = TracerProvider(shutdown_on_exit=False)
        self.tap = _Tap()
        self.provider.add_span_processor(self.tap)

    def offer(self, *spans: ReadableSpan) -> None:
        for span in spans or self.tap.seen:
            if len(self.inbox.spans) < self.inbox.room:
                self.inbox.spans.append(span)
            else:
                self.inbox.crowded(span, span.context.trace_id if span.context else 0)

    def read(self, now: float = 0.0) -> None:
        while self.intake.step(now):
            pass


def test_call_becomes_a_run_after_the_linger() -> None:
    desk = Desk()
    rag_call(desk.provider.get_tracer("application"))
    desk.offer()
    desk.read(0.0)
    assert desk.intake.due(0.5) == []
    (run,) = desk.intake.due(1.5)
    assert isinstance(run, RagRun)
    assert (run.query, run.answer, run.complete) == (QUESTION, ANSWER, True)
    assert desk.ledger.traces == {"taken": 1}


def test_step_takes_a_bounded_number_of_spans() -> None:
    desk = Desk()
    for _ in range(STEP):
        rag_call(desk.provider.get_tracer("application"))
    desk.offer()
    waiting = len(desk.inbox.spans)
    assert desk.intake.step(0.0)
    assert len(desk.inbox.spans) == waiting - STEP


def test_our_own_spans_and_the_judges_are_never_part_of_a_run() -> None:
    desk = Desk()
    rag_call(desk.provider.get_tracer("spanjudge"))
    quiet = set_span_in_context(NonRecordingSpan(SpanContext(QUIET, 1, is_remote=False, trace_flags=TraceFlags(0))))
    desk.provider = TracerProvider(shutdown_on_exit=False)
    desk.provider.add_span_processor(desk.tap)
    with_quiet_parent = desk.provider.get_tracer("openai").start_span("chat", context=quiet)
    with_quiet_parent.set_attribute("openinference.span.kind", "LLM")
    with_quiet_parent.end()
    desk.offer(*(span for span in desk.tap.seen if span.context))
    desk.read()
    assert desk.intake.flush(0.0) == []
    assert desk.ledger.traces == {}


def test_traces_that_lost_a_span_are_dropped_whole() -> None:
    desk = Desk(capacity=4)
    rag_call(desk.provider.get_tracer("application"))
    desk.offer()
    desk.read()
    (dropped,) = desk.intake.flush(0.0)
    assert isinstance(dropped, Dropped)
    assert dropped.code == "inbox_full"
    assert desk.guard.counts == {"inbox": 1}
    assert desk.ledger.traces == {"taken": 1}


def test_trace_that_loses_a_span_after_others_were_read_is_spoiled() -> None:
    desk = Desk()
    rag_call(desk.provider.get_tracer("application"))
    desk.offer(*desk.tap.seen[:-1])
    desk.read()
    desk.inbox.close()
    desk.inbox = Inbox(0, lambda: False)
    lost = desk.tap.seen[-1]
    desk.inbox.crowded(lost, lost.context.trace_id if lost.context else 0)
    desk.intake._inbox = desk.inbox
    desk.read()
    assert [closed.code for closed in desk.intake.flush(0.0) if isinstance(closed, Dropped)] == ["trace_spoiled"]


def test_losses_of_unnamed_traces_drop_all_that_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    rag_call(desk.provider.get_tracer("application"))
    desk.offer()
    desk.read()
    monkeypatch.setattr(module, "MOST_LOST_TRACES", 0)
    desk.inbox._lose(ReadableSpan("root", context=SpanContext(7, 1, is_remote=False), end_time=1), 7)
    desk.read()
    assert [closed.code for closed in desk.intake.due(0.0) if isinstance(closed, Dropped)] == ["trace_spoiled"]
    assert desk.ledger.runs == {("dropped", "inbox_full"): 1}


def test_odd_span_is_counted_and_the_others_go_on() -> None:
    desk = Desk()
    rag_call(desk.provider.get_tracer("application"))
    desk.offer(object(), *desk.tap.seen)  # type: ignore[arg-type]
    desk.read()
    assert desk.guard.counts == {"intake": 1}
    assert len(desk.intake.flush(0.0)) == 1


def test_local_roots_left_out_are_passed_on_to_the_ledger() -> None:
    desk = Desk()
    desk.left_out = 7
    desk.read()
    assert desk.ledger.traces == {"not_taken": 7}


def test_abandoned_run_that_still_goes_on_is_dropped_at_shutdown() -> None:
    desk = Desk()
    span = desk.provider.get_tracer("application").start_span("chain", attributes={"openinference.span.kind": "CHAIN"})
    desk.offer()
    desk.read()
    (dropped,) = desk.intake.abandon(0.0)
    assert isinstance(dropped, Dropped)
    assert dropped.code == "shutdown"
    span.end()

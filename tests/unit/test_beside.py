"""What is kept beside a span reaches its run through the inbox, or spoils it; never half of it."""

from __future__ import annotations

from typing import Any

import pytest

from rag_calls import rag_call
from spanjudge import intake as module
from spanjudge.assembly import Dropped, OpenTraces
from spanjudge.guard import Guard
from spanjudge.inbox import Inbox
from spanjudge.intake import Intake
from spanjudge.ledger import Ledger
from spanjudge.semconv import ANSWER_PART, GROUND_TRUTH, RECORDED_ANSWER, REFERENCE_PART, SCOPE
from spanjudge.sources.beside import Beside
from spanjudge.sources.record import LogPart, SpanRecord

QUIET, TRACE, SPAN = 0xABC, 0xDEF, 0x123
STARTED = SpanRecord(trace_id=f"{TRACE:032x}", span_id=f"{SPAN:016x}", name="handle", start_ns=1)


def _answer(text: str = "an answer") -> LogPart:
    return LogPart(ANSWER_PART, attributes={RECORDED_ANSWER: text}, time_ns=2)


class Desk:
    """An intake with one span that is going on."""

    def __init__(self) -> None:
        self.inbox = Inbox(100, lambda: True)
        self.traces = OpenTraces()
        self.guard = Guard(lambda: 0.0)
        self.intake = Intake(self.inbox, self.traces, Ledger(), self.guard, not_taken=lambda: 0, quiet_trace_id=QUIET)
        self.traces.started(STARTED, 0.0)

    def take(self, part: Any, *, trace_id: int = TRACE, span_id: int = SPAN, scope: str = "") -> None:
        self.inbox.crowded(Beside(trace_id, span_id, scope, part), trace_id)
        while self.intake.step(0.0):
            pass

    def closed(self) -> list[Any]:
        self.traces.ended(STARTED_AND_ENDED, 0.0)
        return self.intake.flush(0.0)


STARTED_AND_ENDED = SpanRecord(trace_id=STARTED.trace_id, span_id=STARTED.span_id, name="handle", start_ns=1, end_ns=3)


def test_what_is_recorded_on_a_running_span_becomes_a_run() -> None:
    desk = Desk()
    desk.take(_answer)
    (run,) = desk.closed()
    assert run.answer == "an answer"


@pytest.mark.parametrize("item", [{"trace_id": QUIET}, {"scope": SCOPE}, {"span_id": 7}, {"trace_id": 7}])
def test_own_events_and_those_of_unknown_spans_are_let_by(item: dict[str, Any]) -> None:
    desk = Desk()
    desk.take(_answer, **item)
    assert desk.closed() == []


def test_part_that_cannot_be_read_spoils_its_trace() -> None:
    def broken() -> LogPart:
        message = "changed while it was copied"
        raise RuntimeError(message)

    desk = Desk()
    desk.take(_answer)
    desk.take(broken)
    assert desk.closed() == [Dropped(trace_id=STARTED.trace_id, target_span_id=STARTED.span_id, code="trace_spoiled")]
    assert desk.guard.counts == {"intake": 1}


def test_references_that_wait_for_their_spans_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_REFERENCES", 3)
    desk = Desk()
    for number in range(1, 9):
        desk.take(lambda: LogPart(REFERENCE_PART, attributes={GROUND_TRUTH: "right"}), span_id=number)
    assert [span_id for _, span_id in desk.intake._references] == [f"{number:016x}" for number in (6, 7, 8)]


def test_reference_is_let_go_with_its_span() -> None:
    from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider  # noqa: PLC0415

    seen: list[ReadableSpan] = []

    class Tap(SpanProcessor):
        def on_end(self, span: ReadableSpan) -> None:
            seen.append(span)

    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(Tap())
    chain = rag_call(provider.get_tracer("application"))
    desk = Desk()
    part = LogPart(REFERENCE_PART, attributes={GROUND_TRUTH: "right"})
    desk.take(lambda: part, trace_id=chain.trace_id, span_id=chain.span_id)
    for span in seen:
        desk.inbox.crowded(span, chain.trace_id)
    desk.intake.step(0.0)
    (run,) = desk.intake.flush(0.0)
    assert getattr(run, "ground_truth", None) == "right"
    assert not desk.intake._references

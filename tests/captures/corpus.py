"""The captured traces, what they hold, and ways to feed them."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spanjudge.assembly import AssemblyLimits, Closed, OpenTraces
from spanjudge.model import RagRun
from spanjudge.sources.file import read_spans

if TYPE_CHECKING:
    from spanjudge.sources.record import SpanRecord

FOLDER = Path(__file__).parent
EXPECTED: dict[str, dict[str, Any]] = {
    entry["file"]: entry for entry in json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
}


@cache
def spans_of(file: str) -> tuple[SpanRecord, ...]:
    return tuple(read_spans(FOLDER / file))


def bare_start(span: SpanRecord) -> SpanRecord:
    """A span as it is at its start, where the instrumentation sets its attributes at the end."""
    return replace(span, attributes={}, events=(), logs=(), end_ns=0, error=False)


def full_start(span: SpanRecord) -> SpanRecord:
    """A span as it is at its start, where all attributes are there at once."""
    return replace(span, events=(), logs=(), end_ns=0, error=False)


def stream(spans: tuple[SpanRecord, ...], start: Any = full_start) -> tuple[list[Closed], OpenTraces]:
    """Feed spans as a process would, by the clock that their times tell, and wait until all is closed."""
    traces = OpenTraces(AssemblyLimits())
    events = [(span.start_ns, 1, index, start(span)) for index, span in enumerate(spans)]
    events += [(span.end_ns, 0 if span.end_ns > span.start_ns else 2, index, span) for index, span in enumerate(spans)]
    closed: list[Closed] = []
    first = min(event[0] for event in events)
    now = 0.0
    for time_ns, _, _, span in sorted(events, key=lambda event: event[:3]):
        now = (time_ns - first) / 1e9
        while (deadline := traces.next_deadline()) is not None and deadline <= now:
            closed += traces.due(deadline)
        (traces.ended if span.end_ns else traces.started)(span, now)
    for _ in range(100):
        deadline = traces.next_deadline()
        if deadline is None:
            break
        now = max(now, deadline)
        closed += traces.due(now)
    return closed, traces


def runs_only(closed: list[Closed]) -> list[RagRun]:
    assert all(isinstance(each, RagRun) for each in closed), closed
    return [each for each in closed if isinstance(each, RagRun)]

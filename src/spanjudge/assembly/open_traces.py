"""Runs out of spans that come in one by one: closed when they are over, bounded in time, number and bytes."""

from __future__ import annotations

import heapq
from collections import OrderedDict, deque
from itertools import islice
from typing import TYPE_CHECKING, Final

from spanjudge import semconv
from spanjudge.assembly.boundary import runs_in
from spanjudge.assembly.build import runs_of
from spanjudge.assembly.duplicates import Trail, is_duplicate, trail_of
from spanjudge.assembly.limits import AssemblyLimits, Closed, Dropped
from spanjudge.assembly.open_trace import OpenTrace
from spanjudge.assembly.torn import marked
from spanjudge.assembly.tree import forest_of
from spanjudge.dialects.reading import AS_IT_STANDS, Reading
from spanjudge.dialects.registry import is_rag

if TYPE_CHECKING:
    from spanjudge.assembly.held import Group, Held
    from spanjudge.semconv import DropCode
    from spanjudge.sources.record import LogPart, SpanRecord

_TRAILS: Final = 256
_ERRORS: Final = 16
_SPOILED: Final = 100_000
_EVICTION_LOOK: Final = 64


class OpenTraces:
    """The traces that are open, driven by the caller's clock; no threads, no waiting, nothing is read or written.

    Args:
        limits: Bounds of time, number and bytes.
        reading: How spans are read.
    """

    def __init__(self, limits: AssemblyLimits | None = None, *, reading: Reading = AS_IT_STANDS) -> None:
        self._limits = limits or AssemblyLimits()
        self._reading = reading
        self._traces: dict[str, OpenTrace] = {}
        self._deadlines: list[tuple[float, str]] = []
        self._closed: list[Closed] = []
        self._given_out: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._spoiled: OrderedDict[str, tuple[DropCode, float, bool]] = OrderedDict()
        self._trails: deque[Trail] = deque(maxlen=_TRAILS)
        self.errors: deque[Exception] = deque(maxlen=_ERRORS)
        self.bytes = 0
        self.late = 0

    @property
    def open_count(self) -> int:
        """Number of traces that are open."""
        return len(self._traces)

    def started(self, span: SpanRecord, now: float) -> None:
        """Take in the start of a span.

        Args:
            span: The span as it is at its start.
            now: Seconds on the caller's clock, never less than before.
        """
        self._put(span, is_open=True, now=now)

    def ended(self, span: SpanRecord, now: float) -> None:
        """Take in an ended span.

        Args:
            span: The span.
            now: Seconds on the caller's clock, never less than before.
        """
        self._put(span, is_open=False, now=now)

    def logged(self, trace_id: str, span_id: str, part: LogPart, now: float) -> None:
        """Take in a log record that bears a span's id.

        Args:
            trace_id: The trace's id.
            span_id: The span's id; the span must have started and its run must not be closed yet.
            part: The log record.
            now: Seconds on the caller's clock, never less than before.
        """
        trace = self._traces.get(trace_id)
        before = trace.bytes if trace else 0
        if trace is None or not trace.add_log(span_id, part, now):
            self.late += (trace_id, span_id) in self._given_out
            return
        self.bytes += trace.bytes - before
        self._admit(trace, now)

    def lost(self, trace_id: str, now: float) -> None:
        """Note that a span of a trace was lost: its runs are dropped, and what comes of it later is left alone.

        A trace of which nothing was read yet may have held a run: it is dropped once, as ``inbox_full``.
        """
        self._spoil(trace_id, "trace_spoiled", now)
        code, until, reported = self._spoiled[trace_id]
        if not reported:
            self._spoiled[trace_id] = (code, until, True)
            self._closed.append(self._dropped(trace_id, "", "inbox_full"))

    def lost_any(self, now: float) -> None:
        """Note that spans of unknown traces were lost: everything that is open is dropped."""
        for trace_id in list(self._traces):
            self._spoil(trace_id, "trace_spoiled", now)

    def due(self, now: float) -> list[Closed]:
        """Return what is over by now: runs, and what had to be dropped."""
        while self._deadlines and self._deadlines[0][0] <= now:
            at, trace_id = heapq.heappop(self._deadlines)
            trace = self._traces.get(trace_id)
            if trace is None or trace.scheduled != at:
                continue
            trace.scheduled = None
            self._settle(trace, now)
        while self._spoiled and next(iter(self._spoiled.values()))[1] <= now:
            self._spoiled.popitem(last=False)
        return self._take_closed()

    def flush(self, now: float) -> list[Closed]:
        """Return every run whose root has ended, without waiting for stragglers; what still goes on stays open."""
        traces = list(self._traces.values())
        for trace in traces:
            self._close(trace, [group for group in trace.groups() if group.over and group.whole])
        for trace in traces:
            self._close(trace, [group for group in trace.groups() if group.over])
            self._tidy(trace, now)
        return self._take_closed()

    def abandon(self, now: float) -> list[Closed]:
        """Return every run whose root has ended; what still goes on is dropped with code ``shutdown``."""
        closed = self.flush(now)
        for trace in list(self._traces.values()):
            closed += [
                self._dropped(trace.trace_id, group.tops[0].span.span_id, "shutdown") for group in trace.groups()
            ]
            self._forget(trace)
        return closed

    def next_deadline(self) -> float | None:
        """When ``due`` should be called next: never too late, sometimes early."""
        if self._closed:
            return 0.0
        while self._deadlines:
            at, trace_id = self._deadlines[0]
            trace = self._traces.get(trace_id)
            if trace is not None and trace.scheduled == at:
                return at
            heapq.heappop(self._deadlines)
        return None

    def _put(self, span: SpanRecord, *, is_open: bool, now: float) -> None:
        if span.scope == semconv.SCOPE:
            return
        if span.trace_id in self._spoiled:
            self._report_spoiled(span)
            return
        if self._is_late(span):
            self.late += not is_open
            self._remember(span)
            return
        trace = self._traces.get(span.trace_id)
        if trace is None:
            trace = self._traces[span.trace_id] = OpenTrace(span.trace_id, now, self._reading)
        before = trace.bytes
        held = trace.put(span, is_open=is_open, now=now, keep_bare=self._limits.silence_s is not None)
        self.bytes += trace.bytes - before
        if held is not None and held.spent and held.rag:
            # It turned out to be the root of runs that have been given out already.
            self.late += 1
            self._let_go(trace, [held])
        self._admit(trace, now)

    def _admit(self, trace: OpenTrace, now: float) -> None:
        """See that a trace that has grown stays in its bounds, and is looked at in time."""
        limits = self._limits
        if len(trace) > limits.max_spans_per_trace or trace.bytes > limits.max_bytes_per_trace:
            self._spoil(trace.trace_id, "too_large", now)
            return
        if trace.idle and limits.silence_s is None:
            self._forget(trace)
        else:
            self._schedule(trace, now + self._pause(trace))
        while len(self._traces) > limits.max_traces or self.bytes > limits.max_total_bytes:
            self._evict(now)

    def _pause(self, trace: OpenTrace) -> float:
        limits = self._limits
        if not trace.rag:
            return limits.max_age_s if limits.silence_s is None else limits.silence_s
        return limits.linger_s if limits.silence_s is None else limits.silence_s

    def _schedule(self, trace: OpenTrace, at: float) -> None:
        if trace.scheduled is None or at < trace.scheduled:
            trace.scheduled = at
            heapq.heappush(self._deadlines, (at, trace.trace_id))

    def _settle(self, trace: OpenTrace, now: float) -> None:
        """Close what is over in a trace; those with a root of their own first, so that their duplicates are known."""
        limits = self._limits
        if limits.silence_s is not None and trace.touched + limits.silence_s > now < trace.since + limits.max_age_s:
            self._schedule(trace, min(trace.touched + limits.silence_s, trace.since + limits.max_age_s))
            return
        ready: list[Group] = []
        waiting: list[Group] = []
        again = now + limits.max_age_s
        for group in sorted(trace.groups(), key=trace.may_be_part):
            over_at = (
                trace.touched + limits.silence_s if limits.silence_s is not None else group.touched + limits.linger_s
            )
            old = group.since + limits.max_age_s <= now
            if not group.over:
                if old:
                    self._closed.append(self._dropped(trace.trace_id, group.tops[0].span.span_id, "too_large"))
                    self._let_go(trace, group.members)
                else:
                    again = min(again, group.since + limits.max_age_s)
                    waiting.append(group)
            elif not old and over_at > now:
                again = min(again, over_at, group.since + limits.max_age_s)
                waiting.append(group)
            elif not old and trace.may_be_part(group) and self._is_inside(group, waiting, trace):
                again = min(again, now + limits.linger_s)
                waiting.append(group)
            else:
                ready.append(group)
        self._close(trace, ready)
        self._tidy(trace, now)
        if trace.trace_id in self._traces:
            self._schedule(trace, again)

    def _is_inside(self, group: Group, waiting: list[Group], trace: OpenTrace) -> bool:
        """Whether spans may prove to be duplicates or parts of a run that is not over yet."""
        around = [other for other in waiting if other.whole]
        if group.stray:
            scopes = {top.span.scope for top in group.tops}
            others = [other for other in self._traces.values() if other is not trace and other.rag]
            around += [
                other
                for each in others
                for other in each.groups()
                if other.whole and other.tops[0].span.scope not in scopes
            ]
        return any(
            other.start_ns <= group.start_ns and (not other.end_ns or group.end_ns <= other.end_ns) for other in around
        )

    def _close(self, trace: OpenTrace, groups: list[Group]) -> None:
        if not groups:
            return
        members = [held for group in groups for held in group.members]
        try:
            self._give_out(trace, groups, members)
        except Exception as error:  # noqa: BLE001 - one trace that cannot be read must not stop the others
            self.errors.append(error)
            self._closed += [
                self._dropped(trace.trace_id, group.tops[0].span.span_id, "trace_spoiled") for group in groups
            ]
            self._let_go(trace, members)

    def _give_out(self, trace: OpenTrace, groups: list[Group], members: list[Held]) -> None:
        around = {
            held.span.span_id: held
            for group in groups
            for top in group.tops
            for held in trace.above(top.span.parent_id)
        }
        spans = [held.span for held in (*members, *around.values())]
        if self._limits.silence_s is not None and sum(held.rag for held in members) == trace.rag:
            # What stands beside the runs may show that a span between was lost.
            spans = trace.spans()
        forest = forest_of(spans, self._reading.plain)
        wholes, loose = marked(*runs_in(forest, self._reading), forest)
        self._trails.extend(map(trail_of, wholes))
        views = wholes + [view for view in loose if not is_duplicate(view, self._trails)]
        runs = [run for view in views for run in runs_of(view)]
        runs.sort(key=lambda run: (run.started_ns, run.run_id))
        self._closed += runs
        for held in around.values():
            held.spend()
        self._let_go(trace, members)

    def _let_go(self, trace: OpenTrace, members: list[Held]) -> None:
        before = trace.bytes
        trace.take(members)
        self.bytes -= before - trace.bytes
        for held in members:
            self._remember(held.span)

    def _tidy(self, trace: OpenTrace, now: float) -> None:
        before = trace.bytes
        trace.prune(now - self._limits.max_age_s)
        self.bytes -= before - trace.bytes
        if trace.idle:
            self._forget(trace)

    def _forget(self, trace: OpenTrace) -> None:
        self.bytes -= trace.bytes
        self._traces.pop(trace.trace_id, None)

    def _is_late(self, span: SpanRecord) -> bool:
        known = self._given_out
        return (span.trace_id, span.span_id) in known or (
            span.parent_id is not None and (span.trace_id, span.parent_id) in known
        )

    def _remember(self, span: SpanRecord) -> None:
        self._given_out[span.trace_id, span.span_id] = None
        while len(self._given_out) > self._limits.max_remembered:
            self._given_out.popitem(last=False)

    def _spoil(self, trace_id: str, code: DropCode, now: float) -> None:
        trace = self._traces.get(trace_id)
        groups = trace.groups() if trace else []
        self._closed += [self._dropped(trace_id, group.tops[0].span.span_id, code) for group in groups]
        if trace:
            self._forget(trace)
        reported = bool(groups) or self._spoiled.pop(trace_id, ("", 0.0, False))[2]
        self._spoiled[trace_id] = (code, now + self._limits.max_age_s, reported)
        while len(self._spoiled) > _SPOILED:
            self._spoiled.popitem(last=False)

    def _report_spoiled(self, span: SpanRecord) -> None:
        """Count the run of a spoiled trace when the first span with a part in a run shows that there is one."""
        code, until, reported = self._spoiled[span.trace_id]
        if not reported and is_rag(span, self._reading.plain):
            self._spoiled[span.trace_id] = (code, until, True)
            self._closed.append(self._dropped(span.trace_id, "", code))

    def _evict(self, now: float) -> None:
        """Make room: a trace without any run goes first, then the oldest, whose runs come out if they are over."""
        oldest = next(iter(self._traces.values()))
        trace = next((each for each in islice(self._traces.values(), _EVICTION_LOOK) if not each.rag), oldest)
        groups = trace.groups()
        self._close(trace, [group for group in groups if group.over])
        if any(not group.over for group in groups):
            self._spoil(trace.trace_id, "too_large", now)
        else:
            self._forget(trace)

    def _take_closed(self) -> list[Closed]:
        closed, self._closed = self._closed, []
        return closed

    @staticmethod
    def _dropped(trace_id: str, span_id: str, code: DropCode) -> Dropped:
        return Dropped(trace_id=trace_id, target_span_id=span_id, code=code)

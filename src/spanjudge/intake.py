"""From the inbox to assembled runs, one bounded step at a time."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from opentelemetry.sdk.trace import Span

from spanjudge import semconv
from spanjudge.sources.beside import Beside
from spanjudge.sources.sdk import to_record

if TYPE_CHECKING:
    from collections.abc import Callable

    from opentelemetry.sdk.trace import ReadableSpan

    from spanjudge.assembly import Closed, OpenTraces
    from spanjudge.guard import Guard
    from spanjudge.inbox import Inbox, Losses, Waiting
    from spanjudge.ledger import Ledger

STEP: Final = 64
MOST_REFERENCES: Final = 2_000


class Intake:
    """Reads the inbox on the worker's thread.

    Args:
        inbox: Where the application leaves spans.
        traces: Where they become runs.
        ledger: Where traces are counted.
        guard: Where trouble with a single span is noted.
        not_taken: Returns how many local roots the hot test has left out since it was last asked.
        quiet_trace_id: Trace under which our judge calls run; its spans are ours.
    """

    def __init__(
        self,
        inbox: Inbox,
        traces: OpenTraces,
        ledger: Ledger,
        guard: Guard,
        *,
        not_taken: Callable[[], int],
        quiet_trace_id: int,
    ) -> None:
        self._inbox = inbox
        self._traces = traces
        self._ledger = ledger
        self._guard = guard
        self._not_taken = not_taken
        self._quiet_trace_id = quiet_trace_id
        self._references: OrderedDict[tuple[str, str], object] = OrderedDict()

    def step(self, now: float) -> bool:
        """Take a few spans in; return whether more wait.

        Losses are looked at first: what was lost before the spans that are read now spoils their traces.
        """
        self._ledger.trace("not_taken", self._not_taken())
        self._spoil_lost(self._inbox.take_losses(), now)
        for item in self._inbox.take(STEP):
            try:
                self._take(item, now)
            except Exception as error:  # noqa: BLE001 - one odd span must not stop the others
                self._guard.caught("intake", error)
                self._spoil(item, now)
        return bool(self._inbox.spans)

    def _spoil_lost(self, losses: Losses, now: float) -> None:
        """Drop and count what lost a span. A lost local root was taken by the hot test all the same."""
        if not losses.items:
            return
        self._guard.tell("inbox", f"The inbox was full: {losses.items} spans lost, their traces will not be judged.")
        self._ledger.trace("taken", losses.roots)
        for trace_id in losses.traces:
            self._traces.lost(f"{trace_id:032x}", now)
        if losses.unnamed:
            self._traces.lost_any(now)
        for _ in range(losses.unnamed_roots):
            self._ledger.run(None, "dropped", "inbox_full")

    def due(self, now: float) -> list[Closed]:
        """Return the runs that are closed by now."""
        closed = self._traces.due(now)
        while self._traces.errors:
            self._guard.caught("assembly", self._traces.errors.popleft())
        return closed

    def flush(self, now: float) -> list[Closed]:
        """Return the runs whose outermost span has ended, without waiting for stragglers."""
        return self._traces.flush(now)

    def abandon(self, now: float) -> list[Closed]:
        """Close everything; runs that are still going on come out as dropped."""
        return self._traces.abandon(now)

    def _take(self, item: Waiting, now: float) -> None:
        if isinstance(item, Beside):
            self._take_beside(item, now)
        else:
            self._take_span(item, now)

    def _take_span(self, span: ReadableSpan, now: float) -> None:
        scope = span.instrumentation_scope
        context = span.context
        if context is None or context.trace_id == self._quiet_trace_id or (scope and scope.name == semconv.SCOPE):
            return
        record = to_record(span)
        if isinstance(span, Span):
            self._traces.started(record, now)
            return
        if record.parent_id is None or record.parent_is_remote:
            self._ledger.trace("taken")
        reference = self._references.pop((record.trace_id, record.span_id), None)
        if reference is not None:
            record = replace(record, attributes={**record.attributes, semconv.GROUND_TRUTH: reference})
        self._traces.ended(record, now)

    def _take_beside(self, item: Beside, now: float) -> None:
        if item.trace_id == self._quiet_trace_id or item.scope == semconv.SCOPE:
            return
        trace_id, span_id, part = f"{item.trace_id:032x}", f"{item.span_id:016x}", item.part()
        if part.event_name != semconv.REFERENCE_PART:
            self._traces.logged(trace_id, span_id, part, now)
            return
        # A reference makes no run: it waits for its span, which may have no part in one.
        self._references[trace_id, span_id] = part.attributes.get(semconv.GROUND_TRUTH)
        while len(self._references) > MOST_REFERENCES:
            self._references.popitem(last=False)

    def _spoil(self, item: Waiting, now: float) -> None:
        """Drop the runs of a trace of which something cannot be read: they would be judged on half."""
        holder = item if isinstance(item, Beside) else getattr(item, "context", None)
        if holder is not None:
            self._traces.lost(f"{holder.trace_id:032x}", now)

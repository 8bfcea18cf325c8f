"""The context of the span that scores are about, so that all we emit hangs on it."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

from opentelemetry.context import Context
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, TraceState, set_span_in_context

if TYPE_CHECKING:
    from spanjudge.model import TargetSpan


# The run that is being judged in this task: what the judge consumes is recorded in its context.
judged_target: ContextVar[TargetSpan | None] = ContextVar("judged_target", default=None)


def span_context(target: TargetSpan) -> SpanContext:
    """Rebuild the target's span context."""
    return SpanContext(
        trace_id=int(target.trace_id, 16),
        span_id=int(target.span_id, 16),
        is_remote=False,
        trace_flags=TraceFlags(TraceFlags.SAMPLED if target.sampled else TraceFlags.DEFAULT),
        trace_state=TraceState.from_header([target.trace_state]) if target.trace_state else None,
    )


def context_of(target: TargetSpan | None) -> Context:
    """Return a context in which the target is the current span; an empty one without a target."""
    if target is None:
        return Context()
    return set_span_in_context(NonRecordingSpan(span_context(target)), Context())

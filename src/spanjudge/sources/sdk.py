"""Spans of this process, just started or ended, by the SDK's public names alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from opentelemetry.trace import SpanKind, StatusCode

from spanjudge.sources.record import EventRecord, SpanRecord
from spanjudge.sources.values import clean, clean_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opentelemetry.sdk.trace import ReadableSpan

_ATTEMPTS: Final = 8
_KINDS: Final = {
    SpanKind.INTERNAL: 1,
    SpanKind.SERVER: 2,
    SpanKind.CLIENT: 3,
    SpanKind.PRODUCER: 4,
    SpanKind.CONSUMER: 5,
}


def to_record(span: ReadableSpan) -> SpanRecord:
    """Copy a span, ended or just started, out of the SDK.

    Args:
        span: What a span processor gets. It costs some microseconds: not for the application's thread.
    """
    context = span.get_span_context()
    parent = span.parent
    scope = span.instrumentation_scope
    return SpanRecord(
        trace_id=f"{context.trace_id:032x}" if context else "0" * 32,
        span_id=f"{context.span_id:016x}" if context else "0" * 16,
        parent_id=f"{parent.span_id:016x}" if parent else None,
        parent_is_remote=bool(parent and parent.is_remote),
        name=clean_text(str(span.name)),
        kind=_KINDS.get(span.kind, 1),
        start_ns=span.start_time or 0,
        end_ns=span.end_time or 0,
        attributes=_attributes(span.attributes),
        events=tuple(
            EventRecord(
                name=clean_text(str(event.name)),
                attributes=_attributes(event.attributes),
                time_ns=event.timestamp,
            )
            for event in (span.events if span.end_time else ())
        ),
        error=span.status.status_code is StatusCode.ERROR,
        dropped_attributes=span.dropped_attributes,
        scope=scope.name if scope else "",
        scope_version=(scope.version or "") if scope else "",
        resource=span.resource.attributes,
        sampled=bool(context and context.trace_flags.sampled),
        trace_state=context.trace_state.to_header() if context else "",
    )


def _attributes(found: Mapping[str, object] | None) -> dict[str, object]:
    """Copy attributes that the application may be setting at this moment, on another thread."""
    copied: dict[str, object] = {}
    for key in _keys(found) if found else ():
        try:
            copied[clean_text(str(key))] = clean(found[key]) if found else None
        except KeyError:  # dropped meanwhile, to make room for a newer one
            continue
    return copied


def _keys(found: Mapping[str, object]) -> list[str]:
    for _ in range(_ATTEMPTS):
        try:
            return list(found)
        except RuntimeError:  # the dictionary has grown under the iteration
            continue
    return []

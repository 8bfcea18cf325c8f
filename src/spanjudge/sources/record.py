"""The one type that all sources make: a span, ended or just started, free of any SDK."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Attributes: TypeAlias = "Mapping[str, object]"


@dataclass(frozen=True, slots=True)
class EventRecord:
    """A span event."""

    name: str
    attributes: Attributes = field(default_factory=dict)
    time_ns: int = 0


@dataclass(frozen=True, slots=True)
class LogPart:
    """A log record that bears a span's id: content that some instrumentations keep off the span."""

    event_name: str
    body: object = None
    attributes: Attributes = field(default_factory=dict)
    time_ns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanRecord:
    """One span. Ids are lower-case hex; ``parent_id`` is None at a trace's root; ``end_ns`` is 0 while it runs.

    Attribute values are what OpenTelemetry carries: str, bool, int, float, bytes, None, or sequences and
    mappings of them. ``kind`` is OTLP's number (1 internal, 2 server, 3 client, 4 producer, 5 consumer).
    """

    trace_id: str
    span_id: str
    parent_id: str | None = None
    parent_is_remote: bool = False
    name: str = ""
    kind: int = 1
    start_ns: int = 0
    end_ns: int = 0
    attributes: Attributes = field(default_factory=dict)
    events: tuple[EventRecord, ...] = ()
    logs: tuple[LogPart, ...] = ()
    error: bool = False
    dropped_attributes: int = 0
    scope: str = ""
    scope_version: str = ""
    resource: Attributes = field(default_factory=dict)
    sampled: bool = True
    trace_state: str = ""

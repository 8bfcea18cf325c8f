"""OTLP/JSON, decoded: one export request of traces or logs into spans and log records."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from spanjudge.errors import InputError
from spanjudge.sources.record import EventRecord, LogPart, SpanRecord
from spanjudge.sources.values import MAX_DEPTH, MAX_ITEMS, clean_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LogOfSpan: TypeAlias = "tuple[str, str, LogPart]"

_SIGNALS: Final = {"resourceSpans", "resourceLogs", "resourceMetrics", "resourceProfiles"}
_KINDS: Final = {
    "SPAN_KIND_UNSPECIFIED": 0,
    "SPAN_KIND_INTERNAL": 1,
    "SPAN_KIND_SERVER": 2,
    "SPAN_KIND_CLIENT": 3,
    "SPAN_KIND_PRODUCER": 4,
    "SPAN_KIND_CONSUMER": 5,
}
_ERROR_CODES: Final = {2, "2", "STATUS_CODE_ERROR"}
_REMOTE_KNOWN: Final = 0x100
_REMOTE: Final = 0x200
_TRACE_ID_BYTES: Final = 16
_SPAN_ID_BYTES: Final = 8
_MAX_DIGITS: Final = 20


class SourceError(InputError):
    """What was read is no OTLP/JSON; the message is one sentence that says what and where."""


def spans_of(request: object, where: str) -> tuple[list[SpanRecord], list[LogOfSpan]]:
    """Decode one export request, of traces, logs or both.

    Args:
        request: The parsed JSON.
        where: Names the place in error messages (``"traces.json, line 3"``).

    Returns:
        Its spans, and its log records that bear a span's id, as ``(trace_id, span_id, record)``.

    Raises:
        SourceError: Where it is no export request.
    """
    if not isinstance(request, Mapping):
        message = f'{where} holds JSON but no OTLP: an object with "resourceSpans" or "resourceLogs" was expected.'
        raise SourceError(message)
    if request and not _SIGNALS & request.keys():
        names = ", ".join(sorted(clean_text(str(key))[:40] for key in list(request)[:5]))
        message = (
            f'{where} holds JSON but no OTLP: it has the keys {names}, but neither "resourceSpans" nor "resourceLogs".'
        )
        raise SourceError(message)
    spans = [
        _span(item, scope, resource, where)
        for item, scope, resource in _items(request, ("resourceSpans", "scopeSpans", "spans"), where)
    ]
    logs = [
        log
        for item, _, _ in _items(request, ("resourceLogs", "scopeLogs", "logRecords"), where)
        if (log := _log(item, where))
    ]
    return spans, logs


def _items(
    request: Mapping[str, object], path: tuple[str, str, str], where: str
) -> Iterator[tuple[Mapping[str, object], Mapping[str, object], Mapping[str, object]]]:
    for group in _objects(request, path[0], where):
        resource = attributes(_object(group, "resource", where).get("attributes"))
        for scoped in _objects(group, path[1], where):
            scope = _object(scoped, "scope", where)
            for item in _objects(scoped, path[2], where):
                yield item, scope, resource


def _span(
    item: Mapping[str, object], scope: Mapping[str, object], resource: Mapping[str, object], where: str
) -> SpanRecord:
    trace_id, span_id = _id(item.get("traceId"), _TRACE_ID_BYTES), _id(item.get("spanId"), _SPAN_ID_BYTES)
    name = _text(item.get("name"))
    if trace_id is None or span_id is None:
        message = f'{where} has a span "{name[:80]}" without a usable traceId and spanId.'
        raise SourceError(message)
    flags = _int(item.get("flags"))
    kind = item.get("kind")
    return SpanRecord(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=_id(item.get("parentSpanId"), _SPAN_ID_BYTES),
        parent_is_remote=bool(flags & _REMOTE_KNOWN and flags & _REMOTE),
        name=name,
        kind=_KINDS[kind] if isinstance(kind, str) and kind in _KINDS else _int(kind) or 1,
        start_ns=_int(item.get("startTimeUnixNano")),
        end_ns=_int(item.get("endTimeUnixNano")),
        attributes=attributes(item.get("attributes")),
        events=tuple(
            EventRecord(
                name=_text(event.get("name")),
                attributes=attributes(event.get("attributes")),
                time_ns=_int(event.get("timeUnixNano")),
            )
            for event in _objects(item, "events", where)
        ),
        error=_code(_object(item, "status", where).get("code")) in _ERROR_CODES,
        dropped_attributes=_int(item.get("droppedAttributesCount")),
        scope=_text(scope.get("name")),
        scope_version=_text(scope.get("version")),
        resource=resource,
        trace_state=_text(item.get("traceState")),
    )


def _log(item: Mapping[str, object], where: str) -> LogOfSpan | None:
    trace_id, span_id = _id(item.get("traceId"), _TRACE_ID_BYTES), _id(item.get("spanId"), _SPAN_ID_BYTES)
    if trace_id is None or span_id is None:
        return None
    named = attributes(item.get("attributes"))
    event_name = _text(item.get("eventName")) or _text(named.get("event.name"))
    return (
        trace_id,
        span_id,
        LogPart(
            event_name=event_name,
            body=any_value(_object(item, "body", where)),
            attributes=named,
            time_ns=_int(item.get("timeUnixNano")) or _int(item.get("observedTimeUnixNano")),
        ),
    )


def attributes(pairs: object) -> dict[str, object]:
    """Decode a list of key and value pairs; what is no pair is left out."""
    if not isinstance(pairs, list):
        return {}
    return {
        _text(pair.get("key")): any_value(pair.get("value"))
        for pair in pairs[:MAX_ITEMS]
        if isinstance(pair, Mapping) and isinstance(pair.get("key"), str)
    }


def any_value(value: object, depth: int = 0) -> object:
    """Decode OTLP's AnyValue; None where it is empty, malformed or deeper than 24 levels."""
    if not isinstance(value, Mapping) or depth >= MAX_DEPTH:
        return None
    for name, item in value.items():
        if name == "arrayValue":
            return tuple(any_value(each, depth + 1) for each in _values(item))
        if name == "kvlistValue":
            return {
                _text(pair.get("key")): any_value(pair.get("value"), depth + 1)
                for pair in _values(item)
                if isinstance(pair, Mapping)
            }
        if name in _SCALARS:
            return _SCALARS[name](item)
    return None


def _values(item: object) -> list[object]:
    found = item.get("values") if isinstance(item, Mapping) else None
    return found[:MAX_ITEMS] if isinstance(found, list) else []


def _objects(holder: Mapping[str, object], key: str, where: str) -> list[Mapping[str, object]]:
    found = holder.get(key)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(item, Mapping) for item in found):
        message = f'{where} is no OTLP: "{key}" must be a list of objects.'
        raise SourceError(message)
    return found


def _object(holder: Mapping[str, object], key: str, where: str) -> Mapping[str, object]:
    found = holder.get(key)
    if found is None:
        return {}
    if not isinstance(found, Mapping):
        message = f'{where} is no OTLP: "{key}" must be an object.'
        raise SourceError(message)
    return found


def _id(value: object, size: int) -> str | None:
    """Read an id in hex, as OTLP/JSON wants it, or in base64, as plain protobuf JSON writes it."""
    if not isinstance(value, str):
        return None
    if len(value) == size * 2:
        try:
            raw = bytes.fromhex(value)
        except ValueError:
            return None
    else:
        raw = _bytes(value)
    return raw.hex() if len(raw) == size and any(raw) else None


def _bytes(value: object) -> bytes:
    if not isinstance(value, str):
        return b""
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _text(value: object) -> str:
    return clean_text(value) if isinstance(value, str) else ""


def _int(value: object) -> int:
    """Read an integer, also from a string; what is none, or has more than 20 digits, is 0."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        return int(value) if math.isfinite(value) else 0
    if isinstance(value, int):
        return value if abs(value) < 10**_MAX_DIGITS else 0
    if isinstance(value, str) and len(value) <= _MAX_DIGITS:
        try:
            return int(value)
        except ValueError:
            return 0
    return 0


def _float(value: object) -> float:
    if isinstance(value, int | float | str) and not (isinstance(value, str) and len(value) > 2 * _MAX_DIGITS):
        try:
            return float(value)
        except (ValueError, OverflowError):
            return math.nan
    return math.nan


def _code(value: object) -> int | str:
    return value if isinstance(value, int | str) else 0


def _bool(value: object) -> bool:
    return value is True or str(value).lower() == "true"


_SCALARS: Final[dict[str, Callable[[object], object]]] = {
    "stringValue": _text,
    "boolValue": _bool,
    "intValue": _int,
    "doubleValue": _float,
    "bytesValue": _bytes,
}

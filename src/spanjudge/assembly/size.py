"""What a span weighs in memory, roughly and cheaply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from spanjudge.sources.record import Attributes, SpanRecord

BARE: Final = 600
_ITEM: Final = 80
_DEEPEST: Final = 24


def size_of(span: SpanRecord) -> int:
    """Estimate the bytes that a span holds, its events and log records among them."""
    total = BARE + _of_attributes(span.attributes)
    for event in span.events:
        total += _ITEM + _of_attributes(event.attributes)
    for part in span.logs:
        total += _ITEM + _of_attributes(part.attributes) + _of(part.body, 0)
    return total


def _of_attributes(attributes: Attributes) -> int:
    return sum(
        _ITEM + len(key) + (len(value) if isinstance(value, str) else _of(value, 0))
        for key, value in attributes.items()
    )


def _of(value: object, depth: int) -> int:
    if isinstance(value, str | bytes):
        return len(value) + _ITEM
    if depth >= _DEEPEST:
        return _ITEM
    if isinstance(value, Mapping):
        return _ITEM + sum(_ITEM + _of(item, depth + 1) for item in value.values())
    if isinstance(value, list | tuple):
        return _ITEM + sum(_of(item, depth + 1) for item in value)
    return _ITEM

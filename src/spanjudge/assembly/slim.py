"""What nobody judges is let go of early: vectors, and traces of stacks."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from spanjudge.sources.record import Attributes, SpanRecord

_SHORTEST: Final = 32
_STACKS: Final = ("exception.stacktrace", "error.stack")
_NUMBERS: Final = re.compile(r"\s*\[{1,3}(?:\s*-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*,){31}")


def slim(span: SpanRecord) -> SpanRecord:
    """Drop attributes that are nothing but vectors, and stack traces of exceptions.

    Args:
        span: A span with a part in a run.
    """
    attributes = _kept(span.attributes)
    events = tuple(
        event if (kept := _kept(event.attributes)) is event.attributes else replace(event, attributes=kept)
        for event in span.events
    )
    if attributes is span.attributes and all(one is two for one, two in zip(events, span.events, strict=True)):
        return span
    return replace(span, attributes=attributes, events=events)


def _kept(attributes: Attributes) -> Attributes:
    dropped = [key for key, value in attributes.items() if key in _STACKS or _is_vector(value)]
    return {key: value for key, value in attributes.items() if key not in dropped} if dropped else attributes


def _is_vector(value: object) -> bool:
    """Whether a value is at least 32 numbers and nothing else, as a list or as JSON, or a list of such."""
    if isinstance(value, str):
        return bool(_NUMBERS.match(value)) and '"' not in value
    if not isinstance(value, list | tuple) or not value:
        return False
    if isinstance(value[0], str | list | tuple):
        return all(map(_is_vector, value))
    return len(value) >= _SHORTEST and all(isinstance(each, float | int) for each in value)

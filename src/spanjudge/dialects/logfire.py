"""Logfire: spans of the user's own, and shadows that are written while a span runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spanjudge.dialects.facts import Facts, Kind

if TYPE_CHECKING:
    from spanjudge.sources.record import SpanRecord

name: Final = "logfire"
scopes: Final = ()

_TYPE: Final = "logfire.span_type"
_SHADOW: Final = "pending_span"


def kind(span: SpanRecord) -> Kind | None:
    """Nothing: what the user's spans do is told by the names that the user has given."""
    del span
    return None


def speaks(span: SpanRecord) -> bool:
    """Whether the span is the user's own; those of instrumentations speak for themselves."""
    return span.scope == name and _TYPE in span.attributes


def read(span: SpanRecord) -> Facts:
    """Say that Logfire wrote the span."""
    del span
    return Facts(dialects=(name,))


def is_shadow(span: SpanRecord) -> bool:
    """Whether the span only announces one that is still running, and repeats what that will say."""
    return span.attributes.get(_TYPE) == _SHADOW

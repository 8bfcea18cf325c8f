"""Semantic Kernel: the GenAI conventions, with messages in log records of the standard library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spanjudge.dialects.facts import Facts, Kind
from spanjudge.dialects.message_events import told_by_events

if TYPE_CHECKING:
    from spanjudge.sources.record import SpanRecord

name: Final = "semantic_kernel"
scopes: Final = ("semantic_kernel",)

_LOOP: Final = "sk.available_functions"


def kind(span: SpanRecord) -> Kind | None:
    """What the span does, where the GenAI conventions have no word for it."""
    return "chain" if _LOOP in span.attributes else None


def speaks(span: SpanRecord) -> bool:
    """Whether the span bears this dialect's marks."""
    return span.scope.startswith(scopes) or _LOOP in span.attributes


def read(span: SpanRecord) -> Facts:
    """Messages of a model call, each in a log record whose body is JSON."""
    taken, said = told_by_events(span)
    return Facts(kind=kind(span), input_messages=taken, output_messages=said, dialects=(name,))

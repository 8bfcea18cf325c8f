"""Content that is kept beside a span: log records that bear its id, and texts recorded by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanjudge.sources.record import LogPart


class Beside(NamedTuple):
    """What waits for the worker, read there alone: ``part`` costs more than the application's thread may pay.

    ``scope`` names the instrumentation that it comes from.
    """

    trace_id: int
    span_id: int
    scope: str
    part: Callable[[], LogPart]

"""From the spans of whole traces to runs, without a clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanjudge.assembly.boundary import runs_in
from spanjudge.assembly.build import runs_of
from spanjudge.assembly.duplicates import is_duplicate, trail_of
from spanjudge.assembly.torn import marked
from spanjudge.assembly.tree import forest_of
from spanjudge.dialects.reading import AS_IT_STANDS, Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanjudge.assembly.view import RunView
    from spanjudge.model import RagRun
    from spanjudge.sources.record import SpanRecord


def assemble(spans: Sequence[SpanRecord], *, reading: Reading = AS_IT_STANDS) -> list[RagRun]:
    """Find all runs in the spans of one or more whole traces, in the order of their starts.

    Args:
        spans: Ended spans in any order, of any number of traces.
        reading: How they are read.
    """
    traces: dict[str, list[SpanRecord]] = {}
    for span in spans:
        traces.setdefault(span.trace_id, []).append(span)
    wholes: list[RunView] = []
    loose: list[RunView] = []
    for members in traces.values():
        forest = forest_of(members, reading.plain)
        own, rest = marked(*runs_in(forest, reading), forest)
        wholes += own
        loose += rest
    trails = [trail_of(view) for view in wholes] if loose else []
    views = wholes + [view for view in loose if not is_duplicate(view, trails)]
    return sorted((run for view in views for run in runs_of(view)), key=lambda run: (run.started_ns, run.run_id))

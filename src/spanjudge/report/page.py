"""The page: one file of HTML without scripts and without anything from elsewhere."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from spanjudge.report import frame
from spanjudge.report.cut import SHORT, cut
from spanjudge.report.distribution_chart import distribution_chart
from spanjudge.report.evidence_chart import evidence_chart
from spanjudge.report.missed import missed_claims
from spanjudge.report.runs import judged_runs, scorers_of
from spanjudge.report.score_chart import WINDOW, score_chart
from spanjudge.report.summary import parts
from spanjudge.report.worst import worst_runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from spanjudge.model import Evaluation
    from spanjudge.report.trail import Trail

MOST_WORST: Final = 10
MOST_MISSED: Final = 10


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened between two runs: ``position`` is that of the first run after it, from 0."""

    position: int
    label: str


def render(
    evaluations: Iterable[Evaluation],
    *,
    title: str,
    facts: Sequence[tuple[str, str]] = (),
    moment: Moment | None = None,
    trail: Trail | None = None,
    notes: Sequence[str] = (),
) -> str:
    """Write evaluations as one page of HTML that opens offline.

    Every text of a run is escaped, and cut where it is long, saying so.

    Args:
        evaluations: All outcomes, in any order.
        title: The page's heading.
        facts: Names and values shown under the heading, such as judge and date.
        moment: A moment to compare before and after of, as a release.
        trail: A detector's evidence over the same runs.
        notes: Sentences on how the figures are to be read.
    """
    runs = judged_runs(evaluations)
    scorers = scorers_of(runs)
    at = moment.position if moment is not None and 0 < moment.position < len(runs) else None
    summaries = {scorer: parts(scorer, runs, at) for scorer in scorers}
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            title=title,
            facts=[(name, cut(value, SHORT)) for name, value in facts],
            moment=moment if at is not None else None,
            notes=notes,
            run_count=len(runs),
            summaries=summaries,
            score_charts=[score_chart(scorer, runs, summaries[scorer], at) for scorer in scorers],
            distributions=[distribution_chart(scorer, runs, at) for scorer in scorers],
            trail=trail,
            evidence=evidence_chart(trail, len(runs), at) if trail is not None and trail.steps else None,
            missed=missed_claims(runs, MOST_MISSED),
            worst=worst_runs(runs, scorers, MOST_WORST),
            frame=frame,
            window=WINDOW,
        )
    )


def write(page: str, path: Path) -> None:
    """Put a page into a file, UTF-8.

    Raises:
        OSError: Where the file cannot be written.
    """
    path.write_text(page, encoding="utf-8", errors="replace", newline="\n")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("spanjudge.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["exp"] = math.exp
    return environment

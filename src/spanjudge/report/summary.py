"""What the scores of each scorer come to, before and after a moment."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from spanjudge.detect.betting import mean_interval
from spanjudge.detect.moments import Moments
from spanjudge.model import Score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanjudge.detect.moments import Interval
    from spanjudge.report.runs import JudgedRun


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One scorer over one stretch of runs; ``mean`` and ``interval`` are None without scores.

    ``left_out`` counts skips and failures by reason code.
    """

    scorer: str
    first: int
    last: int
    n: int
    mean: float | None
    interval: Interval | None
    left_out: tuple[tuple[str, int], ...]


def part(scorer: str, runs: Sequence[JudgedRun]) -> Part:
    """Sum up one scorer over runs, each weighted by its inclusion probability.

    Args:
        scorer: Scorer id.
        runs: A stretch of runs, at least one.
    """
    units: list[tuple[float, float]] = []
    left_out: Counter[str] = Counter()
    for run in runs:
        evaluation = run.evaluations.get(scorer)
        if evaluation is None:
            continue
        if isinstance(evaluation.outcome, Score):
            units.append((evaluation.outcome.share, 1.0 / evaluation.inclusion_probability))
        else:
            left_out[evaluation.outcome.code] += 1
    moments = Moments()
    for x, weight in units:
        moments = moments.add(x, weight)
    most = max((weight for _, weight in units), default=1.0)
    return Part(
        scorer=scorer,
        first=runs[0].position,
        last=runs[-1].position,
        n=len(units),
        mean=moments.mean,
        interval=mean_interval(units, max_weight=most) if units else None,
        left_out=tuple(sorted(left_out.items())),
    )


def parts(scorer: str, runs: Sequence[JudgedRun], moment: int | None = None) -> tuple[Part, ...]:
    """Sum up one scorer before and from a moment on; one part where there is none inside the runs.

    Args:
        scorer: Scorer id.
        runs: All runs, in order.
        moment: Position of the first run after the moment.
    """
    if not runs:
        return ()
    if moment is None or not 0 < moment < len(runs):
        return (part(scorer, runs),)
    return (part(scorer, runs[:moment]), part(scorer, runs[moment:]))

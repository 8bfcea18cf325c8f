"""Scores over time: a dot a run, the mean of the last ten, and the mean of each part with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spanjudge.report.frame import Scale, Tick, across, line, run_ticks, upwards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanjudge.report.runs import JudgedRun
    from spanjudge.report.summary import Part

MOST_DOTS: Final = 400
WINDOW: Final = 10


@dataclass(frozen=True, slots=True)
class Dot:
    """The mean score of some runs that follow each other (one, where there are few); ``after`` the moment."""

    x: float
    y: float
    after: bool
    title: str


@dataclass(frozen=True, slots=True)
class Band:
    """A part's mean and interval, from ``x1`` to ``x2``."""

    x1: float
    x2: float
    y: float
    top: float
    height: float
    after: bool


@dataclass(frozen=True, slots=True)
class ScoreChart:
    """All that is drawn, in units of the drawing; ``runs_per_dot`` above 1 says that dots are means."""

    scorer: str
    dots: tuple[Dot, ...]
    rolling: str
    bands: tuple[Band, ...]
    moment_x: float | None
    xticks: tuple[Tick, ...]
    yticks: tuple[Tick, ...]
    runs_per_dot: int


def score_chart(scorer: str, runs: Sequence[JudgedRun], parts: Sequence[Part], moment: int | None = None) -> ScoreChart:
    """Place one scorer's scores.

    Args:
        scorer: Scorer id.
        runs: All runs, in order.
        parts: The scorer's parts before and after the moment.
        moment: Position of the first run after the moment, None where there was none.
    """
    x, y = across(0, max(1, len(runs) - 1)), upwards(0, 1)
    scored = [(run.position, share) for run in runs if (share := run.share(scorer)) is not None]
    per_dot = max(1, math.ceil(len(scored) / MOST_DOTS))
    return ScoreChart(
        scorer=scorer,
        dots=tuple(_dot(scored[start : start + per_dot], x, y, moment) for start in range(0, len(scored), per_dot)),
        rolling=line(_rolling(scored, per_dot, x, y)),
        bands=tuple(_band(part, x, y, after=bool(index)) for index, part in enumerate(parts) if part.n),
        moment_x=None if moment is None else x(moment - 0.5),
        xticks=run_ticks(x, len(runs)),
        yticks=y.ticks((0.0, 0.5, 1.0)),
        runs_per_dot=per_dot,
    )


def _dot(group: Sequence[tuple[int, float]], x: Scale, y: Scale, moment: int | None) -> Dot:
    first, last = group[0][0], group[-1][0]
    mean = sum(share for _, share in group) / len(group)
    name = f"run {first + 1}" if first == last else f"runs {first + 1} to {last + 1}"
    return Dot(x((first + last) / 2), y(mean), moment is not None and first >= moment, f"{name}: {mean:.2f}")


def _rolling(scored: Sequence[tuple[int, float]], per_dot: int, x: Scale, y: Scale) -> list[tuple[float, float]]:
    window = WINDOW * per_dot
    places = range(window, len(scored) + 1, per_dot)
    return [
        (x(scored[end - 1][0]), y(sum(share for _, share in scored[end - window : end]) / window)) for end in places
    ]


def _band(part: Part, x: Scale, y: Scale, *, after: bool) -> Band:
    low, high = (part.interval.low, part.interval.high) if part.interval else (0.0, 1.0)
    return Band(x(part.first), x(part.last), y(part.mean or 0.0), y(high), round(y(low) - y(high), 1), after)

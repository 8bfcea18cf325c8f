"""How the scores spread: the share of runs in each tenth, before and after the moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spanjudge.report.frame import Tick, across, upwards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanjudge.report.runs import JudgedRun

BINS: Final = 10
_GAP: Final = 2.0
_STEPS: Final = (0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True, slots=True)
class Bar:
    """The share of a part's runs in one tenth of the scale."""

    x: float
    y: float
    width: float
    height: float
    after: bool
    title: str


@dataclass(frozen=True, slots=True)
class DistributionChart:
    """All that is drawn, in units of the drawing."""

    scorer: str
    bars: tuple[Bar, ...]
    xticks: tuple[Tick, ...]
    yticks: tuple[Tick, ...]


def distribution_chart(scorer: str, runs: Sequence[JudgedRun], moment: int | None = None) -> DistributionChart:
    """Count one scorer's scores by tenths; 1.0 belongs to the last one.

    Args:
        scorer: Scorer id.
        runs: All runs, in order.
        moment: Position of the first run after the moment, None where there was none.
    """
    cut = len(runs) if moment is None else moment
    groups = [group for group in (_shares(scorer, runs[:cut]), _shares(scorer, runs[cut:])) if group is not None]
    counted = [_tenths(group) for group in groups]
    most = max((max(shares) for shares in counted), default=1.0)
    top = next(step for step in _STEPS if most <= step)
    x, y = across(0, 1), upwards(0, top)
    slot = (x(1) - x(0)) / BINS
    width = round((slot - _GAP) / max(1, len(counted)), 1)
    bars = [
        Bar(
            x=round(x(tenth / BINS) + _GAP / 2 + width * index, 1),
            y=y(share),
            width=width,
            height=round(y(0) - y(share), 1),
            after=bool(index),
            title=f"{tenth / BINS:.1f} to {(tenth + 1) / BINS:.1f}: {share:.0%} of runs",
        )
        for index, shares in enumerate(counted)
        for tenth, share in enumerate(shares)
        if share
    ]
    return DistributionChart(scorer, tuple(bars), x.ticks((0.0, 0.5, 1.0)), y.ticks((0.0, top / 2, top), form=".0%"))


def _shares(scorer: str, runs: Sequence[JudgedRun]) -> list[float] | None:
    shares = [share for run in runs if (share := run.share(scorer)) is not None]
    return shares or None


def _tenths(shares: Sequence[float]) -> list[float]:
    counts = [0] * BINS
    for share in shares:
        counts[min(int(share * BINS + 1e-9), BINS - 1)] += 1
    return [count / len(shares) for count in counts]

"""The evidence of a regression, run by run, up to and over the alarm's threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spanjudge.report.frame import Tick, across, line, run_ticks, upwards

if TYPE_CHECKING:
    from spanjudge.report.trail import Trail

MOST_POINTS: Final = 1000
_HEADROOM: Final = 1.4
_LEAST_RISE: Final = 1.0
_ROUND: Final = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)
_MOST_TICKS: Final = 5


@dataclass(frozen=True, slots=True)
class EvidenceChart:
    """All that is drawn, in units of the drawing; the y axis is in nats and cut below at -threshold."""

    current: str
    maximum: str
    threshold_y: float
    zero_y: float
    moment_x: float | None
    alarm: tuple[float, float] | None
    baseline_x: float
    xticks: tuple[Tick, ...]
    yticks: tuple[Tick, ...]


def evidence_chart(trail: Trail, count: int, moment: int | None = None) -> EvidenceChart:
    """Place a trail's evidence.

    Args:
        trail: The steps of one scorer.
        count: Runs on the x axis.
        moment: Position of the first run after the moment, None where there was none.
    """
    known = [step for step in trail.steps if step.evidence.log_current is not None]
    highest = max((step.evidence.log_max or 0.0 for step in known), default=0.0)
    top = max(trail.threshold * _HEADROOM, highest * 1.05, _LEAST_RISE)
    x, y = across(0, max(1, count - 1)), upwards(-trail.threshold, top)
    every = max(1, math.ceil(len(known) / MOST_POINTS))
    shown = [step for index, step in enumerate(known) if index % every == 0 or step.position == trail.alarm]
    step_size = next((size for size in _ROUND if (top + trail.threshold) / size <= _MOST_TICKS), _ROUND[-1])
    lowest = math.ceil(-trail.threshold / step_size)
    values = tuple(step_size * index for index in range(lowest, math.floor(top / step_size) + 1))
    return EvidenceChart(
        current=line([(x(step.position), y(step.evidence.log_current or 0.0)) for step in shown]),
        maximum=line([(x(step.position), y(step.evidence.log_max or 0.0)) for step in shown]),
        threshold_y=y(trail.threshold),
        zero_y=y(0.0),
        moment_x=None if moment is None else x(moment - 0.5),
        alarm=None if trail.alarm is None else (x(trail.alarm), y(_log_max_at_alarm(trail))),
        baseline_x=x(known[0].position if known else count - 1),
        xticks=run_ticks(x, count),
        yticks=y.ticks(values),
    )


def _log_max_at_alarm(trail: Trail) -> float:
    crossed = next(step for step in trail.steps if step.evidence.crossed)
    return crossed.evidence.log_max or 0.0

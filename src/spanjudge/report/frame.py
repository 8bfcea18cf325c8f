"""The drawing area that all charts share, and its two scales."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WIDTH: Final = 380.0
HEIGHT: Final = 190.0
LEFT: Final = 46.0
RIGHT: Final = 16.0
TOP: Final = 18.0
BOTTOM: Final = 26.0


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on an axis, in units of the drawing."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Scale:
    """A straight map from data (``low`` to ``high``) to the drawing (``start`` to ``end``)."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Place a value, to a tenth of a unit; values outside are put on the edge."""
        inside = min(max(value, self.low), self.high)
        width = self.high - self.low
        share = (inside - self.low) / width if width else 0.5
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, steps: tuple[float, ...], form: str = "g") -> tuple[Tick, ...]:
        """Label some values."""
        return tuple(Tick(self(value), format(value, form)) for value in steps)


def across(low: float, high: float) -> Scale:
    """Scale along the drawing's width."""
    return Scale(low, high, LEFT, WIDTH - RIGHT)


def upwards(low: float, high: float) -> Scale:
    """Scale up the drawing's height."""
    return Scale(low, high, HEIGHT - BOTTOM, TOP)


def run_ticks(x: Scale, count: int) -> tuple[Tick, ...]:
    """Label the first run, the last, and some round numbers between; runs are counted from 1."""
    step = next((size for size in _SIZES if count / size <= _MOST_TICKS), max(1, count // _MOST_TICKS))
    numbers = [1, *range(step, count, step), count]
    kept = [number for number in numbers if number in (1, count) or step // 2 < number < count - step // 2]
    return tuple(Tick(x(number - 1), str(number)) for number in dict.fromkeys(kept))


def line(points: list[tuple[float, float]]) -> str:
    """Write points as SVG wants them."""
    return " ".join(f"{x:g},{y:g}" for x, y in points)


_MOST_TICKS: Final = 6
_SIZES: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10000)

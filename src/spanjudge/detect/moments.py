"""Five sums from which a weighted mean and its error can be had, here and in plain PromQL."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from spanjudge.detect.checks import check_score, check_share, check_weight

# The normal interval covers too little on few scores near 0 or 1; benchmarks/detector.py prints how little.
LEAST_N: Final = 100


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval of a mean, inside 0..1."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over independent units: count, w, w*x, w^2, w^2*x, w^2*x^2.

    Here w is a unit's weight (1 / inclusion probability) and x its score in 0..1. A unit of several scores (a session)
    enters once, with the sum of its weights and its weighted mean: its scores are not independent of each other.

    >>> moments = Moments().add(1.0).add(0.0, weight=3.0)
    >>> moments.mean
    0.25
    """

    n: int = 0
    w: float = 0.0
    wx: float = 0.0
    ww: float = 0.0
    wwx: float = 0.0
    wwxx: float = 0.0

    def add(self, x: float, weight: float = 1.0) -> Moments:
        """Take one unit in.

        Args:
            x: The unit's score, 0..1.
            weight: 1 / inclusion probability of the unit, above 0.

        Raises:
            ValueError: Where one of them is outside its range.
        """
        return self + of_unit(x, weight)

    def __add__(self, other: Moments) -> Moments:
        """Join the sums of two disjoint sets of units."""
        return Moments(
            self.n + other.n,
            self.w + other.w,
            self.wx + other.wx,
            self.ww + other.ww,
            self.wwx + other.wwx,
            self.wwxx + other.wwxx,
        )

    @property
    def mean(self) -> float | None:
        """Weighted mean, S1 / S0 (Hajek 1971; Sarndal, Swensson, Wretman 1992, section 5.7). None of no units."""
        return min(self.wx / self.w, 1.0) if self.w > 0 else None

    @property
    def standard_error(self) -> float | None:
        """Error of the mean, sqrt(Q2 - 2 m Q1 + m^2 Q0) / S0 (Sarndal, Swensson, Wretman 1992, Result 5.7.1).

        Without the factor 1 - p of a finite population: it speaks of the traffic's source, not of the calls made.
        None of fewer than two units.
        """
        mean = self.mean
        if mean is None or self.n < 2:  # noqa: PLR2004 - one unit has no spread
            return None
        return math.sqrt(max(0.0, self.wwxx - 2 * mean * self.wwx + mean * mean * self.ww)) / self.w

    @property
    def binary(self) -> bool:
        """Whether all scores were 0 or 1: only then is x^2 = x throughout."""
        return self.n > 0 and math.isclose(self.wwxx, self.wwx, rel_tol=1e-12)

    def interval(self, level: float = 0.95, least_n: int = LEAST_N) -> Interval | None:
        """Confidence interval of the mean: Wilson's for 0/1 scores, else normal from ``least_n`` units on.

        Args:
            level: Two-sided confidence, above 0 and below 1.
            least_n: Units below which scores between 0 and 1 have no interval, at least 2.

        Returns:
            The interval, or None where there is too little to say.

        Raises:
            ValueError: Where ``level`` is outside its range.
        """
        check_share("level", level)
        mean, error = self.mean, self.standard_error
        if mean is None or error is None:
            return None
        z = NormalDist().inv_cdf((1 + level) / 2)
        if self.binary:
            return _wilson(mean, _effective_n(mean, error, self), z)
        if self.n < least_n:
            return None
        return Interval(max(0.0, mean - z * error), min(1.0, mean + z * error))


def of_unit(x: float, weight: float = 1.0) -> Moments:
    """Sums of one unit: what its counters are to be increased by.

    Args:
        x: The unit's score, 0..1.
        weight: 1 / inclusion probability of the unit, above 0.

    Raises:
        ValueError: Where one of them is outside its range.
    """
    check_score(x)
    check_weight(weight)
    return Moments(1, weight, weight * x, weight**2, weight**2 * x, (weight * x) ** 2)


def _effective_n(mean: float, error: float, moments: Moments) -> float:
    # Korn and Graubard 1998, Survey Methodology 24, section 2; at a mean of 0 or 1 Kish 1965, section 11.7.
    if error > 0:
        return mean * (1 - mean) / error**2
    return moments.w**2 / moments.ww


def _wilson(mean: float, n: float, z: float) -> Interval:
    # Wilson 1927, JASA 22, p. 209-212.
    spread = z * math.sqrt(mean * (1 - mean) / n + z * z / (4 * n * n))
    centre, scale = mean + z * z / (2 * n), 1 + z * z / n
    return Interval(max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale))

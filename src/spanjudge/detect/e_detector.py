"""Evidence of a change after a long calm, with a promise on how long it stays quiet on average."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from spanjudge.detect.betting import STAKES, gain, log_mean, log_sum
from spanjudge.detect.checks import check_score, check_weight
from spanjudge.detect.e_process import check_bound
from spanjudge.detect.saved import numbers, whole

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class EDetector:
    """M = mean over stakes of (M + 1) * (1 + lambda * w * (mu0 - x)), as logarithms (arXiv 2203.03532, section 2).

    While the mean is at least ``mu0``, an alarm at M >= ARL comes after ARL updates on average, or later. Unlike the
    e-process it forgets a long calm, so that a late change is seen as fast as an early one. Over several detectors
    take the mean of M over a fixed number, never a sum. ``capitals`` holds log(1 + M) of each stake.

    >>> detector = EDetector.start(mu0=0.8)
    >>> detector.log_current is None
    True
    >>> detector.update(0.0).log_current > 0
    True
    """

    mu0: float
    max_weight: float = 1.0
    capitals: tuple[float, ...] = (0.0,) * len(STAKES)
    log_current: float | None = None
    log_max: float | None = None
    n: int = 0

    @classmethod
    def start(cls, *, mu0: float, max_weight: float = 1.0) -> EDetector:
        """Begin with nothing seen.

        Args:
            mu0: The mean that is claimed to hold at least, 0 or more and below 1.
            max_weight: Greatest weight that can come up, 1 / the lowest inclusion probability.

        Raises:
            ValueError: Where one of them is outside its range.
        """
        check_bound(mu0)
        check_weight(max_weight)
        return cls(mu0=mu0, max_weight=max_weight)

    def update(self, x: float, weight: float = 1.0) -> EDetector:
        """Take one independent unit in.

        Args:
            x: The unit's score, 0..1.
            weight: 1 / its inclusion probability, above 0 and at most ``max_weight``.

        Raises:
            ValueError: Where one of them is outside its range.
        """
        check_score(x)
        check_weight(weight, self.max_weight)
        unit = gain(x, weight, self.mu0, self.max_weight)
        grown = [capital + math.log1p(stake * unit) for capital, stake in zip(self.capitals, STAKES, strict=True)]
        current = log_mean(grown)
        return replace(
            self,
            capitals=tuple(log_sum((value, 0.0)) for value in grown),
            log_current=current,
            log_max=current if self.log_max is None else max(self.log_max, current),
            n=self.n + 1,
        )

    def to_dict(self) -> dict[str, object]:
        """Plain data to keep, fit for JSON."""
        return {
            "mu0": self.mu0,
            "max_weight": self.max_weight,
            "capitals": list(self.capitals),
            "log_current": self.log_current,
            "log_max": self.log_max,
            "n": self.n,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> EDetector:
        """Take up what ``to_dict`` kept.

        Raises:
            ValueError: Where it is not such data.
        """
        (mu0,), (max_weight,) = numbers(data, "mu0"), numbers(data, "max_weight")
        check_bound(mu0)
        check_weight(max_weight)
        seen = whole(data, "n")
        return cls(
            mu0=mu0,
            max_weight=max_weight,
            capitals=numbers(data, "capitals", len(STAKES)),
            log_current=numbers(data, "log_current")[0] if seen else None,
            log_max=numbers(data, "log_max")[0] if seen else None,
            n=seen,
        )

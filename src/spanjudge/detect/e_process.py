"""Evidence that a mean has fallen below a bound, true however often one looks."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from spanjudge.detect.betting import MOST_STAKE, gain, log_mean
from spanjudge.detect.checks import check_score, check_weight
from spanjudge.detect.saved import numbers, whole

if TYPE_CHECKING:
    from collections.abc import Mapping

# Bettors with a fixed stake, and bettors that stake by what they remember, which fades by this factor a unit. These
# stake nothing while all is well, so that a long calm costs little.
FIXED: Final = (0.5, 0.1)
FADING: Final = (0.8, 0.95, 0.99)
# Sums of gains and squared gains to begin with: as of two units without gain, of variance 1/4.
_AT_FIRST: Final = (0.0, 0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class EProcess:
    """K = mean over bettors of prod(1 + lambda * w * (mu0 - x)), as logarithms (arXiv 2010.09686, section 4).

    Each lambda is fixed, or chosen from the units before as mean gain / mean squared gain, 0 at least (ibid., appendix
    B, aGRAPA; here with fading memory); either way K is fair or worse while the claim holds.

    While the mean is at least ``mu0``, the chance that K ever reaches 1 / alpha is at most alpha (Ville 1939): an alarm
    at ``log_max >= log(1 / alpha)`` keeps that promise at every look. For several processes over disjoint independent
    traffic add ``log_current``, never ``log_max``.

    >>> import math
    >>> process = EProcess.start(mu0=0.8)
    >>> for _ in range(5):
    ...     process = process.update(0.0)
    >>> process.log_max > math.log(1 / 0.05)
    True
    """

    mu0: float
    max_weight: float = 1.0
    capitals: tuple[float, ...] = (0.0,) * (len(FIXED) + len(FADING))
    memories: tuple[float, ...] = _AT_FIRST * len(FADING)
    log_max: float = 0.0
    n: int = 0

    @classmethod
    def start(cls, *, mu0: float, max_weight: float = 1.0) -> EProcess:
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

    @property
    def log_current(self) -> float:
        """Log evidence now, natural logarithm."""
        return log_mean(self.capitals)

    def update(self, x: float, weight: float = 1.0) -> EProcess:
        """Take one independent unit in.

        Args:
            x: The unit's score, 0..1.
            weight: 1 / its inclusion probability, above 0 and at most ``max_weight``: clipping would break the promise.

        Raises:
            ValueError: Where one of them is outside its range.
        """
        check_score(x)
        check_weight(weight, self.max_weight)
        unit = gain(x, weight, self.mu0, self.max_weight)
        stakes = (*FIXED, *(_stake(*memory) for memory in self._remembered()))
        capitals = tuple(
            capital + math.log1p(stake * unit) for capital, stake in zip(self.capitals, stakes, strict=True)
        )
        memories = tuple(
            value * fading + fresh
            for fading, memory in zip(FADING, self._remembered(), strict=True)
            for value, fresh in zip(memory, (unit, unit * unit), strict=True)
        )
        log_max = max(self.log_max, log_mean(capitals))
        return replace(self, capitals=capitals, memories=memories, log_max=log_max, n=self.n + 1)

    def _remembered(self) -> tuple[tuple[float, float], ...]:
        """Sums of gains and of squared gains that each fading bettor remembers."""
        return tuple(zip(self.memories[::2], self.memories[1::2], strict=True))

    def to_dict(self) -> dict[str, object]:
        """Plain data to keep, fit for JSON."""
        return {
            "mu0": self.mu0,
            "max_weight": self.max_weight,
            "capitals": list(self.capitals),
            "memories": list(self.memories),
            "log_max": self.log_max,
            "n": self.n,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> EProcess:
        """Take up what ``to_dict`` kept.

        Raises:
            ValueError: Where it is not such data.
        """
        mu0, max_weight, log_max = (numbers(data, key)[0] for key in ("mu0", "max_weight", "log_max"))
        check_bound(mu0)
        check_weight(max_weight)
        return cls(
            mu0=mu0,
            max_weight=max_weight,
            capitals=numbers(data, "capitals", len(FIXED) + len(FADING)),
            memories=numbers(data, "memories", len(_AT_FIRST) * len(FADING)),
            log_max=log_max,
            n=whole(data, "n"),
        )


def check_bound(mu0: float) -> None:
    """Refuse a claimed mean outside 0..1, and 1 itself, which one score below 1 refutes.

    Raises:
        ValueError: Where it is.
    """
    if not 0.0 <= mu0 < 1.0:
        message = f'"mu0" must be at least 0 and below 1, but it is {mu0!r}.'
        raise ValueError(message)


def _stake(gains: float, squares: float) -> float:
    return min(MOST_STAKE, max(0.0, gains / squares)) if squares > 0 else 0.0

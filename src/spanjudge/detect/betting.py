"""Bets on a bounded mean: the arithmetic that the e-process, the e-detector and the baseline's bound share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from spanjudge.detect.checks import check_score, check_share, check_weight
from spanjudge.detect.moments import Interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Stakes as shares of the greatest allowed one. Great ones see a breakdown in few scores, small ones see a small drop.
STAKES: Final = (0.8, 0.4, 0.2, 0.1, 0.05, 0.025)
MOST_STAKE: Final = 0.8


def log_sum(logs: Sequence[float]) -> float:
    """Logarithm of the sum of exponentials, without overflow."""
    top = max(logs)
    return top + math.log(sum(math.exp(value - top) for value in logs))


def log_mean(logs: Sequence[float]) -> float:
    """Logarithm of the mean of exponentials: the log capital of one who splits evenly over several stakes."""
    return log_sum(logs) - math.log(len(logs))


def gain(x: float, weight: float, mu0: float, max_weight: float) -> float:
    """What a full stake on "the mean is below ``mu0``" gains by a score: -1 at worst, whatever score and weight.

    A stake of ``s`` multiplies the capital by 1 + s * gain, which is 1 + lambda * weight * (mu0 - x) with
    lambda = s / (max_weight * (1 - mu0)): no weighted score can ruin a bet of s < 1 (arXiv 2010.09686, section 4,
    lambda < 1 / (1 - m); weighted: arXiv 2210.10768, section 2).
    """
    return (weight / max_weight) * (mu0 - x) / (1.0 - mu0)


def lower_bound(units: Iterable[tuple[float, float]], alpha: float, max_weight: float = 1.0) -> float:
    """Lower confidence bound of a mean from a fixed number of (score, weight) pairs.

    It is the greatest m at which a bettor against "the mean is at most m", with capital
    prod(1 + lambda_i * w_i * (x_i - m)), has reached 1 / alpha. lambda_i is chosen from the units before i:
    sqrt(2 log(1 / alpha) / (n * variance)), capped below 1 / m (arXiv 2010.09686, sections 3.2 and 4.4). No normal
    theory is asked for, so few scores near 1 are no trouble.

    Args:
        units: Independent units in the order seen: score 0..1 and weight above 0.
        alpha: Chance that the bound lies above the true mean, above 0 and below 1.
        max_weight: Greatest weight that could have come up.

    Raises:
        ValueError: Where an argument is outside its range.
    """
    check_share("alpha", alpha)
    pairs = [(x, weight / max_weight) for x, weight in units]
    for x, share in pairs:
        check_score(x)
        check_weight(share, 1.0)
    goal = -math.log(alpha)
    bets = _bets(pairs, goal)
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        cap = MOST_STAKE / middle
        grown = math.fsum(
            math.log1p(min(bet, cap) * share * (x - middle)) for bet, (x, share) in zip(bets, pairs, strict=True)
        )
        low, high = (middle, high) if grown >= goal else (low, middle)
    return low


def mean_interval(units: Sequence[tuple[float, float]], level: float = 0.95, max_weight: float = 1.0) -> Interval:
    """Confidence interval of a mean by betting from both sides: true for any scores in 0..1 and any number of units.

    Wider than the normal one, and the honest choice for few units. Of no units it is 0..1.

    Args:
        units: Independent units in the order seen: score 0..1 and weight above 0.
        level: Two-sided confidence, above 0 and below 1.
        max_weight: Greatest weight that could have come up.

    Raises:
        ValueError: Where an argument is outside its range.
    """
    check_share("level", level)
    alpha = (1.0 - level) / 2.0
    low = lower_bound(units, alpha, max_weight)
    high = 1.0 - lower_bound([(1.0 - x, weight) for x, weight in units], alpha, max_weight)
    return Interval(low, high)


def _bets(pairs: Sequence[tuple[float, float]], goal: float) -> list[float]:
    # Starting counts of one unit, at mean 1/2 and variance 1/4, keep the first bets small.
    bets: list[float] = []
    weights, total, squares = 1.0, 0.5, 0.25
    for count, (x, share) in enumerate(pairs, 1):
        bets.append(math.sqrt(2.0 * goal * count / (len(pairs) * squares)))
        weights, total = weights + share, total + share * x
        squares += (share * (x - total / weights)) ** 2
    return bets

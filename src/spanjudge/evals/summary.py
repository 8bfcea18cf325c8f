"""What a list of outcomes amounts to: mean, interval, and what was left out and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from spanjudge.detect.betting import mean_interval
from spanjudge.detect.moments import LEAST_N, Moments
from spanjudge.model import Score, Skip

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from spanjudge.model import Failure, Outcome
    from spanjudge.semconv import FailureCode, SkipCode

Missing: TypeAlias = Literal["exclude", "zero"]
Method: TypeAlias = Literal["wilson", "betting", "normal"]

# Of fewer scores every interval is so wide that its ends would only look like knowledge.
LEAST_SCORES: Final = 5
_LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One scorer's scores over a data set.

    ``mean`` is that of the items' scores (0..scale), None of none. ``low`` and ``high`` bound the mean of all items
    that the data set stands for, at 95 %, by ``method``; None of fewer than 5 scores. ``n`` counts the scores,
    ``left_out`` the items without one, by reason code.
    """

    mean: float | None
    low: float | None
    high: float | None
    n: int
    left_out: dict[SkipCode | FailureCode, int] = field(default_factory=dict)
    method: Method | None = None


def counted_score(outcome: Outcome, zeros: Collection[SkipCode], missing: Missing) -> float | None:
    """Return the score that enters the mean, None where the item is left out.

    With ``missing="zero"`` a skip for one of the ``zeros`` counts as 0; a failure never does.
    """
    if isinstance(outcome, Score):
        return outcome.score
    return 0.0 if _is_zero(outcome, zeros, missing) else None


def summarise(
    outcomes: Iterable[Outcome], *, scale: float = 1, zeros: Collection[SkipCode] = (), missing: Missing = "exclude"
) -> Summary:
    """Sum outcomes of one scorer up.

    The interval is Wilson's where all scores are 0 or ``scale``; otherwise that of betting (Waudby-Smith and Ramdas,
    arXiv 2010.09686), which holds for any number of scores, and from 100 scores on the normal one.

    Args:
        outcomes: One per item, in the order of the data.
        scale: The scorer's greatest score.
        zeros: Skips that count as 0 with ``missing="zero"``.
        missing: What to do with them.
    """
    scores: list[float] = []
    left_out: Counter[SkipCode | FailureCode] = Counter()
    for outcome in outcomes:
        if isinstance(outcome, Score):
            scores.append(outcome.score)
        elif _is_zero(outcome, zeros, missing):
            scores.append(0.0)
        else:
            left_out[outcome.code] += 1
    low, high, method = _interval([min(score / scale, 1.0) for score in scores])
    mean = sum(scores) / len(scores) if scores else None
    return Summary(
        mean=mean,
        low=None if low is None else low * scale,
        high=None if high is None else high * scale,
        n=len(scores),
        left_out=dict(left_out),
        method=method,
    )


def _is_zero(outcome: Skip | Failure, zeros: Collection[SkipCode], missing: Missing) -> bool:
    return missing == "zero" and isinstance(outcome, Skip) and outcome.code in zeros


def _interval(shares: list[float]) -> tuple[float | None, float | None, Method | None]:
    if len(shares) < LEAST_SCORES:
        return None, None, None
    moments = sum((Moments().add(share) for share in shares), Moments())
    interval = moments.interval(_LEVEL, LEAST_N)
    if interval is not None:
        return interval.low, interval.high, "wilson" if moments.binary else "normal"
    # A bettor's interval need not hold the mean itself; to widen it costs no truth.
    mean = sum(shares) / len(shares)
    interval = mean_interval([(share, 1.0) for share in shares], _LEVEL)
    return min(interval.low, mean), max(interval.high, mean), "betting"

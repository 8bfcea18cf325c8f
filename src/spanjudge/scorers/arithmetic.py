"""From verdicts to numbers: pure, and always over the items that were asked about."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Final

from spanjudge.model import Counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spanjudge.model import Label, Verdict

_EPSILON: Final = 2.220446049250313e-16
_BANDS: Final[tuple[tuple[float, Label], ...]] = ((0.9, "excellent"), (0.7, "good"), (0.4, "fair"))
# A share such as (1 + 0.3 * 2) / 2 may miss its band by one bit.
_TOLERANCE: Final = 1e-9


def round_half_up(value: float) -> float:
    """Round to two decimals, halves up, as people expect and ``round`` does not.

    >>> round_half_up(1 / 8), round_half_up(3 / 40), round(1 / 8, 2)
    (0.13, 0.08, 0.12)
    """
    return math.floor((value + _EPSILON) * 100 + 0.5) / 100


def scaled(share: float, scale: float) -> float:
    """Return the score that people see: ``share`` (0..1) times ``scale``, two decimals, within 0..scale.

    >>> scaled(2 / 3, 10)
    6.67
    """
    return min(max(round_half_up(share * scale), 0.0), float(scale))


def count(verdicts: Iterable[Verdict]) -> Counts:
    """Count verdicts by word; a missing one counts in ``missing`` and in the word that it took."""
    held = tuple(verdicts)
    words = Counter(verdict.verdict for verdict in held)
    return Counts(
        total=len(held),
        yes=words["yes"],
        unsure=words["unsure"],
        no=words["no"],
        missing=sum(verdict.missing for verdict in held),
    )


def share_of_yes(counts: Counts) -> float:
    """Return yes / total, 0 where nothing was asked (context recall, faithfulness).

    >>> share_of_yes(Counts(total=4, yes=3, unsure=1))
    0.75
    """
    return counts.yes / counts.total if counts.total else 0.0


def weighted_relevancy(counts: Counts, uncertainty_weight: float) -> float:
    """Return (yes + weight * unsure) / total, 0 where nothing was asked (answer relevancy).

    Args:
        counts: Verdicts on the statements of the answer.
        uncertainty_weight: What an ``unsure`` is worth, 0..1.

    >>> weighted_relevancy(Counts(total=2, yes=1, unsure=1), 0.3)
    0.65
    """
    return (counts.yes + uncertainty_weight * counts.unsure) / counts.total if counts.total else 0.0


def average_precision(relevant: Sequence[bool]) -> float:
    """Return the mean of precision@k over the ranks that hold a relevant piece, 0 where none does.

    Args:
        relevant: Whether the piece is relevant, by rank. Non-interpolated average precision: Manning, Raghavan,
            Schuetze, Introduction to Information Retrieval (2008), section 8.4, with R = relevant pieces retrieved.

    >>> round_half_up(average_precision([True, False, True, False]))
    0.83
    """
    hits = 0
    total = 0.0
    for rank, is_relevant in enumerate(relevant, start=1):
        if is_relevant:
            hits += 1
            total += hits / rank
    return min(total / hits, 1.0) if hits else 0.0


def label_of(share: float) -> Label:
    """Name the band of an unrounded share in 0..1.

    >>> [label_of(share) for share in (1.0, 0.7, 0.4, 0.01, 0.0)]
    ['excellent', 'good', 'fair', 'poor', 'none']
    """
    for bound, label in _BANDS:
        if share >= bound - _TOLERANCE:
            return label
    return "poor" if share > 0 else "none"

"""The claims of ground truths that retrieval misses most often."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spanjudge.model import Score
from spanjudge.report.cut import SHORT, cut

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spanjudge.report.runs import JudgedRun

RECALL: Final = "context_recall"


@dataclass(frozen=True, slots=True)
class MissedClaim:
    """A claim, one question that it belongs to, and how many of its runs did not retrieve it."""

    claim: str
    question: str
    missed: int
    asked: int


def missed_claims(runs: Iterable[JudgedRun], most: int = 10) -> tuple[MissedClaim, ...]:
    """Return the claims that recall found missing, the most often missed first.

    Args:
        runs: Judged runs.
        most: Claims wanted.
    """
    asked: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    questions: dict[str, str] = {}
    for run in runs:
        evaluation = run.evaluations.get(RECALL)
        if evaluation is None or not isinstance(evaluation.outcome, Score):
            continue
        for verdict in evaluation.outcome.verdicts:
            asked[verdict.item] += 1
            missed[verdict.item] += verdict.verdict != "yes"
            questions.setdefault(verdict.item, run.run.query or "")
    ranked = sorted((claim for claim in missed if missed[claim]), key=lambda claim: (-missed[claim], asked[claim]))
    return tuple(
        MissedClaim(cut(claim, SHORT), cut(questions[claim], SHORT), missed[claim], asked[claim])
        for claim in ranked[:most]
    )

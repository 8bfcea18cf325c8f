"""Evaluations put together by run, in the order in which the runs were made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from spanjudge.model import Score
from spanjudge.settings import DEFAULT_SCORERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from spanjudge.model import Evaluation, RagRun


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """A run with its evaluations by scorer; ``position`` counts runs from 0."""

    position: int
    run: RagRun
    evaluations: Mapping[str, Evaluation]

    def share(self, scorer: str) -> float | None:
        """Return a scorer's exact score in 0..1, None where there is none."""
        evaluation = self.evaluations.get(scorer)
        outcome = evaluation.outcome if evaluation else None
        return outcome.share if isinstance(outcome, Score) else None


def judged_runs(evaluations: Iterable[Evaluation]) -> tuple[JudgedRun, ...]:
    """Put evaluations together by run; runs without a span are told apart by identity.

    Runs come in the order of their starts, those without times in the order given.

    Args:
        evaluations: In any order; of a scorer's repeats on one run the last counts.
    """
    by_run: dict[str | int, tuple[RagRun, dict[str, Evaluation]]] = {}
    for evaluation in evaluations:
        key = evaluation.run.run_id or id(evaluation.run)
        by_run.setdefault(key, (evaluation.run, {}))[1][evaluation.outcome.scorer] = evaluation
    ordered = sorted(by_run.values(), key=lambda pair: pair[0].started_ns)
    return tuple(JudgedRun(position, run, found) for position, (run, found) in enumerate(ordered))


def scorers_of(runs: Iterable[JudgedRun]) -> tuple[str, ...]:
    """Return the scorers that judged any of the runs: the default ones in their order, then the others by name."""
    found = {scorer for run in runs for scorer in run.evaluations}
    known = [scorer for scorer in DEFAULT_SCORERS if scorer in found]
    return (*known, *sorted(found - set(known)))

"""How the evidence of a regression grew, run by run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from spanjudge.model import Score

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spanjudge.detect.regression import Evidence, RegressionDetector
    from spanjudge.detect.regression_settings import DetectorKind
    from spanjudge.report.runs import JudgedRun


@dataclass(frozen=True, slots=True)
class Step:
    """One score and where the alarm stood after it."""

    position: int
    share: float
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Trail:
    """All steps of one scorer, and the kind and threshold of the detector."""

    scorer: str
    steps: tuple[Step, ...]
    threshold: float
    kind: DetectorKind

    @property
    def alarm(self) -> int | None:
        """Position of the run that raised the alarm, None where none did."""
        return next((step.position for step in self.steps if step.evidence.crossed), None)


def follow(scorer: str, runs: Iterable[JudgedRun], detector: RegressionDetector) -> Trail:
    """Feed a scorer's scores to a detector in the order of the runs.

    Args:
        scorer: Scorer id.
        runs: Judged runs, each an independent unit.
        detector: A detector that has seen nothing; it is moved on.
    """
    steps: list[Step] = []
    for run in runs:
        evaluation = run.evaluations.get(scorer)
        if evaluation is not None and isinstance(evaluation.outcome, Score):
            share = evaluation.outcome.share
            steps.append(Step(run.position, share, detector.update(share, 1.0 / evaluation.inclusion_probability)))
    return Trail(scorer, tuple(steps), detector.settings.threshold, detector.settings.kind)

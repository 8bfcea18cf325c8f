"""Evidence of a regression, one detector per series, as the three ``spanjudge.regression.*`` gauges."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Final

from opentelemetry import metrics

from spanjudge import semconv
from spanjudge.detect.regression import RegressionDetector
from spanjudge.model import Score
from spanjudge.sinks.scope import SCOPE_VERSION
from spanjudge.sinks.target import context_of

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider

    from spanjudge.model import Evaluation

MOST_SERIES: Final = 200


class RegressionSink:
    """Feeds each score to the detector of its series: scorer, agent and evaluator version.

    Every run is taken as one unit of equal weight; a series starts afresh with the process and with each evaluator
    version. Beyond 200 series new ones are not watched.

    Args:
        meter_provider: Where the gauges are made (default: the global provider).
        baseline_runs: Scores from which a series' baseline is made.
    """

    def __init__(self, meter_provider: MeterProvider | None = None, *, baseline_runs: int = 200) -> None:
        meter = metrics.get_meter(semconv.SCOPE, SCOPE_VERSION, meter_provider=meter_provider)
        self._baseline_runs = baseline_runs
        self._detectors: dict[tuple[str, str, str], RegressionDetector] = {}
        self._evidence = meter.create_gauge(
            semconv.METRIC_EVIDENCE, unit="{nat}", description="Log of the evidence's running maximum since the reset."
        )
        self._current = meter.create_gauge(
            semconv.METRIC_EVIDENCE_CURRENT, unit="{nat}", description="Log of the evidence now."
        )
        self._threshold = meter.create_gauge(
            semconv.METRIC_THRESHOLD, unit="{nat}", description="Log evidence at which there is a regression."
        )

    def emit(self, evaluation: Evaluation, /) -> None:
        """Move the evidence of the score's series on."""
        outcome, run = evaluation.outcome, evaluation.run
        if not isinstance(outcome, Score):
            return
        key = (outcome.scorer, run.agent or "", evaluation.evaluator_version)
        detector = self._detectors.get(key)
        if detector is None:
            if len(self._detectors) >= MOST_SERIES:
                return
            detector = RegressionDetector(baseline_n=self._baseline_runs, detector_id=uuid.uuid4().hex)
            self._detectors[key] = detector
        evidence = detector.update(outcome.share)
        if evidence.log_current is None or evidence.log_max is None:
            return
        labels = {
            semconv.EVALUATION_NAME: outcome.scorer,
            semconv.EVALUATOR_VERSION: evaluation.evaluator_version,
            semconv.DETECTOR: detector.settings.kind,
            semconv.DETECTOR_ID: detector.detector_id,
        }
        if run.agent:
            labels[semconv.AGENT_NAME] = run.agent
        context = context_of(run.target)
        self._evidence.set(evidence.log_max, labels, context=context)
        self._current.set(evidence.log_current, labels, context=context)
        self._threshold.set(evidence.threshold, labels, context=context)

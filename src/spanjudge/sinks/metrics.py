"""Scores and the pipeline's own state as metrics, recorded in the target's context so that exemplars point at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opentelemetry import metrics

from spanjudge import semconv
from spanjudge.detect.moments import of_unit
from spanjudge.model import Score
from spanjudge.sinks.labels import Labels
from spanjudge.sinks.scope import SCOPE_VERSION
from spanjudge.sinks.target import context_of, judged_target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opentelemetry.metrics import MeterProvider

    from spanjudge.ledger import Candidate
    from spanjudge.model import Evaluation, RagRun, Usage
    from spanjudge.semconv import DropCode, FailureCode, OutcomeWord, RunDecision, SkipCode


class Metrics:
    """A sink for evaluations and the ledger's listener.

    Args:
        meter_provider: Where the instruments are made (default: the global provider).
        attributes: Attributes of the run that the user wants as labels.
    """

    def __init__(self, meter_provider: MeterProvider | None = None, attributes: Sequence[str] = ()) -> None:
        meter = metrics.get_meter(semconv.SCOPE, SCOPE_VERSION, meter_provider=meter_provider)
        self._labels = Labels(attributes)
        self._score = meter.create_histogram(
            semconv.METRIC_SCORE,
            unit="{score}",
            description="Scores as a share of the scale.",
            explicit_bucket_boundaries_advisory=semconv.SCORE_BOUNDS,
        )
        self._moments = meter.create_counter(
            semconv.METRIC_MOMENTS, unit="{score}", description="Weighted sums that give mean and interval."
        )
        self._verdicts = meter.create_counter(
            semconv.METRIC_VERDICTS, unit="{verdict}", description="Verdicts of the judge."
        )
        self._traces = meter.create_counter(
            semconv.METRIC_TRACES, unit="{trace}", description="Local roots, taken or not at the hot test."
        )
        self._runs = meter.create_counter(
            semconv.METRIC_RUNS, unit="{run}", description="Assembled runs by what was decided on them."
        )
        self._candidates = meter.create_counter(
            semconv.METRIC_CANDIDATES, unit="{evaluation}", description="Runs offered to a scorer."
        )
        self._evaluations = meter.create_counter(
            semconv.METRIC_EVALUATIONS, unit="{evaluation}", description="Candidates by their final state."
        )
        self._pending = meter.create_up_down_counter(
            semconv.METRIC_PENDING, unit="{evaluation}", description="Candidates without a final state yet."
        )
        self._queue_size = meter.create_gauge(semconv.METRIC_QUEUE_SIZE, unit="{run}", description="Runs that wait.")
        self._queue_capacity = meter.create_gauge(
            semconv.METRIC_QUEUE_CAPACITY, unit="{run}", description="Runs that may wait."
        )
        self._lag = meter.create_histogram(
            semconv.METRIC_LAG,
            unit="s",
            description="From the end of the run to its score.",
            explicit_bucket_boundaries_advisory=semconv.LAG_BOUNDS,
        )
        self._last_score = meter.create_gauge(
            semconv.METRIC_LAST_SCORE, unit="s", description="When the last score was given, Unix time."
        )
        self._duration = meter.create_histogram(
            semconv.METRIC_CLIENT_DURATION,
            unit="s",
            description="Duration of judge calls.",
            explicit_bucket_boundaries_advisory=semconv.DURATION_BOUNDS,
        )
        self._tokens = meter.create_histogram(
            semconv.METRIC_CLIENT_TOKENS,
            unit="{token}",
            description="Tokens of judge calls.",
            explicit_bucket_boundaries_advisory=semconv.TOKEN_BOUNDS,
        )
        self._cost = meter.create_counter(
            semconv.METRIC_JUDGE_COST, unit="{usd}", description="Cost of judge calls whose price is known."
        )

    def emit(self, evaluation: Evaluation, /) -> None:
        """Record a score; the other outcomes are counted through the ledger."""
        outcome, run = evaluation.outcome, evaluation.run
        if not isinstance(outcome, Score):
            return
        context = context_of(run.target)
        labels = {
            **self._labels.of_run(run),
            semconv.EVALUATION_NAME: outcome.scorer,
            semconv.EVALUATOR_VERSION: evaluation.evaluator_version,
            semconv.SOURCE: evaluation.source,
        }
        self._score.record(outcome.share, labels, context=context)
        sums = of_unit(outcome.share, 1.0 / evaluation.inclusion_probability)
        for moment in ("w", "wx", "ww", "wwx", "wwxx"):
            self._moments.add(getattr(sums, moment), {**labels, semconv.MOMENT: moment}, context=context)
        for word in ("yes", "unsure", "no", "missing"):
            number = getattr(outcome.counts, word)
            if number:
                self._verdicts.add(number, {**labels, semconv.VERDICT: word}, context=context)
        if run.ended_ns:
            lag = max(0.0, (evaluation.ended_ns - run.ended_ns) / 1e9)
            self._lag.record(lag, labels, context=context)
        self._last_score.set(evaluation.ended_ns / 1e9, labels, context=context)

    def trace(self, decision: str, number: int) -> None:
        """Count local roots at the hot test."""
        self._traces.add(number, {semconv.DECISION: decision})

    def run(self, run: RagRun | None, decision: RunDecision, code: SkipCode | DropCode | None) -> None:
        """Count a run by the decision on it."""
        labels = {**self._labels.of_run(run), semconv.DECISION: decision}
        if code:
            labels[semconv.REASON_CODE] = code
        self._runs.add(1, labels, context=context_of(run.target if run else None))

    def candidate(self, candidate: Candidate) -> None:
        """Count a candidate, pending for now."""
        labels = self._of_candidate(candidate)
        self._candidates.add(1, labels, context=context_of(candidate.run.target))
        self._pending.add(1, {semconv.EVALUATION_NAME: candidate.scorer})

    def settled(self, candidate: Candidate, outcome: OutcomeWord, code: str | None) -> None:
        """Count a candidate in its final state."""
        labels = {**self._of_candidate(candidate), semconv.OUTCOME: outcome}
        if code:
            labels[semconv.REASON_CODE] = code
        self._evaluations.add(1, labels, context=context_of(candidate.run.target))
        self._pending.add(-1, {semconv.EVALUATION_NAME: candidate.scorer})

    def queue(self, size: int, capacity: int) -> None:
        """Show how many runs wait, and how many may."""
        self._queue_size.set(size)
        self._queue_capacity.set(capacity)

    def judged(self, model: str, usage: Usage, seconds: float, error: FailureCode | None) -> None:
        """Record what one question to the judge took; what is not known is not recorded."""
        labels: dict[str, str | bool] = {
            semconv.JUDGE_MARK: True,
            semconv.OPERATION_NAME: "chat",
            semconv.PROVIDER_NAME: model.partition("/")[0],
            semconv.REQUEST_MODEL: model,
        }
        context = context_of(judged_target.get())
        timed = {**labels, semconv.ERROR_TYPE: error} if error else labels
        self._duration.record(seconds, timed, context=context)
        for kind, tokens in (("input", usage.input_tokens), ("output", usage.output_tokens)):
            if tokens:
                self._tokens.record(tokens, {**labels, semconv.TOKEN_TYPE: kind}, context=context)
        if usage.cost:
            self._cost.add(usage.cost, labels, context=context)

    def _of_candidate(self, candidate: Candidate) -> dict[str, str]:
        return {
            **self._labels.of_run(candidate.run),
            semconv.EVALUATION_NAME: candidate.scorer,
            semconv.EVALUATOR_VERSION: candidate.evaluator_version,
            semconv.SOURCE: candidate.source,
        }

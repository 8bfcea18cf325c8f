"""From what the user gave to a worker with its intake and pipeline."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, cast

from spanjudge.assembly import AssemblyLimits, OpenTraces
from spanjudge.clock import SystemClock
from spanjudge.dialects.reading import Reading
from spanjudge.errors import InputError
from spanjudge.golden import Embeddings, reference_lookup
from spanjudge.intake import Intake
from spanjudge.judge.metered import MeteredJudge
from spanjudge.judge.quiet import QUIET_TRACE_ID
from spanjudge.judge.select import judge_for
from spanjudge.ledger import Ledger
from spanjudge.pipeline import Assignment, Pipeline, Plan
from spanjudge.scorers.registry import chosen_scorers
from spanjudge.settings import load
from spanjudge.sinks.detector import RegressionSink
from spanjudge.sinks.evaluation_span import EvaluationSpanSink
from spanjudge.sinks.log_event import LogEventSink
from spanjudge.sinks.metrics import Metrics
from spanjudge.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from spanjudge.golden import Lookup
    from spanjudge.guard import Guard
    from spanjudge.inbox import Inbox
    from spanjudge.judge.ask import Judge
    from spanjudge.providers import Providers
    from spanjudge.scorers.scorer import Scorer
    from spanjudge.settings import ResolveFunction, Settings
    from spanjudge.sinks import Sink


_FUNCTIONS: Final = ("resolve_documents", "embed_questions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """Builds the worker's parts, once in each process that has a worker."""

    settings: Settings
    judge: Judge
    scorers: tuple[Scorer, ...]
    lookup: Lookup | None
    resolve_documents: ResolveFunction | None
    sinks: tuple[Sink, ...]
    reading: Reading
    providers: Providers
    guard: Guard
    not_taken: Callable[[], int]

    def __call__(self, inbox: Inbox) -> tuple[Intake, Pipeline]:
        """Make intake and pipeline around the inbox."""
        settings, clock = self.settings, SystemClock()
        metrics = Metrics(self.providers.meter, settings.metric_attributes)
        ledger = Ledger(metrics)
        limits = AssemblyLimits(
            linger_s=settings.linger_s,
            max_age_s=settings.max_trace_age_s,
            max_traces=settings.max_open_traces,
            max_bytes_per_trace=settings.max_trace_bytes,
        )
        intake = Intake(
            inbox,
            OpenTraces(limits, reading=self.reading),
            ledger,
            self.guard,
            not_taken=self.not_taken,
            quiet_trace_id=QUIET_TRACE_ID,
        )
        plan = Plan(
            assignments=tuple(self._assignment(scorer, metrics) for scorer in self.scorers),
            sinks=(
                EvaluationSpanSink(self.providers.tracer, self.guard),
                LogEventSink(self.providers.logger),
                metrics,
                RegressionSink(self.providers.meter, baseline_runs=settings.baseline_runs),
                *self.sinks,
            ),
            lookup=self.lookup,
            golden_rate=settings.golden_rate,
            resolve_documents=self.resolve_documents,
            lookup_timeout_s=settings.lookup_timeout_s,
            missing_ground_truth=settings.missing_ground_truth,
            queue_size=settings.queue_size,
            concurrency=settings.concurrency,
            run_timeout_s=settings.run_timeout_s,
        )
        return intake, Pipeline(plan, ledger, self.guard, clock)

    def _assignment(self, scorer: Scorer, metrics: Metrics) -> Assignment:
        settings = self.settings
        if not scorer.asks:
            return Assignment(scorer, None, settings.rate(scorer.id), scorer.version())
        judge = MeteredJudge(scorer.judge or self.judge, metrics, SystemClock().monotonic)
        return Assignment(scorer, judge, settings.rate(scorer.id), scorer.version(judge))


def build(
    arguments: Mapping[str, object],
    *,
    sinks: tuple[Sink, ...],
    reading: Reading | None,
    providers: Providers,
    guard: Guard,
    not_taken: Callable[[], int],
) -> tuple[Worker, float]:
    """Check all that the user gave, and make the worker.

    Returns:
        The worker, and the highest rate that any scorer, or a reference, could ask for: the hot test's.

    Raises:
        InputError: Where something cannot be used, in one sentence.
    """
    judge, scorers, ground_truth = (arguments.get(name) for name in ("judge", "scorers", "ground_truth"))
    resolve_documents, embed_questions = (_function(name, arguments.get(name)) for name in _FUNCTIONS)
    names = _is_names(scorers)
    settings = load(
        {
            **{name: value for name, value in arguments.items() if name not in _FUNCTIONS},
            "judge": judge if isinstance(judge, str) else None,
            "scorers": scorers if names else None,
            "ground_truth": ground_truth if isinstance(ground_truth, str) else None,
        }
    )
    chosen = chosen_scorers(settings.scorers if names else cast("Sequence[str | Scorer]", scorers))
    checked_rates(settings, chosen)
    builder = Builder(
        settings=settings,
        judge=judge_for(
            settings.judge if judge is None else cast("str | Judge", judge),
            timeout_s=settings.judge_timeout_s,
            max_attempts=settings.judge_max_attempts,
        ),
        scorers=chosen,
        lookup=reference_lookup(
            settings.ground_truth if ground_truth is None else ground_truth,
            threshold=settings.golden_threshold,
            embeddings=embed_questions and Embeddings(embed_questions, settings.golden_embedding_threshold),
            guard=guard,
        ),
        resolve_documents=resolve_documents,
        sinks=sinks,
        reading=_with_labels(reading or Reading(), settings.metric_attributes),
        providers=providers,
        guard=guard,
        not_taken=not_taken,
    )
    worker = Worker(
        inbox_size=settings.inbox_size,
        build=builder,
        guard=guard,
        clock=SystemClock(),
        shutdown_timeout_s=settings.shutdown_timeout_s,
        forked=not_taken,
    )
    rates = [settings.rate(scorer.id) for scorer in chosen]
    if settings.golden_rate is not None:
        # Whether a run has a reference shows only when it is put together.
        rates.append(settings.golden_rate)
    return worker, 0.0 if settings.disabled else max(rates)


def _with_labels(reading: Reading, names: Sequence[str]) -> Reading:
    return replace(reading, keep_attributes={*reading.keep_attributes, *names})


def _function(name: str, value: object) -> Any:
    if value is None or callable(value):
        return value
    message = f'"{name}" must be a function, not {value!r} (given as argument).'
    raise InputError(message)


def _is_names(scorers: object) -> bool:
    if scorers is None or isinstance(scorers, str) or not scorers:
        return True
    return isinstance(scorers, (list, tuple)) and all(isinstance(item, str) for item in scorers)


def checked_rates(settings: Settings, scorers: Sequence[Scorer]) -> None:
    """Check that every rate is of a scorer that is there.

    Raises:
        InputError: Where a rate names another.
    """
    ids = [scorer.id for scorer in scorers]
    unknown = sorted(name for name in settings.sample_rate if name != "*" and name not in ids)
    if unknown:
        message = f'"sample_rate" names {unknown[0]!r}, which is none of the scorers in use: {", ".join(ids)}.'
        raise InputError(message)

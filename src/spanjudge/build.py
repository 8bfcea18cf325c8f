"""From settings to a working intake and pipeline."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from spanjudge.assembly import AssemblyLimits, OpenTraces
from spanjudge.clock import SystemClock
from spanjudge.dataset import read_references
from spanjudge.errors import InputError
from spanjudge.golden import GoldenSet
from spanjudge.intake import Intake
from spanjudge.judge.metered import MeteredJudge
from spanjudge.judge.quiet import QUIET_TRACE_ID
from spanjudge.ledger import Ledger
from spanjudge.pipeline import Assignment, Pipeline, Plan
from spanjudge.scorers import as_scorer
from spanjudge.sinks.detector import RegressionSink
from spanjudge.sinks.evaluation_span import EvaluationSpanSink
from spanjudge.sinks.log_event import LogEventSink
from spanjudge.sinks.metrics import Metrics

if TYPE_CHECKING:
    from opentelemetry._logs import LoggerProvider
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider

    from spanjudge.golden import Lookup
    from spanjudge.guard import Guard
    from spanjudge.inbox import Inbox
    from spanjudge.judge.ask import Judge
    from spanjudge.scorers.scorer import Scorer
    from spanjudge.settings import Settings
    from spanjudge.sinks import Sink


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """Builds the worker's parts, once in each process that has a worker."""

    settings: Settings
    judge: Judge
    scorers: tuple[Scorer, ...]
    lookup: Lookup | None
    sinks: tuple[Sink, ...]
    tracer_provider: TracerProvider | None
    meter_provider: MeterProvider | None
    logger_provider: LoggerProvider | None
    guard: Guard
    not_taken: Callable[[], int]

    @property
    def highest_rate(self) -> float:
        """The highest rate that any scorer could ask for."""
        return max((self.settings.rate(scorer.id) for scorer in self.scorers), default=0.0)

    def __call__(self, inbox: Inbox) -> tuple[Intake, Pipeline]:
        """Make intake and pipeline around the inbox."""
        settings, clock = self.settings, SystemClock()
        metrics = Metrics(self.meter_provider, settings.metric_attributes)
        ledger = Ledger(metrics)
        limits = AssemblyLimits(
            linger_s=settings.linger_s,
            max_age_s=settings.max_trace_age_s,
            max_traces=settings.max_open_traces,
            max_bytes_per_trace=settings.max_trace_bytes,
        )
        intake = Intake(
            inbox,
            OpenTraces(limits),
            ledger,
            self.guard,
            not_taken=self.not_taken,
            quiet_trace_id=QUIET_TRACE_ID,
        )
        plan = Plan(
            assignments=tuple(self._assignment(scorer, metrics) for scorer in self.scorers),
            sinks=(
                EvaluationSpanSink(self.tracer_provider),
                LogEventSink(self.logger_provider),
                metrics,
                RegressionSink(self.meter_provider, baseline_runs=settings.baseline_runs),
                *self.sinks,
            ),
            lookup=self.lookup,
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


def chosen_scorers(scorers: Sequence[str | Scorer | Callable[..., object]]) -> tuple[Scorer, ...]:
    """Make scorers of names, objects and functions.

    Raises:
        InputError: Where two have the same id, or one is no scorer.
    """
    made = tuple(as_scorer(item) for item in scorers)
    ids = [scorer.id for scorer in made]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        message = f"Two scorers are called {twice[0]!r}; each scorer needs an id of its own."
        raise InputError(message)
    return made


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


def reference_lookup(ground_truth: object) -> Lookup | None:
    """Make a look-up of a file, a mapping or a function.

    Raises:
        InputError: Where the file cannot be read, naming its line; or where it is none of the three.
    """
    if ground_truth is None:
        return None
    if isinstance(ground_truth, (str, os.PathLike)):
        return GoldenSet(read_references(Path(ground_truth)))
    if isinstance(ground_truth, Mapping):
        return GoldenSet(ground_truth)
    if callable(ground_truth):
        return cast("Lookup", ground_truth)
    message = f'"ground_truth" must be a path, a mapping or a function, not {ground_truth!r} (given as argument).'
    raise InputError(message)

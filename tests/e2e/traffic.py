"""Judged traffic of a service without the judging: every metric of ours, in steps, as an application would send it."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource

from judged import run_number, scored
from spanjudge.detect.moments import Moments
from spanjudge.ledger import Candidate
from spanjudge.model import Counts, Usage
from spanjudge.settings import DEFAULT_SCORERS
from spanjudge.sinks.detector import RegressionSink
from spanjudge.sinks.metrics import Metrics

if TYPE_CHECKING:
    from collections.abc import Callable

SERVICE: Final = "shop"
STEPS: Final = 4
RUNS: Final = 40
PROBABILITIES: Final = (1.0, 0.5, 0.25)


def share(number: int) -> float:
    """Score of a run: of all sizes, the mean above one half."""
    return (number * 7 % 11) / 10


class Traffic:
    """Sends metrics to where OTLP over HTTP is taken.

    Args:
        endpoint: The whole URL.
    """

    def __init__(self, endpoint: str) -> None:
        resource = Resource.create(
            {"service.name": SERVICE, "service.version": "1.0", "deployment.environment.name": "test"}
        )
        reader = PeriodicExportingMetricReader(OTLPMetricExporter(endpoint), export_interval_millis=3_600_000)
        self._provider = MeterProvider([reader], resource=resource, shutdown_on_exit=False)
        self._metrics = Metrics(self._provider)
        self._detector = RegressionSink(self._provider, baseline_runs=20)
        self._sent = 0

    def step(self) -> Moments:
        """Send what some runs bring; returns the sums of all their scores, the same for each scorer."""
        sums = Moments()
        for number in range(self._sent, self._sent + RUNS):
            sums += self._run(number)
        self._sent += RUNS
        self._metrics.trace("taken", RUNS)
        self._metrics.trace("not_taken", RUNS)
        self._metrics.run(run_number(0), "incomplete", "no_content_captured")
        self._metrics.queue(3, 256)
        self._provider.force_flush()
        return sums

    def _run(self, number: int) -> Moments:
        metrics, now = self._metrics, time.time_ns()
        run = run_number(number, agent="clerk", data_source="shelf", ended_ns=now - 2_000_000_000)
        probability = PROBABILITIES[number % len(PROBABILITIES)]
        metrics.run(run, "sampled", None)
        for scorer in DEFAULT_SCORERS:
            candidate = Candidate(run, scorer, "v1")
            metrics.candidate(candidate)
            if number % 20 == 0:
                metrics.settled(candidate, "failed", "judge_timeout")
                continue
            metrics.settled(candidate, "scored", None)
            counts = Counts(total=3, yes=1, unsure=1, no=1)
            evaluation = replace(scored(run, share(number), scorer, probability, counts=counts), ended_ns=now)
            metrics.emit(evaluation)
            self._detector.emit(evaluation)
        usage = Usage(calls=1, input_tokens=900, output_tokens=60, cost=0.001)
        metrics.judged("a-model", usage, 0.4, None)
        return Moments() if number % 20 == 0 else Moments().add(share(number), 1 / probability)

    def shutdown(self) -> None:
        """Stop sending."""
        self._provider.shutdown()


def seed(endpoint: str, pause_s: float, between: Callable[[], object] = lambda: None) -> tuple[Traffic, Moments]:
    """Send traffic in steps; returns the sums of the scores after the first step."""
    traffic, sums = Traffic(endpoint), Moments()
    for number in range(STEPS):
        sent = traffic.step()
        if number:
            sums += sent
        else:
            between()
        time.sleep(pause_s)
    return traffic, sums

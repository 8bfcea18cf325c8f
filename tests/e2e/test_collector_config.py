"""Every Collector configuration, loaded by a real Collector, does what its first lines promise."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

from e2e.backends.binaries import need
from e2e.backends.server import eventually
from e2e.backends.stack import CONFIG, Collector, Jaeger, Prometheus, collector, jaeger, prometheus
from judged import run_number, scored
from spanjudge.model import TargetSpan
from spanjudge.promql import translate
from spanjudge.sinks.evaluation_span import EvaluationSpanSink
from spanjudge.sinks.metrics import Metrics

pytestmark = pytest.mark.usefixtures("backends")

SERVICE = "shop"


@pytest.fixture(scope="module")
def traces(backends: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Jaeger]:
    del backends
    with jaeger(tmp_path_factory.mktemp("jaeger")) as running:
        yield running


class Application:
    """Sends spans and scores to a Collector, each at once."""

    def __init__(self, to: Collector) -> None:
        self._resource = Resource({"service.name": SERVICE})
        self.provider = TracerProvider(resource=self._resource, shutdown_on_exit=False)
        self.provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter(f"{to.otlp}/v1/traces")))
        self._sink = EvaluationSpanSink(self.provider)
        self._to = to

    def answer(self, text: str = "24 months") -> trace.SpanContext:
        with self.provider.get_tracer("shop").start_as_current_span("answer") as span:
            span.set_attribute("output.value", text)
            return span.get_span_context()

    def judge(self, context: trace.SpanContext, share: float, label: str, **changes: Any) -> None:
        target = TargetSpan(trace_id=f"{context.trace_id:032x}", span_id=f"{context.span_id:016x}")
        self._sink.emit(scored(run_number(1, target=target), share, label=label, **changes))

    def send_metrics(self, shares: list[float]) -> None:
        exporter = OTLPMetricExporter(f"{self._to.otlp}/v1/metrics")
        reader = PeriodicExportingMetricReader(exporter, export_interval_millis=60_000)
        provider = MeterProvider([reader], resource=self._resource, shutdown_on_exit=False)
        metrics = Metrics(provider)
        metrics.queue(0, 256)
        for number, share in enumerate(shares):
            metrics.emit(scored(run_number(number), share))
        provider.shutdown()


@pytest.mark.parametrize("config", sorted(path.name for path in CONFIG.glob("collector*.yaml")))
def test_collector_takes_the_configuration(config: str) -> None:
    done = subprocess.run(
        [need("otelcol"), "validate", f"--config={CONFIG / config}"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_prometheus_and_alertmanager_take_theirs() -> None:
    for tool in ("promtool", "promtool2"):
        subprocess.run([need(tool), "check", "config", CONFIG / "prometheus.yaml"], check=True, capture_output=True)
    subprocess.run([need("amtool"), "check-config", CONFIG / "alertmanager.yaml"], check=True, capture_output=True)


def test_addresses_in_reasons_and_answers_are_masked(traces: Jaeger, tmp_path: Path) -> None:
    with collector("collector.yaml", tmp_path, traces.otlp) as to:
        application = Application(to)
        context = application.answer("Write to anna@example.com, card 4111 1111 1111 1111.")
        application.judge(context, 0.2, "poor", reason="anna@example.com is in no document; 2 of 24 claims are.")
        spans = eventually(lambda: _of(traces, context, 2), "trace with its score")
    said = json.dumps(spans)
    assert "anna@example.com" not in said
    assert "4111 1111" not in said
    assert "is in no document; 2 of 24 claims are." in said


def test_badly_scored_trace_is_kept_and_every_bad_score_stored_once(traces: Jaeger, tmp_path: Path) -> None:
    # Scores that come before the decision, and long after it.
    environment = {"DECISION_WAIT": "1s", "SAMPLING_PERCENTAGE": "0"}
    with collector("collector-tail-sampling.yaml", tmp_path, traces.otlp, **environment) as to:
        application = Application(to)
        good, bad, late = (application.answer() for _ in range(3))
        application.judge(good, 0.95, "excellent")
        application.judge(bad, 0.2, "poor")
        application.judge(bad, 0.95, "excellent", scorer="faithfulness")
        eventually(lambda: _of(traces, bad, 3), "badly scored trace")
        application.judge(bad, 0.0, "none", scorer="context_precision")
        application.judge(late, 0.2, "poor")
        eventually(lambda: _of(traces, bad, 4), "late score of a kept trace")
        assert [span["operationName"] for span in eventually(lambda: _of(traces, late, 1), "late bad score")] == [
            "evaluate context_recall"
        ]
    names = sorted(span["operationName"] for span in traces.trace(f"{bad.trace_id:032x}"))
    assert names == ["answer", "evaluate context_precision", "evaluate context_recall", "evaluate faithfulness"]
    assert _of(traces, good, 1) == []


SHARES = [0.2, 0.4, 0.4, 1.0]


def test_metrics_made_of_score_spans_equal_those_of_the_sdk_and_are_never_doubled(
    traces: Jaeger, tmp_path: Path
) -> None:
    with (
        collector("collector-span-metrics.yaml", tmp_path, traces.otlp) as to,
        prometheus(tmp_path / "spans", "groups: []\n", scraped=to.scraped) as metrics,
    ):
        application = Application(to)
        # Both ways at once: the SDK's own count of scores must not be added.
        application.send_metrics(SHARES)
        for share in SHARES:
            application.judge(application.answer(), share, "fair")
        eventually(lambda: _value(metrics, '{"gen_ai.evaluation.score_count"}') == len(SHARES), "scores from spans")
        assert _value(metrics, '{"gen_ai.evaluation.score_sum"}') == pytest.approx(sum(SHARES))
        assert _value(metrics, '{"gen_ai.evaluation.score_bucket", le="0.4"}') == 3
        moments = {
            name: _value(metrics, f'{{"spanjudge.score.moments", "spanjudge.moment"="{name}"}}') for name in _SUMS
        }
        assert moments == {name: pytest.approx(value) for name, value in _SUMS.items()}
        assert _value(metrics, '{"spanjudge.evaluations", "spanjudge.outcome"="scored"}') == len(SHARES)
        # What the spans do not tell is still the SDK's.
        assert _value(metrics, '{"spanjudge.queue.capacity"}') == 256


_SUMS = {
    "w": len(SHARES),
    "wx": sum(SHARES),
    "ww": len(SHARES),
    "wwx": sum(SHARES),
    "wwxx": sum(share * share for share in SHARES),
}


def _value(metrics: Prometheus, query: str) -> float | None:
    return metrics.value(f"sum({translate(query, 'UnderscoreEscapingWithSuffixes')})")


def _of(traces: Jaeger, context: trace.SpanContext, least: int) -> list[dict[str, Any]]:
    spans = traces.trace(f"{context.trace_id:032x}")
    return spans if len(spans) >= least else []

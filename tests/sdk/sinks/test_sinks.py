"""What the sinks emit, read back from the real SDK."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from spanjudge import semconv
from spanjudge.ledger import Candidate, Ledger
from spanjudge.model import Counts, Evaluation, Failure, Outcome, RagRun, Score, Skip, TargetSpan, Usage
from spanjudge.sinks.detector import RegressionSink
from spanjudge.sinks.evaluation_span import EvaluationSpanSink
from spanjudge.sinks.log_event import LogEventSink
from spanjudge.sinks.metrics import Metrics

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SCORE = Score(
    scorer="context_recall",
    share=2 / 3,
    score=0.67,
    label="fair",
    reason="Two of three claims were found.",
    counts=Counts(total=3, yes=2, no=1),
)
FAILURE = Failure(scorer="context_recall", code="judge_timeout", detail="No answer within 60 s.")


def _evaluation(outcome: Outcome = SCORE, *, sampled: bool = True, probability: float = 1.0) -> Evaluation:
    run = RagRun(
        target=TargetSpan(trace_id=TRACE, span_id=SPAN, name="support", sampled=sampled),
        agent="support",
        data_source="kb",
        response_id="resp-1",
        ended_ns=1_000_000_000,
    )
    return Evaluation(
        run=run,
        outcome=outcome,
        evaluator_version="abc123",
        judge_model="openai/gpt-5-mini",
        inclusion_probability=probability,
        started_ns=2_000_000_000,
        ended_ns=3_000_000_000,
    )


@pytest.fixture
def spans() -> Iterator[tuple[TracerProvider, InMemorySpanExporter]]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    yield provider, exporter
    provider.shutdown()


@pytest.fixture
def reader() -> Iterator[InMemoryMetricReader]:
    reader = InMemoryMetricReader()
    provider = MeterProvider([reader])
    reader.provider = provider  # type: ignore[attr-defined]
    yield reader
    provider.shutdown()


def _points(reader: InMemoryMetricReader) -> dict[str, list[Any]]:
    data = reader.get_metrics_data()
    assert data is not None
    return {
        metric.name: list(metric.data.data_points)
        for resource in data.resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
    }


def test_score_is_a_child_of_its_target_with_one_link_and_the_judging_s_own_times(
    spans: tuple[TracerProvider, InMemorySpanExporter],
) -> None:
    provider, exporter = spans
    EvaluationSpanSink(provider).emit(_evaluation(probability=0.1))
    (span,) = exporter.get_finished_spans()
    assert (span.name, span.kind) == ("evaluate context_recall", SpanKind.INTERNAL)
    assert span.context is not None
    assert span.parent is not None
    assert (f"{span.context.trace_id:032x}", f"{span.parent.span_id:016x}") == (TRACE, SPAN)
    assert [f"{link.context.span_id:016x}" for link in span.links] == [SPAN]
    assert (span.start_time, span.end_time, len(span.events)) == (2_000_000_000, 3_000_000_000, 0)
    evaluation = _evaluation(probability=0.1)
    assert dict(span.attributes or {}) == {
        "gen_ai.evaluation.name": "context_recall",
        "gen_ai.evaluation.score.value": 0.67,
        "gen_ai.evaluation.score.label": "fair",
        "gen_ai.evaluation.explanation": "Two of three claims were found.",
        "openinference.span.kind": "EVALUATOR",
        "evaluations.0.evaluation.name": "context_recall",
        "evaluations.0.evaluation.score": 0.67,
        "evaluations.0.evaluation.label": "fair",
        "evaluations.0.evaluation.explanation": "Two of three claims were found.",
        "evaluations.0.evaluation.annotator_kind": "LLM",
        "evaluations.0.evaluation.identifier": "abc123",
        "spanjudge.outcome": "scored",
        "spanjudge.counts.total": 3,
        "spanjudge.counts.yes": 2,
        "spanjudge.counts.unsure": 0,
        "spanjudge.counts.no": 1,
        "spanjudge.counts.missing": 0,
        "spanjudge.evaluator.version": "abc123",
        "spanjudge.judge.model": "openai/gpt-5-mini",
        "spanjudge.inclusion_probability": 0.1,
        "spanjudge.source": "live",
        "spanjudge.run_id": evaluation.run.run_id,
        "spanjudge.evaluation_id": evaluation.evaluation_id,
    }


def test_failure_is_an_error_span_without_a_score(spans: tuple[TracerProvider, InMemorySpanExporter]) -> None:
    provider, exporter = spans
    EvaluationSpanSink(provider).emit(_evaluation(FAILURE))
    (span,) = exporter.get_finished_spans()
    attributes = span.attributes or {}
    assert span.status.status_code is StatusCode.ERROR
    assert (attributes["spanjudge.outcome"], attributes["error.type"]) == ("failed", "judge_timeout")
    assert not any("score" in name for name in attributes)


@pytest.mark.parametrize(
    "evaluation", [_evaluation(Skip(scorer="context_recall", code="no_ground_truth")), _evaluation(sampled=False)]
)
def test_skip_and_unsampled_target_make_neither_span_nor_event(
    spans: tuple[TracerProvider, InMemorySpanExporter], evaluation: Evaluation
) -> None:
    provider, exporter = spans
    logs = InMemoryLogRecordExporter()
    logger_provider = LoggerProvider()
    logger_provider.add_log_record_processor(SimpleLogRecordProcessor(logs))
    EvaluationSpanSink(provider).emit(evaluation)
    LogEventSink(logger_provider).emit(evaluation)
    assert (exporter.get_finished_spans(), logs.get_finished_logs()) == ((), ())
    logger_provider.shutdown()


@pytest.mark.parametrize(("outcome", "severity"), [(SCORE, "INFO"), (FAILURE, "WARN")])
def test_log_event_bears_the_targets_context(outcome: Outcome, severity: str) -> None:
    logs = InMemoryLogRecordExporter()
    provider = LoggerProvider()
    provider.add_log_record_processor(SimpleLogRecordProcessor(logs))
    LogEventSink(provider).emit(_evaluation(outcome))
    (entry,) = logs.get_finished_logs()
    record = entry.log_record
    assert record.event_name == "gen_ai.evaluation.result"
    assert record.trace_id is not None
    assert record.span_id is not None
    assert (f"{record.trace_id:032x}", f"{record.span_id:016x}") == (TRACE, SPAN)
    attributes = record.attributes or {}
    assert attributes["gen_ai.evaluation.name"] == "context_recall"
    assert attributes["gen_ai.response.id"] == "resp-1"
    assert record.severity_text == severity
    assert attributes.get("error.type") == (None if outcome is SCORE else "judge_timeout")
    provider.shutdown()


def test_score_metric_is_the_unrounded_share_with_an_exemplar_of_the_target(reader: InMemoryMetricReader) -> None:
    Metrics(reader.provider).emit(_evaluation())  # type: ignore[attr-defined]
    (point,) = _points(reader)[semconv.METRIC_SCORE]
    assert point.sum == pytest.approx(2 / 3)
    assert tuple(point.explicit_bounds) == semconv.SCORE_BOUNDS
    assert dict(point.attributes) == {
        "gen_ai.evaluation.name": "context_recall",
        "gen_ai.agent.name": "support",
        "gen_ai.data_source.id": "kb",
        "spanjudge.evaluator.version": "abc123",
        "spanjudge.source": "live",
    }
    (exemplar,) = point.exemplars
    assert (f"{exemplar.trace_id:032x}", f"{exemplar.span_id:016x}") == (TRACE, SPAN)


def test_moments_weigh_each_score_by_its_inclusion_probability(reader: InMemoryMetricReader) -> None:
    sink = Metrics(reader.provider)  # type: ignore[attr-defined]
    sink.emit(_evaluation(probability=0.1))
    sink.emit(_evaluation(probability=1.0))
    sums = {point.attributes["spanjudge.moment"]: point.value for point in _points(reader)[semconv.METRIC_MOMENTS]}
    x = 2 / 3
    assert sums == pytest.approx({"w": 11, "wx": 11 * x, "ww": 101, "wwx": 101 * x, "wwxx": 101 * x * x})


def test_verdicts_lag_and_last_score_are_recorded(reader: InMemoryMetricReader) -> None:
    Metrics(reader.provider).emit(_evaluation())  # type: ignore[attr-defined]
    points = _points(reader)
    verdicts = {point.attributes["spanjudge.verdict"]: point.value for point in points[semconv.METRIC_VERDICTS]}
    assert verdicts == {"yes": 2, "no": 1}
    assert points[semconv.METRIC_LAG][0].sum == pytest.approx(2.0)
    assert points[semconv.METRIC_LAST_SCORE][0].value == pytest.approx(3.0)


def test_ledger_and_metrics_agree(reader: InMemoryMetricReader) -> None:
    metrics = Metrics(reader.provider)  # type: ignore[attr-defined]
    ledger = Ledger(metrics)
    evaluation = _evaluation()
    ledger.trace("taken", 2)
    ledger.run(evaluation.run, "sampled")
    ledger.run(None, "dropped", "trace_spoiled")
    for _ in range(3):
        ledger.candidate(Candidate(evaluation.run, "context_recall", "abc123"))
    ledger.evaluated(Candidate(evaluation.run, "context_recall", "abc123"), evaluation)
    ledger.dropped(Candidate(evaluation.run, "context_recall", "abc123"), "shutdown")
    ledger.queue(1, 256)
    points = _points(reader)
    assert points[semconv.METRIC_CANDIDATES][0].value == 3
    assert points[semconv.METRIC_PENDING][0].value == ledger.pending()["context_recall"] == 1
    settled = {
        (point.attributes["spanjudge.outcome"], point.attributes.get("spanjudge.reason_code")): point.value
        for point in points[semconv.METRIC_EVALUATIONS]
    }
    assert settled == {("scored", None): 1, ("dropped", "shutdown"): 1}
    runs = {point.attributes["spanjudge.decision"]: point.value for point in points[semconv.METRIC_RUNS]}
    assert runs == {"sampled": 1, "dropped": 1}
    assert points[semconv.METRIC_TRACES][0].value == 2
    assert points[semconv.METRIC_QUEUE_CAPACITY][0].value == 256


def test_unknown_cost_and_tokens_are_not_recorded_as_zero(reader: InMemoryMetricReader) -> None:
    metrics = Metrics(reader.provider)  # type: ignore[attr-defined]
    unknown = Usage(calls=1, input_tokens=None, output_tokens=None, cost=None)
    metrics.judged("openai/m", unknown, 0.5, "judge_timeout")
    points = _points(reader)
    assert semconv.METRIC_JUDGE_COST not in points
    assert semconv.METRIC_CLIENT_TOKENS not in points
    (duration,) = points[semconv.METRIC_CLIENT_DURATION]
    assert dict(duration.attributes) == {
        "spanjudge.judge": True,
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "openai/m",
        "error.type": "judge_timeout",
    }


def test_judge_use_is_marked_as_the_judges(reader: InMemoryMetricReader) -> None:
    metrics = Metrics(reader.provider)  # type: ignore[attr-defined]
    metrics.judged("m", Usage(calls=1, input_tokens=100, output_tokens=20, cost=0.002), 0.5, None)
    points = _points(reader)
    tokens = {point.attributes["gen_ai.token.type"]: point.sum for point in points[semconv.METRIC_CLIENT_TOKENS]}
    assert tokens == {"input": 100, "output": 20}
    assert points[semconv.METRIC_JUDGE_COST][0].value == pytest.approx(0.002)
    assert all(point.attributes["spanjudge.judge"] for point in points[semconv.METRIC_JUDGE_COST])


def test_label_values_beyond_the_cap_are_one_label(reader: InMemoryMetricReader) -> None:
    metrics = Metrics(reader.provider, ("tenant",))  # type: ignore[attr-defined]
    for number in range(60):
        metrics.run(RagRun(attributes={"tenant": f"t{number}"}), "sampled", None)
    tenants = {point.attributes["tenant"]: point.value for point in _points(reader)[semconv.METRIC_RUNS]}
    assert len(tenants) == 51
    assert tenants["other"] == 10


def test_label_values_are_cut(reader: InMemoryMetricReader) -> None:
    Metrics(reader.provider).run(RagRun(agent="a" * 100_000), "sampled", None)  # type: ignore[attr-defined]
    (point,) = _points(reader)[semconv.METRIC_RUNS]
    assert point.attributes["gen_ai.agent.name"] == "a" * 128


def test_reason_that_cannot_be_encoded_is_sent_all_the_same(spans: tuple[TracerProvider, InMemorySpanExporter]) -> None:
    provider, exporter = spans
    odd = Score(scorer="context_recall", share=1.0, score=1.0, label="excellent", reason="lone \ud83d")
    EvaluationSpanSink(provider).emit(_evaluation(odd))
    (span,) = exporter.get_finished_spans()
    assert (span.attributes or {})["gen_ai.evaluation.explanation"] == "lone ?"


def test_evidence_of_a_fall_rises_over_its_threshold(reader: InMemoryMetricReader) -> None:
    sink = RegressionSink(reader.provider, baseline_runs=50)  # type: ignore[attr-defined]

    def feed(share: float, times: int) -> None:
        outcome = Score(scorer="context_recall", share=share, score=share, label="good")
        for _ in range(times):
            sink.emit(_evaluation(outcome))

    feed(0.9, 60)
    before = _points(reader)
    assert before[semconv.METRIC_EVIDENCE][0].value < before[semconv.METRIC_THRESHOLD][0].value
    feed(0.1, 20)
    after = _points(reader)
    (evidence,) = after[semconv.METRIC_EVIDENCE]
    assert evidence.value > after[semconv.METRIC_THRESHOLD][0].value
    assert evidence.attributes["spanjudge.detector"] == "e_process"
    assert evidence.attributes["spanjudge.detector.id"]

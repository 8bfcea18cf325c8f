"""The whole way in one process: spans in, scores out, the application unharmed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import TraceIdRatioBased

from rag_calls import ANSWER, DOCUMENTS, GIVEN, KIND, QUESTION, SAID, rag_call
from spanjudge import semconv
from spanjudge.assembly import open_traces
from spanjudge.dialects.plain_mapping import PlainMapping
from spanjudge.dialects.reading import Reading
from spanjudge.errors import InputError
from spanjudge.judge.ask import Ask
from spanjudge.model import Usage
from spanjudge.pipeline import Pipeline
from spanjudge.processor import JudgeSpanProcessor
from spanjudge.sampling import HASH_BITS, threshold
from spanjudge.settings import DEFAULT_SCORERS
from spanjudge.testing import FakeJudge
from spanjudge.testing.fake_judge import uniform_reply


@dataclass
class Application:
    """Providers that keep all they are given, and our processor among them."""

    provider: TracerProvider
    spans: InMemorySpanExporter
    metrics: InMemoryMetricReader
    logs: InMemoryLogRecordExporter
    processor: JudgeSpanProcessor

    @property
    def tracer(self) -> trace.Tracer:
        return self.provider.get_tracer("application")

    def evaluations(self) -> list[ReadableSpan]:
        return [span for span in self.spans.get_finished_spans() if span.name.startswith("evaluate ")]

    def total(self, metric: str, **labels: str) -> float:
        """Sum a metric's points that bear the labels (dots written as double underscores)."""
        wanted = {name.replace("__", "."): value for name, value in labels.items()}
        data = self.metrics.get_metrics_data()
        return sum(
            point.value
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for found in scope.metrics
            if found.name == metric
            for point in found.data.data_points
            if all(point.attributes.get(name) == value for name, value in wanted.items())
        )


@pytest.fixture
def start() -> Iterator[Any]:
    started: list[Application] = []

    def start(**options: Any) -> Application:
        metrics, logs, spans = InMemoryMetricReader(), InMemoryLogRecordExporter(), InMemorySpanExporter()
        logger_provider = LoggerProvider(shutdown_on_exit=False)
        logger_provider.add_log_record_processor(SimpleLogRecordProcessor(logs))
        provider = TracerProvider(shutdown_on_exit=False, sampler=options.pop("sampler", None))
        processor = JudgeSpanProcessor(
            **{
                "tracer_provider": provider,
                "meter_provider": MeterProvider([metrics], shutdown_on_exit=False),
                "logger_provider": logger_provider,
                **options,
            }
        )
        provider.add_span_processor(processor)
        provider.add_span_processor(SimpleSpanProcessor(spans))
        started.append(Application(provider, spans, metrics, logs, processor))
        return started[-1]

    yield start
    for application in started:
        application.processor.shutdown()


def test_two_lines_give_four_evaluation_spans_under_the_chain(start: Any) -> None:
    application = start()
    chain = rag_call(application.tracer, ground_truth="The battery warranty lasts 24 months.")
    assert application.processor.force_flush()
    evaluations = application.evaluations()
    assert sorted(span.name for span in evaluations) == sorted(f"evaluate {name}" for name in DEFAULT_SCORERS)
    for span in evaluations:
        assert span.parent is not None
        assert (span.parent.trace_id, span.parent.span_id) == (chain.trace_id, chain.span_id)
        assert span.attributes is not None
        assert span.attributes["spanjudge.judge.model"] == "embedded"
        assert span.attributes["gen_ai.evaluation.explanation"]
    assert len(application.logs.get_finished_logs()) == 4
    assert application.total(semconv.METRIC_EVALUATIONS, spanjudge__outcome="scored") == 4


def test_run_is_judged_once_and_its_evaluations_never(start: Any) -> None:
    application = start(judge=FakeJudge.always("yes"))
    for _ in range(3):
        rag_call(application.tracer)
    for _ in range(3):
        assert application.processor.force_flush()
    assert application.total(semconv.METRIC_RUNS) == 3
    assert application.total(semconv.METRIC_TRACES, spanjudge__decision="taken") == 3


def test_judge_sees_question_contexts_in_rank_order_and_answer(start: Any) -> None:
    judge = FakeJudge.always("yes")
    application = start(judge=judge, scorers=["context_precision"])
    rag_call(application.tracer)
    assert application.processor.force_flush()
    asked: Ask = judge.asks[0]
    assert (asked.contexts, asked.answer) == (DOCUMENTS, ANSWER)


def test_unlabelled_traffic_is_skipped_by_recall_and_cannot_look_like_a_regression(start: Any) -> None:
    application = start(scorers=["context_recall"])
    rag_call(application.tracer)
    assert application.processor.force_flush()
    assert application.evaluations() == []
    skipped = {"spanjudge__outcome": "skipped", "spanjudge__reason_code": "no_ground_truth"}
    assert application.total(semconv.METRIC_EVALUATIONS, **skipped) == 1


def test_unlabelled_traffic_can_be_scored_zero_as_the_reference_does(start: Any) -> None:
    application = start(scorers=["context_recall"], missing_ground_truth="zero")
    rag_call(application.tracer)
    assert application.processor.force_flush()
    (span,) = application.evaluations()
    assert span.attributes is not None
    assert span.attributes["gen_ai.evaluation.score.value"] == 0


def test_retriever_that_returns_nothing_is_a_finding(start: Any) -> None:
    application = start(ground_truth={"Anything?": "Yes."})
    rag_call(application.tracer, question="Anything?", documents=())
    assert application.processor.force_flush()
    labels = {
        (span.attributes or {})["gen_ai.evaluation.name"]: (span.attributes or {})["gen_ai.evaluation.score.label"]
        for span in application.evaluations()
    }
    assert labels["context_recall"] == labels["faithfulness"] == "none"
    assert "context_precision" not in labels


def test_rate_zero_judges_nothing_starts_no_thread_and_counts_the_roots(start: Any) -> None:
    application = start(sample_rate=0.0)
    for _ in range(5):
        rag_call(application.tracer)
    assert application.processor.force_flush()
    assert application.processor._worker._thread is None
    assert next(application.processor._not_taken) == 5


def test_traces_left_out_are_counted_at_their_local_root(start: Any) -> None:
    application = start(sample_rate=0.5, judge=FakeJudge.always("yes"))
    for _ in range(40):
        rag_call(application.tracer)
    assert application.processor.force_flush()
    taken = application.total(semconv.METRIC_TRACES, spanjudge__decision="taken")
    left_out = application.total(semconv.METRIC_TRACES, spanjudge__decision="not_taken")
    assert taken + left_out == 40
    assert 0 < taken < 40
    assert application.total(semconv.METRIC_RUNS, spanjudge__decision="sampled") == taken


def test_disabled_processor_takes_nothing(start: Any) -> None:
    application = start(disabled=True)
    rag_call(application.tracer)
    assert application.processor.force_flush()
    assert application.evaluations() == []


def test_own_function_is_a_scorer_like_any_other(start: Any) -> None:
    def short_answer(run: Any) -> tuple[float, str]:
        """Short answers are better."""
        return (1.0 if len(run.answer) < 100 else 0.0), "It is short."

    application = start(scorers=[short_answer])
    rag_call(application.tracer)
    assert application.processor.force_flush()
    (span,) = application.evaluations()
    assert (span.name, (span.attributes or {})["spanjudge.judge.model"]) == ("evaluate short_answer", "none")


def test_attributes_that_the_user_names_become_labels(start: Any) -> None:
    application = start(judge=FakeJudge.always("yes"), metric_attributes=["tenant.tier"])
    with application.tracer.start_as_current_span("POST /chat", attributes={"tenant.tier": "gold"}):
        rag_call(application.tracer)
    assert application.processor.force_flush()
    assert application.total(semconv.METRIC_RUNS, tenant__tier="gold") == 1
    assert application.total(semconv.METRIC_EVALUATIONS, tenant__tier="gold") == 4


def test_what_the_judge_consumes_is_recorded_in_the_targets_context(start: Any) -> None:
    judge = FakeJudge.always("yes", usage=Usage(calls=1, input_tokens=100, output_tokens=20, cost=0.001))
    application = start(judge=judge, scorers=["faithfulness"])
    chain = rag_call(application.tracer)
    assert application.processor.force_flush()
    data = application.metrics.get_metrics_data()
    points = [
        point
        for resource in data.resource_metrics
        for scope in resource.scope_metrics
        for found in scope.metrics
        if found.name == semconv.METRIC_CLIENT_DURATION
        for point in found.data.data_points
    ]
    (point,) = points
    assert point.attributes["gen_ai.operation.name"] == "chat"
    assert {exemplar.trace_id for exemplar in point.exemplars} == {chain.trace_id}


def test_attributes_of_ones_own_are_read_as_mapped(start: Any) -> None:
    reading = Reading(plain=PlainMapping(query="q", contexts="found", answer="said"))
    judge = FakeJudge.always("yes")
    application = start(judge=judge, scorers=["context_precision"], reading=reading)
    with application.tracer.start_as_current_span(
        "ask", attributes={"q": "Why?", "found": ["Because."], "said": "So."}
    ):
        pass
    assert application.processor.force_flush()
    asked: Ask = judge.asks[0]
    assert (asked.question, asked.contexts, asked.answer) == ("Why?", ("Because.",), "So.")


def test_trace_that_cannot_be_put_together_stops_no_other(start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    application = start(judge=FakeJudge.always("yes"), scorers=["faithfulness"])
    real = open_traces.runs_in

    def broken_once(*_: Any) -> Any:
        monkeypatch.setattr(open_traces, "runs_in", real)
        raise StopIteration

    monkeypatch.setattr(open_traces, "runs_in", broken_once)
    for _ in range(3):
        rag_call(application.tracer)
        assert application.processor.force_flush()
    assert application.total(semconv.METRIC_RUNS, spanjudge__reason_code="trace_spoiled") == 1
    assert len(application.evaluations()) == 2
    assert application.processor._guard.counts == {"assembly": 1}


def test_worker_that_broke_down_starts_afresh_and_says_so(start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    application = start(judge=FakeJudge.always("yes"), scorers=["faithfulness"])
    real = Pipeline.accept

    def broken_once(pipeline: Pipeline, closed: Any) -> None:
        monkeypatch.setattr(Pipeline, "accept", real)
        raise KeyError(closed.run_id, pipeline)

    monkeypatch.setattr(Pipeline, "accept", broken_once)
    rag_call(application.tracer)
    assert not application.processor.force_flush(500) or application.evaluations() == []
    rag_call(application.tracer)
    assert application.processor.force_flush()
    assert len(application.evaluations()) == 1


def test_custom_judge_that_calls_an_instrumented_client_leaves_no_spans_and_is_not_judged(start: Any) -> None:
    traced: list[trace.Tracer] = []

    def chatty(ask: Ask) -> Any:
        with traced[0].start_as_current_span("chat", attributes={"openinference.span.kind": "LLM", "input.value": "x"}):
            return uniform_reply(ask)

    application = start(judge=FakeJudge(chatty))
    traced.append(application.tracer)
    rag_call(application.tracer)
    for _ in range(3):
        assert application.processor.force_flush()
    names = [span.name for span in application.spans.get_finished_spans()]
    assert "chat" not in names
    assert application.total(semconv.METRIC_RUNS) == 1


def test_provider_that_is_not_there_is_told(caplog: pytest.LogCaptureFixture) -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    processor = JudgeSpanProcessor(judge=FakeJudge.always("yes"), scorers=["faithfulness"])
    provider.add_span_processor(processor)
    rag_call(provider.get_tracer("application"))
    assert processor.force_flush()
    processor.shutdown()
    assert "pass tracer_provider= to JudgeSpanProcessor" in caplog.text


def test_full_inbox_spoils_the_trace_and_never_gives_half_a_run(start: Any) -> None:
    application = start(inbox_size=2, judge=FakeJudge.always("yes"))
    for _ in range(50):
        rag_call(application.tracer)
    assert application.processor.force_flush()
    sampled = application.total(semconv.METRIC_RUNS, spanjudge__decision="sampled")
    dropped = application.total(semconv.METRIC_RUNS, spanjudge__decision="dropped")
    assert dropped > 0
    assert sampled + dropped == 50
    assert application.total(semconv.METRIC_TRACES, spanjudge__decision="taken") == 50
    assert application.total(semconv.METRIC_EVALUATIONS, spanjudge__outcome="skipped") == sampled  # recall alone
    incomplete = application.total(semconv.METRIC_RUNS, spanjudge__decision="incomplete")
    assert incomplete == 0


def test_hanging_judge_leaves_force_flush_and_shutdown_within_their_time(start: Any) -> None:
    async def forever(_: Ask) -> str:
        import asyncio  # noqa: PLC0415

        await asyncio.Event().wait()
        return ""

    application = start(judge=FakeJudge(forever), scorers=["faithfulness"], shutdown_timeout_s=0.3)
    rag_call(application.tracer)
    began = time.monotonic()
    assert not application.processor.force_flush(200)
    assert time.monotonic() - began < 20
    application.processor.shutdown()
    assert time.monotonic() - began < 30
    dropped = {"spanjudge__outcome": "dropped", "spanjudge__reason_code": "shutdown"}
    assert application.total(semconv.METRIC_EVALUATIONS, **dropped) == 1
    assert application.total(semconv.METRIC_PENDING) == 0


def test_spans_after_shutdown_do_no_harm(start: Any) -> None:
    application = start()
    rag_call(application.tracer)
    application.processor.shutdown()
    application.processor.shutdown()
    rag_call(application.tracer)
    assert application.processor.force_flush()
    assert len(application.evaluations()) == 3


def test_nothing_raises_into_the_application_even_when_we_are_broken(start: Any) -> None:
    application = start()
    application.processor._inbox = None
    rag_call(application.tracer)
    assert len(application.spans.get_finished_spans()) == 3
    assert application.processor._guard.counts == {"on_start": 3, "on_end": 3}


def test_head_sampled_out_traces_never_reach_us_and_others_do(start: Any) -> None:
    application = start(sampler=TraceIdRatioBased(0.3), judge=FakeJudge.always("yes"))
    for _ in range(60):
        rag_call(application.tracer)
    assert application.processor.force_flush()
    chains = [span for span in application.spans.get_finished_spans() if span.name == "chain"]
    assert application.total(semconv.METRIC_RUNS) == len(chains)
    assert 0 < len(chains) < 60


def test_reference_by_a_close_question_is_named_on_the_evaluation_span(start: Any) -> None:
    application = start(scorers=["context_recall"], ground_truth={"How long does the battery warranty last?": ANSWER})
    rag_call(application.tracer, question="Could you tell me how long the battery warranty lasts?")
    assert application.processor.force_flush()
    (span,) = application.evaluations()
    assert span.attributes is not None
    assert span.attributes[semconv.GOLDEN_CLOSENESS] == 1.0
    assert len(str(span.attributes[semconv.GOLDEN_QUESTION])) == 32


def test_golden_rate_takes_every_trace_and_judges_those_with_a_reference(start: Any) -> None:
    application = start(scorers=["context_recall"], sample_rate=0.0, golden_rate=1.0, ground_truth={QUESTION: ANSWER})
    for number in range(10):
        rag_call(application.tracer, question=QUESTION if number < 3 else f"Question {number}?")
    assert application.processor.force_flush()
    assert len(application.evaluations()) == 3
    assert {(span.attributes or {})["spanjudge.inclusion_probability"] for span in application.evaluations()} == {1.0}
    assert application.total(semconv.METRIC_TRACES, spanjudge__decision="taken") == 10
    assert application.total(semconv.METRIC_RUNS, spanjudge__decision="not_sampled") == 7


def test_golden_rate_leaves_the_hot_test_at_the_highest_rate(start: Any) -> None:
    assert start(sample_rate=0.1, golden_rate=0.5).processor._bound == threshold(0.5) << HASH_BITS
    assert start(sample_rate=0.7, golden_rate=0.5).processor._bound == threshold(0.7) << HASH_BITS
    assert start(sample_rate=0.1).processor._bound == threshold(0.1) << HASH_BITS


def test_documents_known_by_id_alone_get_their_texts_and_the_fetch_leaves_no_span(start: Any) -> None:
    application = start(scorers=["faithfulness"])
    assert application.processor.force_flush()

    def fetch(ids: list[str]) -> dict[str, str]:
        with application.tracer.start_as_current_span("SELECT"):
            return dict(zip(ids, DOCUMENTS, strict=True))

    resolving = start(scorers=["faithfulness"], tracer_provider=application.provider, resolve_documents=fetch)
    application.provider.add_span_processor(resolving.processor)
    with application.tracer.start_as_current_span("chain") as chain:
        chain.set_attributes({KIND: "CHAIN", GIVEN: QUESTION, SAID: ANSWER})
        with application.tracer.start_as_current_span("retrieve") as retriever:
            retriever.set_attribute(KIND, "RETRIEVER")
            for rank in range(2):
                retriever.set_attribute(f"retrieval.documents.{rank}.document.id", f"kb-{rank}")
    assert resolving.processor.force_flush()
    assert application.processor.force_flush()
    (span,) = application.evaluations()
    assert (span.attributes or {})["spanjudge.outcome"] == "scored"
    skipped = {"spanjudge__outcome": "skipped", "spanjudge__reason_code": "context_text_missing"}
    assert application.total(semconv.METRIC_EVALUATIONS, **skipped) == 1
    assert "SELECT" not in {span.name for span in application.spans.get_finished_spans()}


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"sample_rate": 2}, '"sample_rate" must be between 0 and 1: 2 (given as argument)'),
        ({"scorers": ["context_recal"]}, "Did you mean 'context_recall'?"),
        ({"scorers": ["faithfulness", "faithfulness"]}, "Two scorers are called 'faithfulness'"),
        ({"ground_truth": "/nowhere/golden.jsonl"}, "/nowhere/golden.jsonl"),
        ({"ground_truth": 7}, '"ground_truth" must be a path, a mapping or a function, not 7'),
        ({"sample_rate": {"contxt_recall": 1}}, "\"sample_rate\" names 'contxt_recall'"),
        ({"golden_rate": 1.5}, '"golden_rate" must be between 0 and 1: 1.5 (given as argument)'),
        ({"resolve_documents": "db"}, "\"resolve_documents\" must be a function, not 'db' (given as argument)"),
        ({"embed_questions": 7}, '"embed_questions" must be a function, not 7 (given as argument)'),
        ({"judge": ""}, '"judge" must be a text that is not empty'),
        ({"smaple_rate": 1}, 'There is no setting "smaple_rate"'),
    ],
)
def test_bad_argument_is_one_sentence_at_construction(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        JudgeSpanProcessor(**options)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)

"""Content in log records reaches the run of the span whose id they bear."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor

from spanjudge import JudgeLogProcessor
from spanjudge.errors import InputError
from watched import Watched, watched

DETAILS = "gen_ai.client.inference.operation.details"
QUESTION, ANSWER, TEXT = "How long does it last?", "24 months.", "The warranty lasts 24 months."
INPUT = [{"role": "user", "parts": [{"type": "text", "content": QUESTION}]}]
OUTPUT = [{"role": "assistant", "parts": [{"type": "text", "content": ANSWER}], "finish_reason": "stop"}]


def _events_into(application: Watched) -> LoggerProvider:
    provider = LoggerProvider(shutdown_on_exit=False)
    provider.add_log_record_processor(JudgeLogProcessor(application.processor))
    return provider


@pytest.fixture
def application() -> Iterator[Watched]:
    with watched() as made:
        yield made


def _call(application: Watched, emit: Any) -> None:
    """One call as GenAI instrumentations make it when content goes into events only."""
    with application.tracer.start_as_current_span("invoke_workflow") as workflow:
        workflow.set_attribute("gen_ai.operation.name", "invoke_workflow")
        with application.tracer.start_as_current_span("retrieval") as retrieval:
            retrieval.set_attribute("gen_ai.operation.name", "retrieval")
            retrieval.set_attribute("gen_ai.retrieval.documents", json.dumps([{"id": "kb-1", "content": TEXT}]))
        with application.tracer.start_as_current_span("chat") as chat:
            chat.set_attribute("gen_ai.operation.name", "chat")
            emit()


@pytest.mark.parametrize("encode", [list, json.dumps], ids=["structured", "JSON"])
@pytest.mark.parametrize("place", ["attributes", "body"])
def test_event_only_content_becomes_a_complete_run(application: Watched, place: str, encode: Any) -> None:
    logger = _events_into(application).get_logger("instrumentation")
    content = {"gen_ai.input.messages": encode(INPUT), "gen_ai.output.messages": encode(OUTPUT)}
    _call(application, lambda: logger.emit(event_name=DETAILS, **{place: content}))
    (run,) = application.runs()
    assert (run.query, run.answer, run.complete) == (QUESTION, ANSWER, True)
    assert [document.text for document in run.contexts or ()] == [TEXT]


def test_without_the_processor_the_same_call_has_no_answer(application: Watched) -> None:
    _call(application, lambda: None)
    assert [run.skip_reason for run in application.runs()] == ["no_query"]


def test_event_that_comes_after_its_span_has_ended_is_joined_within_the_linger(application: Watched) -> None:
    logger = _events_into(application).get_logger("instrumentation")
    contexts: list[Any] = []
    from opentelemetry.context import get_current  # noqa: PLC0415

    _call(application, lambda: contexts.append(get_current()))
    content = {"gen_ai.input.messages": INPUT, "gen_ai.output.messages": OUTPUT}
    logger.emit(event_name=DETAILS, attributes=content, context=contexts[0])
    (run,) = application.runs()
    assert (run.answer, run.complete) == (ANSWER, True)


@pytest.mark.parametrize("naming", [{"event_name": "gen_ai.choice"}, {"attributes": {"event.name": "gen_ai.choice"}}])
def test_older_messages_one_to_a_record_are_read_under_both_ways_of_naming(
    application: Watched, naming: dict[str, Any]
) -> None:
    logger = _events_into(application).get_logger("instrumentation")

    def emit() -> None:
        logger.emit(event_name="gen_ai.user.message", body={"content": QUESTION})
        logger.emit(body={"index": 0, "message": {"role": "assistant", "content": ANSWER}}, **naming)

    _call(application, emit)
    (run,) = application.runs()
    assert (run.query, run.answer) == (QUESTION, ANSWER)


def test_ordinary_log_lines_never_take_room_in_the_inbox(application: Watched) -> None:
    logger = _events_into(application).get_logger("application")
    with application.tracer.start_as_current_span("work"):
        before = len(application.processor._inbox.spans)
        logger.emit(body="an ordinary line")
        logger.emit(event_name="gen_ai.choice", body={"message": {"content": "x"}})
        assert len(application.processor._inbox.spans) == before + 1


def test_events_outside_spans_and_of_traces_left_out_are_let_by() -> None:
    with watched(sample_rate=0.0) as application:
        logger = _events_into(application).get_logger("application")
        logger.emit(event_name=DETAILS)
        with application.tracer.start_as_current_span("work"):
            logger.emit(event_name=DETAILS)
        assert not application.processor._inbox.spans


def test_lost_event_spoils_its_trace_as_a_lost_span_does() -> None:
    with watched(inbox_size=8) as application:
        logger = _events_into(application).get_logger("instrumentation")
        content = {"gen_ai.input.messages": INPUT, "gen_ai.output.messages": OUTPUT}

        def emit() -> None:
            application.processor._inbox._capacity = 0
            application.processor._inbox.close()
            logger.emit(event_name=DETAILS, attributes=content)
            application.processor._inbox._capacity = 8
            application.processor._inbox.open()

        _call(application, emit)
        assert application.runs() == []
        # Whether the trace's spans had been read already decides how it is called.
        assert application.decisions() in ({("dropped", "trace_spoiled"): 1}, {("dropped", "inbox_full"): 1})


def test_own_evaluation_events_come_back_as_nothing() -> None:
    exporter = InMemoryLogRecordExporter()
    provider = LoggerProvider(shutdown_on_exit=False)
    with watched(logger_provider=provider) as application:
        provider.add_log_record_processor(JudgeLogProcessor(application.processor))
        provider.add_log_record_processor(SimpleLogRecordProcessor(exporter))
        logger = provider.get_logger("instrumentation")
        content = {"gen_ai.input.messages": INPUT, "gen_ai.output.messages": OUTPUT}
        _call(application, lambda: logger.emit(event_name=DETAILS, attributes=content))
        for _ in range(3):
            assert len(application.runs()) == 1
        names = [data.log_record.event_name for data in exporter.get_finished_logs()]
        assert names == [DETAILS, "gen_ai.evaluation.result"]


def test_nothing_raises_into_the_application(application: Watched, caplog: pytest.LogCaptureFixture) -> None:
    processor = JudgeLogProcessor(application.processor)
    with caplog.at_level(logging.WARNING, "spanjudge"):
        processor.on_emit(None)  # type: ignore[arg-type]
    assert "AttributeError was caught in on_emit" in caplog.text
    assert processor.force_flush()
    processor.shutdown()


def test_anything_but_a_span_processor_is_refused_in_one_sentence() -> None:
    with pytest.raises(InputError, match="needs the JudgeSpanProcessor that it works for, not str"):
        JudgeLogProcessor("processor")  # type: ignore[arg-type]

"""What the application records by hand reaches the judge whole, and wins."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from opentelemetry.sdk.trace import SpanLimits
from opentelemetry.trace import Span

from rag_calls import ANSWER, GIVEN, KIND, QUESTION, SAID, rag_call
from spanjudge import Document, record_answer, record_reference, record_retrieval, recording, semconv
from watched import Watched, watched

LONG = "The warranty lasts 24 months. " * 400


@pytest.fixture
def application() -> Iterator[Watched]:
    with watched() as made:
        yield made


def _texts(run: Any) -> list[str | None]:
    return [document.text for document in run.contexts]


def test_retrieval_and_answer_under_one_span_are_one_run_about_that_span(application: Watched) -> None:
    with application.tracer.start_as_current_span("handle") as span:
        record_retrieval(QUESTION, ["first", "second"])
        record_answer(ANSWER)
        record_reference("24 months")
    (run,) = application.runs()
    assert run.target is not None
    assert run.target.span_id == f"{span.get_span_context().span_id:016x}"
    assert (run.query, run.answer, run.ground_truth, run.complete) == (QUESTION, ANSWER, "24 months", True)
    assert (_texts(run), run.dialects) == (["first", "second"], ("recorded",))


def test_calls_one_after_another_under_one_parent_are_runs_of_their_own(application: Watched) -> None:
    with application.tracer.start_as_current_span("batch"):
        for number in range(3):
            with application.tracer.start_as_current_span("handle"):
                record_retrieval(f"question {number}", [f"text {number}"])
                record_answer(f"answer {number}")
    runs = application.runs()
    assert [(run.query, _texts(run), run.answer) for run in runs] == [
        (f"question {number}", [f"text {number}"], f"answer {number}") for number in range(3)
    ]


def test_steps_with_spans_of_their_own_are_one_run(application: Watched) -> None:
    with application.tracer.start_as_current_span("handle"):
        with application.tracer.start_as_current_span("retrieve"):
            record_retrieval(QUESTION, ["text"])
        with application.tracer.start_as_current_span("generate") as generate:
            record_answer(ANSWER)
    (run,) = application.runs()
    assert run.target is not None
    assert run.target.span_id == f"{generate.get_span_context().span_id:016x}"
    assert (run.query, _texts(run), run.answer, run.complete) == (QUESTION, ["text"], ANSWER, True)


def test_answer_on_the_outer_span_makes_it_the_target(application: Watched) -> None:
    with application.tracer.start_as_current_span("handle") as handle:
        with application.tracer.start_as_current_span("retrieve"):
            record_retrieval(QUESTION, ["text"])
        record_answer(ANSWER)
    (run,) = application.runs()
    assert run.target is not None
    assert run.target.span_id == f"{handle.get_span_context().span_id:016x}"
    assert run.complete


def test_recorded_retrieval_serves_an_instrumented_model_call(application: Watched) -> None:
    with application.tracer.start_as_current_span("handle"):
        record_retrieval(QUESTION, ["text"])
        with application.tracer.start_as_current_span("model") as model:
            model.set_attributes({KIND: "LLM", GIVEN: f"text\n{QUESTION}", SAID: ANSWER})
    (run,) = application.runs()
    assert (run.query, _texts(run), run.answer, run.complete) == (QUESTION, ["text"], ANSWER, True)


def test_what_is_recorded_wins_over_all_that_was_captured(application: Watched) -> None:
    with application.tracer.start_as_current_span("chain") as chain:
        chain.set_attributes({KIND: "CHAIN", GIVEN: "captured question", SAID: "captured answer"})
        record_retrieval("recorded question", ["recorded text"])
        with application.tracer.start_as_current_span("rerank") as reranker:
            reranker.set_attribute(KIND, "RERANKER")
            reranker.set_attribute("reranker.output_documents.0.document.content", "captured text")
        record_answer("recorded answer")
        chain.set_attribute(semconv.GROUND_TRUTH, "captured reference")
        record_reference("recorded reference")
    (run,) = application.runs()
    assert (run.query, run.answer, run.ground_truth) == ("recorded question", "recorded answer", "recorded reference")
    assert _texts(run) == ["recorded text"]


def test_rewritten_question_of_an_inner_retrieval_does_not_replace_the_users(application: Watched) -> None:
    with application.tracer.start_as_current_span("chain") as chain:
        chain.set_attributes({KIND: "CHAIN", GIVEN: QUESTION, SAID: ANSWER})
        with application.tracer.start_as_current_span("search"):
            record_retrieval("warranty duration", ["text"])
    (run,) = application.runs()
    assert (run.query, _texts(run)) == (QUESTION, ["text"])


def test_several_retrievals_are_joined_in_their_order_and_the_last_answer_counts(application: Watched) -> None:
    with application.tracer.start_as_current_span("handle"):
        record_retrieval(QUESTION, ["a", "b"])
        record_retrieval("another wording", ["b", "c"])
        record_answer("draft")
        record_answer("final")
    (run,) = application.runs()
    assert (run.query, _texts(run), run.answer) == (QUESTION, ["a", "b", "c"], "final")
    assert [document.rank for document in run.contexts or ()] == [0, 1, 2]


def test_retrieval_that_found_nothing_is_empty_and_not_missing(application: Watched) -> None:
    with application.tracer.start_as_current_span("handle"):
        record_retrieval(QUESTION, [])
        record_answer(ANSWER)
    (run,) = application.runs()
    assert (run.contexts, run.complete) == ((), True)


def test_documents_come_in_every_shape_that_people_have(application: Watched) -> None:
    framework = SimpleNamespace(page_content="from a framework", id="lc-1", metadata={"score": 0.5})
    with application.tracer.start_as_current_span("handle"):
        given = [
            "plain",
            Document("typed", id="kb-1", score=0.25, score_kind="distance"),
            {"text": "mapped", "id": "kb-2", "score": 0.75},
            framework,
            Document(None, id="kb-3"),
            '{"text": "JSON stays as it is"}',
        ]
        record_retrieval(QUESTION, given)
        given.clear()
        record_answer(ANSWER)
    (run,) = application.runs()
    assert run.contexts is not None
    assert [(each.text, each.id, each.score, each.score_kind) for each in run.contexts] == [
        ("plain", None, None, "unknown"),
        ("typed", "kb-1", 0.25, "distance"),
        ("mapped", "kb-2", 0.75, "unknown"),
        ("from a framework", "lc-1", 0.5, "unknown"),
        (None, "kb-3", None, "unknown"),
        ('{"text": "JSON stays as it is"}', None, None, "unknown"),
    ]
    assert run.skip_reason == "context_text_missing"


def test_texts_go_round_the_limits_of_spans() -> None:
    limits = SpanLimits(max_span_attributes=4, max_span_attribute_length=40)
    with watched(span_limits=limits) as application:
        with application.tracer.start_as_current_span("chain") as chain:
            chain.set_attributes({KIND: "CHAIN", GIVEN: json.dumps({"question": LONG}), SAID: LONG})
            chain.set_attributes({f"more.{number}": "x" * 100 for number in range(10)})
            record_retrieval(QUESTION, [LONG] * 3)
            record_answer(LONG)
        (run,) = application.runs()
        assert (_texts(run), run.answer, run.skip_reason) == ([LONG] * 3, LONG, None)
        assert set(run.warnings) <= {"attributes_dropped", "truncated"}


def test_texts_stay_out_of_attributes_unless_asked_for(application: Watched) -> None:
    with application.tracer.start_as_current_span("quiet"):
        record_retrieval(QUESTION, ["text"])
        record_answer(ANSWER)
        record_reference("24 months")
    with application.tracer.start_as_current_span("shown"):
        record_retrieval(QUESTION, ["text"], as_attributes=True)
        record_retrieval(QUESTION, [{"text": "more", "id": "kb-2"}], as_attributes=True)
        record_answer(ANSWER, as_attributes=True)
        record_reference("24 months", as_attributes=True)
    assert application.exported("quiet").attributes == {}
    shown = dict(application.exported("shown").attributes or {})
    assert json.loads(str(shown.pop(semconv.RECORDED_DOCUMENTS))) == [{"text": "text"}, {"text": "more", "id": "kb-2"}]
    assert shown == {
        semconv.RECORDED_QUERY: QUESTION,
        semconv.RECORDED_ANSWER: ANSWER,
        semconv.GROUND_TRUTH: "24 months",
    }
    assert [_texts(run) for run in application.runs()] == [["text"], ["text", "more"]]


def test_reference_reaches_the_run_below_its_span_and_no_other(application: Watched) -> None:
    for number in range(2):
        with application.tracer.start_as_current_span("server"):
            if number == 0:
                record_reference("24 months")
            rag_call(application.tracer)
    assert [run.ground_truth for run in application.runs()] == ["24 months", None]


def test_every_processor_of_the_process_hears_and_one_that_leaves_the_trace_out_does_not(application: Watched) -> None:
    with watched(sample_rate=0.0) as other:
        application.provider.add_span_processor(other.processor)
        with watched() as third:
            application.provider.add_span_processor(third.processor)
            with application.tracer.start_as_current_span("handle"):
                record_retrieval(QUESTION, ["text"])
                record_answer(ANSWER)
            assert len(application.runs()) == len(third.runs()) == 1
        assert not other.processor._inbox.spans


def test_outside_any_span_one_line_is_logged_once(
    application: Watched, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "_told_of_no_span", False)
    with caplog.at_level(logging.WARNING, "spanjudge"):
        record_answer(ANSWER)
        record_retrieval(QUESTION, ["text"])
        record_reference("24 months")
    assert [record.getMessage() for record in caplog.records] == [
        "record_answer was called where no span is current; what it was given is not recorded."
    ]
    assert application.runs() == []


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        (lambda: record_retrieval(QUESTION, "text"), "`documents` must be a list of texts or documents, not str"),
        (lambda: record_retrieval(QUESTION, None), "`documents` must be a list of texts or documents, not NoneType"),
        (lambda: record_retrieval(QUESTION, iter(["text"])), "must be a list of texts or documents, not list_iterator"),
        (lambda: record_retrieval(7, ["text"]), "`query` must be a text, not int"),
        (lambda: record_answer(None), "record_answer: `text` must be a text, not NoneType; nothing was recorded."),
        (lambda: record_reference(["24"]), "record_reference: `text` must be a text, not list; nothing was recorded."),
    ],
)
def test_wrong_argument_is_one_line_and_never_an_exception(
    application: Watched,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    record: Any,
    complaint: str,
) -> None:
    monkeypatch.setattr(recording._guard, "_logged", {})
    with caplog.at_level(logging.WARNING, "spanjudge"), application.tracer.start_as_current_span("handle"):
        record()
    (line,) = [entry.getMessage() for entry in caplog.records]
    assert complaint in line


def test_document_that_raises_when_looked_at_does_not_reach_the_application(application: Watched) -> None:
    class Hostile:
        @property
        def text(self) -> str:
            message = "not now"
            raise OSError(message)

    with application.tracer.start_as_current_span("handle"):
        record_retrieval(QUESTION, [Hostile()])
        record_answer(ANSWER)
    assert [run.answer for run in application.runs()] == [ANSWER]


def test_span_handed_to_another_thread_is_found_there(application: Watched) -> None:
    from opentelemetry import context  # noqa: PLC0415

    def work(given: context.Context) -> None:
        token = context.attach(given)
        record_retrieval(QUESTION, ["text"])
        context.detach(token)

    span: Span
    with application.tracer.start_as_current_span("handle") as span:
        thread = threading.Thread(target=work, args=(context.get_current(),))
        thread.start()
        thread.join()
        record_answer(ANSWER)
    assert span.get_span_context().is_valid
    assert [_texts(run) for run in application.runs()] == [["text"]]

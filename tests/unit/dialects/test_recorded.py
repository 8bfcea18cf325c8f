"""What was recorded by hand is read whole beside the span, and as attributes where nothing stands beside it."""

from __future__ import annotations

import json

import pytest

from spanjudge.dialects import recorded
from spanjudge.dialects.registry import is_rag, kind_of, read
from spanjudge.semconv import (
    ANSWER_PART,
    GROUND_TRUTH,
    RECORDED_ANSWER,
    RECORDED_DOCUMENTS,
    RECORDED_QUERY,
    RETRIEVAL_PART,
)
from spanjudge.sources.record import LogPart, SpanRecord


def _span(*logs: LogPart, **attributes: object) -> SpanRecord:
    return SpanRecord(
        trace_id="1" * 32,
        span_id="2" * 16,
        logs=logs,
        attributes={name.replace("__", "."): value for name, value in attributes.items()},
    )


def _retrieval(*texts: str, query: str = "q", time_ns: int = 1) -> LogPart:
    documents = tuple({"text": text} for text in texts)
    return LogPart(RETRIEVAL_PART, attributes={RECORDED_QUERY: query, RECORDED_DOCUMENTS: documents}, time_ns=time_ns)


ANSWER = LogPart(ANSWER_PART, attributes={RECORDED_ANSWER: "an answer"}, time_ns=2)


@pytest.mark.parametrize(
    ("logs", "kind"),
    [((), None), ((_retrieval("a"),), "retriever"), ((ANSWER,), "llm"), ((_retrieval("a"), ANSWER), "chain")],
)
def test_kind_is_told_by_what_was_recorded(logs: tuple[LogPart, ...], kind: str | None) -> None:
    assert (recorded.kind(_span(*logs)), is_rag(_span(*logs))) == (kind, kind is not None)


def test_instrumentation_tells_the_kind_where_it_knows() -> None:
    assert kind_of(_span(ANSWER, openinference__span__kind="AGENT")) == "agent"


def test_reference_alone_makes_no_run() -> None:
    span = _span(LogPart(GROUND_TRUTH, attributes={GROUND_TRUTH: "right"}), **{GROUND_TRUTH: "right"})
    assert not is_rag(span)


def test_attributes_are_read_where_nothing_stands_beside_the_span() -> None:
    shown = {
        RECORDED_QUERY: "q",
        RECORDED_DOCUMENTS: json.dumps([{"text": "a", "id": "1", "score": 0.5, "score_kind": "similarity"}]),
        RECORDED_ANSWER: "an answer",
    }
    facts = read(_span(**shown))
    assert (facts.query, facts.answer, facts.kind, facts.dialects) == ("q", "an answer", "chain", ("recorded",))
    assert facts.documents is not None
    assert [(each.text, each.id, each.score, each.score_kind) for each in facts.documents] == [
        ("a", "1", 0.5, "similarity")
    ]


def test_whole_texts_win_over_attributes_that_a_limit_may_have_cut() -> None:
    span = _span(_retrieval("a whole text"), ANSWER, **{RECORDED_DOCUMENTS: '[{"text": "a wh', RECORDED_ANSWER: "an"})
    facts = recorded.read(span)
    assert ([each.text for each in facts.documents or ()], facts.answer, facts.cut) == (
        ["a whole text"],
        "an answer",
        False,
    )


def test_attribute_that_was_cut_is_no_retrieval_without_results() -> None:
    facts = recorded.read(_span(**{RECORDED_DOCUMENTS: '[{"text": "a wh'}))
    assert (facts.documents, facts.cut) == (None, True)


def test_blank_documents_are_dropped_and_blank_answers_are_none() -> None:
    span = _span(_retrieval("a", " ", "b"), LogPart(ANSWER_PART, attributes={RECORDED_ANSWER: " "}))
    facts = recorded.read(span)
    assert ([(each.text, each.rank) for each in facts.documents or ()], facts.answer) == ([("a", 0), ("b", 1)], None)


def test_junk_among_documents_is_left_out() -> None:
    documents = ({"text": "a"}, 7, None, {"nothing": 1}, {"text": "b", "score_kind": "made up"})
    part = LogPart(RETRIEVAL_PART, attributes={RECORDED_DOCUMENTS: documents})
    found = recorded.read(_span(part)).documents
    assert [(each.text, each.score_kind) for each in found or ()] == [("a", "unknown"), ("b", "unknown")]

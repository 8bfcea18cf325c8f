from __future__ import annotations

from typing import Any

import pytest

from spanjudge.dialects import plain
from spanjudge.sources.record import EventRecord
from unit.dialects.one_span import ANSWER, DOCUMENTS, FOUND, QUERY, TEXTS, contents, found, one, text

BARE = [(None, TEXTS[0], None), (None, TEXTS[1], None)]


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({"rag.documents": text(DOCUMENTS)}, FOUND),
        ({"rag.context": text(TEXTS)}, BARE),
        ({"retrieved_documents": TEXTS}, BARE),
        ({"app.retrieved_chunks": text(DOCUMENTS)}, FOUND),
        ({"retrieved_contexts": tuple(map(text, DOCUMENTS))}, FOUND),
        ({"contexts": text({"results": DOCUMENTS})}, FOUND),
        ({"documents.0.text": TEXTS[0], "documents.1.text": TEXTS[1]}, BARE),
        ({"documents.0": TEXTS[0], "documents.1": TEXTS[1], "rag.query": QUERY}, BARE),
        ({f"rag.documents.{n}.{key}": each[key] for n, each in enumerate(DOCUMENTS) for key in each}, FOUND),
        ({"question": QUERY, "context": TEXTS[0]}, BARE[:1]),
        ({"query": QUERY, "documents": text(DOCUMENTS)}, FOUND),
        ({"query": QUERY, "results": TEXTS}, BARE),
    ],
)
def test_contexts_are_read_under_names_in_common_use(attributes: dict[str, Any], expected: object) -> None:
    facts = plain.read(one(attributes))
    assert plain.speaks(one(attributes))
    assert found(facts.documents) == expected
    assert facts.kind == "retriever"


@pytest.mark.parametrize(
    "attributes",
    [
        {"rag.query": QUERY, "rag.answer": ANSWER},
        {"question": QUERY, "answer": ANSWER},
        {"app.user_question": QUERY, "app.final_answer": ANSWER},
        {"rag.input": QUERY, "rag.output": ANSWER},
        {"input": QUERY, "output": ANSWER},
        {"question": QUERY, "response": ANSWER},
    ],
)
def test_question_and_answer_without_documents_are_a_call_of_a_model(attributes: dict[str, Any]) -> None:
    facts = plain.read(one(attributes))
    assert facts.kind == "llm"
    assert (facts.query, facts.answer) == (QUERY, ANSWER)
    assert contents((*facts.input_messages, *facts.output_messages)) == [("user", QUERY), ("assistant", ANSWER)]


def test_whole_call_on_one_span_is_of_no_kind() -> None:
    facts = plain.read(one({"question": QUERY, "context": TEXTS, "answer": ANSWER, "ground_truth": "Two years."}))
    assert facts.kind is None
    assert (facts.query, facts.answer, facts.ground_truth, found(facts.documents)) == (
        QUERY,
        ANSWER,
        "Two years.",
        BARE,
    )


@pytest.mark.parametrize(
    "attributes",
    [
        {"url.query": "q=1", "http.route": "/ask"},
        {"db.query.text": "select 1", "db.response.status": "ok"},
        {"query": "q"},
        {"input": QUERY},
        {"output": "ok", "input": "x"},
        {"documents": 3},
        {"documents": ("a.pdf", "b.pdf")},
        {"results": text([{"status": "ok"}])},
        {"gen_ai.answer": ANSWER},
        {"metadata.question": QUERY},
        {"question": ""},
        {"session.context": "x y"},
    ],
)
def test_words_that_may_mean_anything_mean_nothing_alone(attributes: dict[str, Any]) -> None:
    assert not plain.speaks(one(attributes))


def test_texts_under_the_name_of_a_search_are_documents() -> None:
    assert not plain.speaks(one({"results": TEXTS}, name="job"))
    assert found(plain.read(one({"results": TEXTS}, name="retrieve")).documents) == BARE


@pytest.mark.parametrize("name", ["document", "retrieved_document", "rag.chunk", "search result", "doc"])
def test_events_that_are_documents_are_read(name: str) -> None:
    events = tuple(EventRecord(name, {f"document.{key}": value for key, value in each.items()}) for each in DOCUMENTS)
    facts = plain.read(one(events=events))
    assert facts.kind == "retriever"
    assert found(facts.documents) == FOUND


def test_ranks_on_events_give_the_order() -> None:
    events = tuple(EventRecord("document", {**each, "rank": 1 - rank}) for rank, each in enumerate(DOCUMENTS))
    assert found(plain.read(one(events=events)).documents) == FOUND[::-1]
    twice = tuple(EventRecord("document", {**each, "rank": 1}) for each in DOCUMENTS)
    assert found(plain.read(one(events=twice)).documents) == FOUND


@pytest.mark.parametrize("name", ["exception", "gen_ai.choice", "db.query.result", "cache.miss"])
def test_other_events_are_none(name: str) -> None:
    assert not plain.speaks(one(events=(EventRecord(name, {"text": TEXTS[0]}),)))


def test_missing_number_leaves_a_gap() -> None:
    assert plain.read(one({"documents.0.text": TEXTS[0], "documents.2.text": TEXTS[1]})).gaps
    assert not plain.read(one({"documents.0.text": TEXTS[0], "documents.1.text": TEXTS[1]})).gaps


def test_numbers_come_in_the_order_of_numbers() -> None:
    facts = plain.read(one({f"documents.{number}.text": f"text {number}" for number in (10, 9, *range(9))}))
    assert [each.text for each in facts.documents or ()] == [f"text {number}" for number in range(11)]


def test_placeholder_and_broken_json_are_told() -> None:
    assert plain.read(one({"question": "__REDACTED__", "answer": ANSWER})).redacted
    assert plain.read(one({"question": QUERY, "context": text(TEXTS)[:20]})).cut

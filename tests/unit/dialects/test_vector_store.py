from __future__ import annotations

import pytest

from spanjudge.dialects import vector_store
from spanjudge.sources.record import EventRecord
from unit.dialects.one_span import TEXTS, found, one, text

RESULT = "db.query.result"


def result(**values: object) -> EventRecord:
    return EventRecord(RESULT, {f"{RESULT}.{key}": value for key, value in values.items()})


@pytest.mark.parametrize(
    ("system", "operation", "speaks"),
    [
        ("chroma", "query", True),
        ("Qdrant", "query_points", True),
        ("pg_vector", "query", True),
        ("chroma", "add", False),
        ("postgresql", "query", False),
        (None, "query", False),
    ],
)
def test_only_a_search_in_a_vector_store_counts(system: str | None, operation: str, *, speaks: bool) -> None:
    assert vector_store.speaks(one({"db.system": system, "db.operation": operation})) is speaks


def test_name_of_the_span_tells_the_operation_where_nothing_else_does() -> None:
    assert vector_store.kind(one({"db.system": "qdrant"}, name="qdrant.search")) == "retriever"
    assert vector_store.kind(one({"db.system": "qdrant"}, name="qdrant.upsert")) is None


def test_documents_stand_in_events_with_a_distance() -> None:
    events = (
        result(id="a", distance=0.1, document=TEXTS[0], metadata=text({"score": 9})),
        result(id="b", distance=0.3, document=TEXTS[1]),
    )
    facts = vector_store.read(one({"db.system": "chroma", "db.operation": "query"}, events=events))
    assert found(facts.documents) == [("a", TEXTS[0], 0.1), ("b", TEXTS[1], 0.3)]
    assert {each.score_kind for each in facts.documents or ()} == {"distance"}


def test_text_may_stand_in_the_metadata() -> None:
    event = result(id="a", score=0.8, metadata=text({"text": TEXTS[0]}))
    assert found(vector_store.read(one({"db.system": "pinecone"}, events=(event,))).documents) == [("a", TEXTS[0], 0.8)]


def test_search_without_results_in_its_events_says_nothing_of_them() -> None:
    assert vector_store.read(one({"db.system": "qdrant"})).documents is None


def test_result_that_cannot_be_read_leaves_a_gap() -> None:
    facts = vector_store.read(
        one({"db.system": "chroma"}, events=(result(id="a", document=TEXTS[0]), result(distance=0.2)))
    )
    assert facts.gaps


def test_query_of_a_search_is_read() -> None:
    assert vector_store.read(one({"db.system": "pgvector", "db.vector.query.content": "warranty"})).query == "warranty"

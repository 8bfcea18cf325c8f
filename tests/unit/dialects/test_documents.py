from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.dialects.documents import documents_in, listed, ranked, split_as
from spanjudge.model import Document

A, B = "The warranty lasts two years.", "Returns are accepted within 30 days."
Found = list[tuple[str | None, str | None, float | None]]


def found(value: object) -> Found | None:
    documents = documents_in(value)
    return None if documents is None else [(each.id, each.text, each.score) for each in documents]


PAIR: Found = [("a", A, 0.9), ("b", B, 0.8)]
BARE: Found = [(None, A, None), (None, B, None)]
SHAPES: dict[str, tuple[object, Found]] = {
    "list of records": ([{"id": "a", "text": A, "score": 0.9}, {"id": "b", "text": B, "score": 0.8}], PAIR),
    "other names": (
        [
            {"content": A, "doc_id": "a", "similarity": 0.9, "metadata": {}},
            {"content": B, "doc_id": "b", "similarity": 0.8},
        ],
        PAIR,
    ),
    "results with titles": (
        {
            "results": [
                {"id": "a", "title": "Warranty", "snippet": A, "score": 0.9},
                {"id": "b", "title": "Returns", "snippet": B, "score": 0.8},
            ]
        },
        PAIR,
    ),
    "chunks": (
        [
            {"chunk_id": "a", "page_content": A, "relevance": "0.9"},
            {"chunk_id": "b", "page_content": B, "relevance": 0.8},
        ],
        PAIR,
    ),
    "search engine": (
        {
            "took": 3,
            "hits": {
                "total": {"value": 2},
                "hits": [
                    {"_id": "a", "_score": 0.9, "_source": {"text": A}},
                    {"_id": "b", "_score": 0.8, "_source": {"text": B}},
                ],
            },
        },
        PAIR,
    ),
    "text in metadata": (
        {
            "matches": [
                {"id": "a", "score": 0.9, "metadata": {"text": A}},
                {"id": "b", "score": 0.8, "metadata": {"text": B}},
            ]
        },
        PAIR,
    ),
    "payload": ({"points": [{"id": 1, "score": 0.9, "payload": {"page_content": A}}]}, [("1", A, 0.9)]),
    "parallel lists": ({"ids": ["a", "b"], "texts": [A, B], "scores": [0.9, 0.8]}, PAIR),
    "parallel lists in lists": ({"ids": [["a", "b"]], "documents": [[A, B]], "distances": [[0.9, 0.8]]}, PAIR),
    "table": ({"columns": ["id", "text", "score"], "rows": [["a", A, 0.9], ["b", B, 0.8]]}, PAIR),
    "rows without names": ([["a", A, 0.9], ["b", B, 0.8]], PAIR),
    "document and score": (
        [[{"page_content": A, "metadata": {"id": "a"}}, 0.9], [{"page_content": B, "metadata": {"id": "b"}}, 0.8]],
        PAIR,
    ),
    "records by id": ({"a": {"text": A, "score": 0.9}, "b": {"text": B, "score": 0.8}}, PAIR),
    "unknown wrapper": (
        {"data": {"Get": {"Article": [{"body": A, "_additional": {"id": "a", "distance": 0.9}}]}}},
        PAIR[:1],
    ),
    "another language": (
        {
            "resultados": [
                {"identificador": "a", "texto": A, "puntuacion": 0.9},
                {"identificador": "b", "texto": B, "puntuacion": 0.8},
            ]
        },
        PAIR,
    ),
    "node in a record": ([{"node": {"id_": "a", "text": A, "embedding": None}, "score": 0.9}], PAIR[:1]),
    "constructor form": (
        [{"lc": 1, "type": "constructor", "id": ["x", "Document"], "kwargs": {"id": "a", "page_content": A}}],
        [("a", A, None)],
    ),
    "tool message with artifact": (
        {"type": "tool", "data": {"content": "joined", "artifact": [{"id": "a", "page_content": A}]}},
        [("a", A, None)],
    ),
    "tool message with json": (
        {"type": "tool", "data": {"content": json.dumps([{"id": "a", "text": A}]), "artifact": None}},
        [("a", A, None)],
    ),
    "part of a message": (
        {"content": [{"type": "text", "text": json.dumps([{"id": "a", "text": A}])}], "isError": False},
        [("a", A, None)],
    ),
    "text in parts": ({"data": [{"file_id": "a", "score": 0.9, "content": [{"type": "text", "text": A}]}]}, PAIR[:1]),
    "json in json": (json.dumps([json.dumps({"node": {"id_": "a", "text": A}, "score": 0.9})]), PAIR[:1]),
    "bare texts": ([A, B], BARE),
    "one record": ({"id": "a", "text": A, "score": 0.9}, PAIR[:1]),
    "name as id": ([{"content": A, "name": "a", "meta_data": {}}], [("a", A, None)]),
    "equal texts": ([{"id": "a", "text": A}, {"id": "b", "text": A}], [("a", A, None), ("b", A, None)]),
    "empty list": ([], []),
    "empty results": ({"results": [], "total": 0}, []),
    "empty search": ({"hits": {"total": 0, "hits": []}}, []),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize(
    "encode", [lambda value: value, json.dumps, lambda value: json.dumps(value, ensure_ascii=False)]
)
def test_documents_are_found_in_every_shape(name: str, encode: Any) -> None:
    value, expected = SHAPES[name]
    assert found(encode(value)) == expected


@pytest.mark.parametrize(
    "value",
    [
        "42",
        A,
        None,
        7,
        True,
        {"temperature": 20, "unit": "C"},
        [{"order_id": 17, "status": "shipped"}],
        {"error": "not found"},
        [1, 2],
    ],
)
def test_what_is_no_list_of_documents_is_none(value: object) -> None:
    assert documents_in(value) is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [("distance", "distance"), ("similarity", "similarity"), ("relevance_score", "rerank"), ("score", "unknown")],
)
def test_the_name_of_a_score_tells_its_kind(name: str, kind: str) -> None:
    (document,) = documents_in([{"text": A, name: 0.5}]) or ()
    assert (document.score, document.score_kind) == (0.5, kind)


@pytest.mark.parametrize("score", [None, True, "high", float("nan"), float("inf"), 10**400, {}])
def test_a_score_that_is_no_finite_number_is_none(score: object) -> None:
    (document,) = documents_in([{"text": A, "score": score}]) or ()
    assert document.score is None


def test_twenty_documents_keep_their_order() -> None:
    value = [{"id": f"d{number}", "text": f"Text number {number}."} for number in range(20)]
    assert [each.id for each in documents_in(value) or ()] == [f"d{number}" for number in range(20)]


def test_list_of_ids_alone_is_one_of_documents_only_where_that_is_known() -> None:
    value = '[{"id": "a", "score": null}, {"id": "b", "score": 0.5}]'
    assert documents_in(value) is None
    assert [(each.id, each.text, each.score) for each in listed(value) or ()] == [("a", None, None), ("b", None, 0.5)]
    assert listed("[]") == ()
    assert listed("none") is None


def test_blank_documents_are_dropped_and_the_rest_numbered() -> None:
    documents = ranked([Document(" "), Document("a"), Document(None, id="k"), Document("")], "span")
    assert [(each.text, each.id, each.rank, each.source_span_id) for each in documents] == [
        ("a", None, 0, "span"),
        (None, "k", 1, "span"),
    ]


def test_joined_texts_are_split_only_into_the_number_that_is_known() -> None:
    assert split_as("a\nb\n\nc\n \nd", 3) == ["a\nb", "c", "d"]
    assert split_as("a\n\nb", 3) is None
    assert split_as("", 1) is None


def test_deep_and_wide_values_cost_no_more_than_their_bounds() -> None:
    deep: object = [{"id": "a", "text": A}]
    for _ in range(200):
        deep = {"results": deep}
    assert documents_in(deep) is None
    assert len(documents_in([{"text": A, "id": str(number)} for number in range(5_000)]) or ()) == 1_000


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "id",
                    "text",
                    "content",
                    "documents",
                    "score",
                    "node",
                    "metadata",
                    "rows",
                    "columns",
                    "ids",
                    "kwargs",
                    "data",
                    "a",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=16,
)


@given(json_values)
def test_any_value_gives_documents_or_none(value: object) -> None:
    documents = documents_in(value)
    assert documents is None or all(isinstance(each, Document) for each in documents)
    listed(value)

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.dialects.plain import kind_as_mapped, read_as_mapped, speaks_as_mapped
from spanjudge.dialects.plain_mapping import PlainMapping
from spanjudge.dialects.registry import is_rag, kind_of, read
from spanjudge.model import Document
from unit.dialects.one_span import ANSWER, DOCUMENTS, FOUND, QUERY, TEXTS, found, one, text

if TYPE_CHECKING:
    from spanjudge.sources.record import Attributes

PAYLOAD = {"app.call": text({"ask": {"q": QUERY}, "hits": [{"docs": DOCUMENTS}], "said": ANSWER, "n": 7})}


def test_places_are_names_paths_and_functions() -> None:
    mapping = PlainMapping(
        query="app.call.ask.q",
        contexts="app.call.hits.0.docs",
        answer=lambda attributes: str(attributes["reply"]).upper(),
        session="app.call.n",
        user="who",
        ground_truth="truth",
    )
    facts = read_as_mapped(one({**PAYLOAD, "reply": ANSWER, "who": "u", "truth": "Two."}), mapping)
    assert (facts.query, facts.answer, facts.session, facts.user, facts.ground_truth) == (
        QUERY,
        ANSWER.upper(),
        "7",
        "u",
        "Two.",
    )
    assert found(facts.documents) == FOUND
    assert facts.told == ("query", "documents", "answer")
    assert facts.dialects == ("plain",)


def test_longest_name_goes_before_a_path() -> None:
    mapping = PlainMapping(query="a.b")
    assert mapping.text("query", {"a": text({"b": "inside"}), "a.b": "outside"}) == "outside"
    assert mapping.text("query", {"a": text({"b": "inside"})}) == "inside"


@pytest.mark.parametrize(
    ("contexts", "attributes", "expected"),
    [
        ("docs", {"docs": TEXTS}, [(None, each, None) for each in TEXTS]),
        ("docs", {"docs": TEXTS[0]}, [(None, TEXTS[0], None)]),
        ("docs", {f"docs.{n}.body": each for n, each in enumerate(TEXTS)}, [(None, each, None) for each in TEXTS]),
        ("docs", {f"docs.{n}": each for n, each in enumerate(TEXTS)}, [(None, each, None) for each in TEXTS]),
        (lambda _: [Document(TEXTS[0], id="a")], {}, [("a", TEXTS[0], None)]),
        (lambda _: [], {}, []),
    ],
)
def test_contexts_come_in_any_shape(contexts: Any, attributes: Attributes, expected: object) -> None:
    facts = read_as_mapped(one(attributes), PlainMapping(contexts=contexts))
    assert facts.documents is not None
    assert found(facts.documents) == expected


def test_span_without_any_of_it_says_nothing() -> None:
    mapping = PlainMapping(query="q", contexts="docs", answer="a")
    assert read_as_mapped(one({"other": 1}), mapping).dialects == ()
    assert not speaks_as_mapped(one({"other": 1}), mapping)
    assert speaks_as_mapped(one({"docs.0.text": "x"}), mapping)


@pytest.mark.parametrize(
    ("attributes", "kind"),
    [({"docs": TEXTS}, "retriever"), ({"a": ANSWER}, "llm"), ({"docs": TEXTS, "a": ANSWER}, None)],
)
def test_kind_is_told_by_what_stands_there(attributes: Attributes, kind: str | None) -> None:
    mapping = PlainMapping(query="q", contexts="docs", answer="a")
    assert kind_as_mapped(one(attributes), mapping) == kind
    assert kind_of(one(attributes), mapping) == kind
    assert is_rag(one(attributes), mapping)


def test_mapping_goes_before_every_dialect_but_not_for_the_kind() -> None:
    span = one({"openinference.span.kind": "AGENT", "input.value": "{}", "session.id": "s", "q": QUERY, "s": "mine"})
    facts = read(span, PlainMapping(query="q", session="s"))
    assert (facts.kind, facts.query, facts.session) == ("agent", QUERY, "mine")
    assert facts.dialects == ("plain", "openinference")


def test_function_that_raises_is_told_once_and_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    mapping = PlainMapping(query=lambda attributes: attributes["missing"])
    with caplog.at_level(logging.WARNING, "spanjudge"):
        assert mapping.text("query", {}) is None
        assert mapping.text("query", {}) is None
    assert [record.getMessage() for record in caplog.records] == [
        "The function for query in the mapping of attributes raised KeyError: it says nothing then."
    ]


def test_mappings_are_equal_whatever_they_have_met() -> None:
    one_mapping, other = PlainMapping(query="q"), PlainMapping(query="q")
    one_mapping.value("query", {})
    assert one_mapping == other


def test_broken_json_under_a_path_is_cut() -> None:
    mapping = PlainMapping(query="call.q")
    assert read_as_mapped(one({"call": '{"q": "How lo', "x": 1}), PlainMapping(query="call.q", user="x")).cut
    assert not mapping.cut({"call": text({"q": QUERY})})


@given(
    st.text(max_size=20),
    st.dictionaries(st.text(max_size=6), st.recursive(st.none() | st.text() | st.integers(), st.lists), max_size=4),
)
def test_any_place_on_any_span_gives_a_text_or_nothing(place: str, attributes: dict[str, Any]) -> None:
    mapping = PlainMapping(query=place, contexts=place)
    found_text = mapping.text("query", attributes)
    assert found_text is None or isinstance(found_text, str)
    documents, _ = mapping.documents(attributes)
    assert documents is None or all(isinstance(each, Document) for each in documents)

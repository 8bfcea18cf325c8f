from __future__ import annotations

from spanjudge.dialects.steps import facts_of_step, unwrapped
from unit.dialects.one_span import DOCUMENTS, FOUND, QUERY, found, one, text


def test_retriever_that_returned_nothing_is_not_one_that_says_nothing() -> None:
    span = one()
    assert facts_of_step(span, "retriever", QUERY, "[]", dialect="d").documents == ()
    assert facts_of_step(span, "retriever", QUERY, None, dialect="d").documents is None
    assert facts_of_step(span, "retriever", QUERY, "no list", dialect="d").documents is None


def test_document_that_was_replaced_by_the_placeholder_is_told() -> None:
    facts = facts_of_step(one(), "retriever", QUERY, text([{"id": "a", "text": "__REDACTED__"}]), dialect="d")
    assert facts.redacted


def test_quotes_are_taken_off_only_where_the_dialect_writes_them() -> None:
    assert facts_of_step(one(), "chain", '"a"', None, dialect="d", quoted=True).input == "a"
    assert facts_of_step(one(), "chain", '"a"', None, dialect="d").input == '"a"'


def test_step_of_no_kind_keeps_what_it_was_given_and_gave_back() -> None:
    facts = facts_of_step(one(), None, QUERY, text(DOCUMENTS), dialect="d")
    assert (facts.input, facts.output, facts.documents) == (QUERY, DOCUMENTS, None)
    assert found(facts_of_step(one(), "reranker", None, text(DOCUMENTS), dialect="d").documents) == FOUND


def test_first_name_that_a_wrapper_has_is_taken() -> None:
    assert unwrapped({"outputs": None, "output": 1}, "outputs", "output") is None
    assert unwrapped({"else": 1}, "outputs") == {"else": 1}
    assert unwrapped("text", "outputs") == "text"

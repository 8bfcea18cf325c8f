"""References are found by the question, however it is written."""

from __future__ import annotations

import asyncio

import pytest

from spanjudge.golden import GoldenSet, find


@pytest.mark.parametrize("question", ["How long?", "how LONG?", "  how\n long? ", "Ｈow long?"])
def test_question_is_matched_after_unicode_case_and_white_space_are_levelled(question: str) -> None:
    assert GoldenSet({"How long?": "24 months"})(question) == "24 months"


def test_other_question_has_no_reference() -> None:
    assert GoldenSet({"How long?": "24 months"})("How much?") is None


def test_lookup_may_be_a_coroutine_function() -> None:
    async def lookup(question: str) -> str | None:
        await asyncio.sleep(0)
        return question.upper()

    assert asyncio.run(find(lookup, "abc")) == "ABC"


def test_without_lookup_or_question_there_is_no_reference() -> None:
    assert asyncio.run(find(None, "abc")) is None
    assert asyncio.run(find(lambda question: question, None)) is None

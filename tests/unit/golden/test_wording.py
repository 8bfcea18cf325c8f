"""Questions are close only where no number, name, negation, question word or direction differs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.golden.wording import closeness, same_facts, wording


def _close(one: str, two: str) -> float:
    return closeness(wording(one), wording(two))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("How long is the warranty?", "how long is your warranty"),
        ("What's the price?", "What is the price?"),
        ("How do I export data?", "Please tell me how to export the data"),
        ("Do batteries last?", "Does the battery last"),
        ("Is it 10,000 tokens?", "Is that 10000 tokens?"),
        ("Isn't it safe?", "Is it not safe?"),
        ("Can two people share?", "Can 2 people share?"),
    ],
)
def test_fillers_inflections_and_spellings_of_numbers_change_nothing(one: str, two: str) -> None:
    assert _close(one, two) == 1.0


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Revenue in 2023?", "Revenue in 2024?"),
        ("Is it -5 degrees?", "Is it 5 degrees?"),
        ("Does it cost $5?", "Does it cost €5?"),
        ("Does the X200 charge?", "Does the X300 charge?"),
        ("What does plan A cost?", "What does plan B cost?"),
        ("what does plan a cost", "what does plan b cost"),
        ("The price of C++?", "The price of C#?"),
        ("Is it sold in the US?", "Is it sold by us?"),
        ("Did Anna write it?", "Did Hanna write it?"),
        ("Is it allowed?", "Is it not allowed?"),
        ("Is it allowed?", "Isn't it allowed?"),
        ("Who signed it?", "When was it signed?"),
        ("Flights to Rome", "Flights from Rome"),
        ("Is it safe with food?", "Is it safe without food?"),
        ("monthly plan price", "annual plan price"),
        ("法国的首都是什么", "德国的首都是什么"),
        ("", ""),
        ("?", "!"),
    ],
)
def test_what_may_ask_for_something_else_is_not_close_at_all(one: str, two: str) -> None:
    assert _close(one, two) == 0.0


def test_words_in_another_order_are_less_close() -> None:
    assert _close("Does smoking cause cancer?", "Does cancer cause smoking?") == pytest.approx(1 / 3)


def test_word_more_costs_its_share() -> None:
    assert _close("export the monthly sales report", "export the monthly regional sales report") == 4 / 5


def test_facts_alone_may_agree_where_words_do_not() -> None:
    one = wording("How long is the warranty of the X200?")
    assert same_facts(one, wording("What is the X200 guarantee period?"))
    assert not same_facts(one, wording("What is the X300 guarantee period?"))


@given(st.text(max_size=80), st.text(max_size=80))
def test_closeness_is_a_share_and_the_same_both_ways(one: str, two: str) -> None:
    forth, back = _close(one, two), _close(two, one)
    assert 0.0 <= forth <= 1.0
    assert forth == pytest.approx(back)


@given(st.lists(st.sampled_from(["battery", "warranty", "price", "refund", "laptop", "ship"]), min_size=1, max_size=8))
def test_question_is_as_close_as_can_be_to_itself(words: list[str]) -> None:
    assert _close(" ".join(words), " ".join(words)) == 1.0

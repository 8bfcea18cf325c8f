from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.judge.ask import Ask, JudgeError
from spanjudge.model import Verdict
from spanjudge.scorers.answers import Row
from spanjudge.scorers.faithfulness import Verifications
from spanjudge.scorers.verdicts import BINARY, TERNARY, collect, match, read_word
from spanjudge.testing import FakeJudge

ITEMS = ("first", "second", "third")


def _collect(*replies: Any, items: tuple[str, ...] = ITEMS) -> tuple[tuple[Verdict, ...], FakeJudge]:
    judge = FakeJudge(replies)

    async def put(ask: Ask) -> Any:
        return (await judge.ask(ask)).value

    ask = Ask(task="verify", instructions="check", items=items, answer_model=Verifications, vocabulary=TERNARY)
    return asyncio.run(collect(ask, put, items=items, vocabulary=TERNARY)), judge


def _row(index: int | None, word: str) -> dict[str, Any]:
    return {"index": index, "verdict": word, "reason": f"because {word}"}


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "Yes",
        " YES ",
        "yes.",
        "**yes**",
        '"yes"',
        "_yes_",
        "`yes`",
        "yes - stated in [0]",
        "Yes, clearly",
        "“yes”",
    ],
)
def test_ways_to_write_yes(text: str) -> None:
    assert read_word(text, BINARY) == "yes"


@pytest.mark.parametrize(
    "text", ["", "partial", "not", "yes/no", "yes|no", "yes / no", "예", "是", "yesterday", "none", "don't", "7"]
)
def test_what_is_no_verdict_word_is_not_guessed(text: str) -> None:
    assert read_word(text, TERNARY) is None


def test_unsure_is_no_word_of_the_binary_vocabulary() -> None:
    assert read_word("unsure", BINARY) is None
    assert read_word("unsure", TERNARY) == "unsure"


@given(st.text(max_size=50))
def test_reading_any_text_gives_a_word_of_the_vocabulary_or_nothing(text: str) -> None:
    assert read_word(text, TERNARY) in {"yes", "unsure", "no", None}


@given(
    st.lists(st.sampled_from(["yes", "unsure", "no"]), min_size=1, max_size=12), st.randoms(), st.sampled_from([0, 1])
)
def test_order_and_counting_base_do_not_matter_when_indexes_are_echoed(
    words: list[str], random: Any, base: int
) -> None:
    rows = [Row(at + base, word, "") for at, word in enumerate(words)]
    random.shuffle(rows)
    assert [reading.word if reading else None for reading in match(rows, len(words), TERNARY)] == words


rows = st.lists(
    st.builds(
        Row,
        index=st.one_of(st.none(), st.integers(-3, 8)),
        word=st.sampled_from(["yes", "no", "?"]),
        reason=st.just(""),
    ),
    max_size=12,
)


@given(rows, st.integers(0, 6))
def test_matching_gives_one_place_per_item_whatever_comes(given_rows: list[Row], items: int) -> None:
    assert len(match(given_rows, items, TERNARY)) == items


def test_first_verdict_of_an_index_wins_and_extras_are_ignored() -> None:
    verdicts, judge = _collect(
        {"verdicts": [_row(0, "yes"), _row(0, "no"), _row(1, "no"), _row(2, "yes"), _row(9, "no")]}
    )
    assert [verdict.verdict for verdict in verdicts] == ["yes", "no", "yes"]
    assert len(judge.asks) == 1


def test_first_readable_verdict_of_an_index_wins() -> None:
    verdicts, _ = _collect({"verdicts": [_row(0, "?"), _row(0, "yes"), _row(1, "no"), _row(2, "no")]})
    assert verdicts[0].verdict == "yes"


def test_set_that_counts_from_1_is_shifted_but_one_that_lost_its_first_is_not() -> None:
    shifted, _ = _collect({"verdicts": [_row(1, "yes"), _row(2, "no"), _row(3, "no")]})
    assert [verdict.verdict for verdict in shifted] == ["yes", "no", "no"]
    lost, _ = _collect({"verdicts": [_row(1, "yes"), _row(2, "yes")]}, {"verdicts": []})
    assert [(verdict.verdict, verdict.missing) for verdict in lost] == [("no", True), ("yes", False), ("yes", False)]


def test_verdicts_without_indexes_are_read_in_order_when_the_count_fits() -> None:
    verdicts, _ = _collect({"verdicts": [{"verdict": "yes"}, {"verdict": "no"}, {"verdict": "unsure"}]})
    assert [verdict.verdict for verdict in verdicts] == ["yes", "no", "unsure"]


def test_only_items_without_a_readable_verdict_are_asked_again_and_once() -> None:
    verdicts, judge = _collect(
        {"verdicts": [_row(0, "yes"), _row(1, "perhaps"), _row(2, "")]}, {"verdicts": [_row(0, "yes"), _row(1, "?")]}
    )
    assert [ask.items for ask in judge.asks] == [ITEMS, ("second", "third")]
    assert verdicts == (
        Verdict("first", "yes", "because yes"),
        Verdict("second", "yes", "because yes"),
        Verdict("third", "no", "", missing=True),
    )


def test_second_reply_that_cannot_be_parsed_leaves_the_worst_verdict() -> None:
    verdicts, _ = _collect({"verdicts": [_row(0, "yes"), _row(1, "yes")]}, JudgeError("judge_parse_error", "rubbish"))
    assert verdicts[2] == Verdict("third", "no", "", missing=True)


def test_second_ask_that_times_out_is_a_failure_and_no_bad_verdict() -> None:
    with pytest.raises(JudgeError, match="judge_timeout"):
        _collect({"verdicts": [_row(0, "yes")]}, JudgeError("judge_timeout", "too slow"))


def test_nothing_readable_at_all_is_a_parse_error() -> None:
    with pytest.raises(JudgeError, match="judge_parse_error: The judge gave no readable verdict on any of 3 items"):
        _collect({"verdicts": []}, {"verdicts": [_row(0, "maybe")]})


def test_judge_that_answers_in_text_is_a_parse_error() -> None:
    async def put(_ask: Ask) -> str:
        return "yes, all of it"

    ask = Ask(task="verify", instructions="check", items=ITEMS, answer_model=Verifications)
    with pytest.raises(JudgeError, match="answered with str"):
        asyncio.run(collect(ask, put, items=ITEMS, vocabulary=TERNARY))


def test_many_items_are_asked_about_in_parts_and_stay_in_order() -> None:
    items = tuple(f"item {number}" for number in range(120))

    def reply(ask: Ask) -> dict[str, Any]:
        return {"verdicts": [_row(at, "yes" if item.endswith("7") else "no") for at, item in enumerate(ask.items)]}

    judge = FakeJudge(reply)

    async def put(ask: Ask) -> Any:
        return (await judge.ask(ask)).value

    ask = Ask(task="verify", instructions="check", items=items, answer_model=Verifications, vocabulary=TERNARY)
    verdicts = asyncio.run(collect(ask, put, items=items, vocabulary=TERNARY))
    assert [len(each.items) for each in judge.asks] == [50, 50, 20]
    assert [verdict.item for verdict in verdicts] == list(items)
    assert {verdict.item[-1] for verdict in verdicts if verdict.verdict == "yes"} == {"7"}


def test_part_that_cannot_be_read_does_not_cost_the_others() -> None:
    items = tuple(f"item {number}" for number in range(60))

    def reply(ask: Ask) -> dict[str, Any]:
        return {"verdicts": [_row(at, "yes") for at, _ in enumerate(ask.items)] if "item 0" in ask.items else []}

    judge = FakeJudge(reply)

    async def put(ask: Ask) -> Any:
        return (await judge.ask(ask)).value

    ask = Ask(task="verify", instructions="check", items=items, answer_model=Verifications, vocabulary=TERNARY)
    verdicts = asyncio.run(collect(ask, put, items=items, vocabulary=TERNARY))
    assert sum(verdict.missing for verdict in verdicts) == 10

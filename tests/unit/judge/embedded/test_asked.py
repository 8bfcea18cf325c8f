import pytest

from spanjudge.judge.embedded.asked import is_no_answer, is_question, is_yes_or_no, kind_asked, wants_fact


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When was it built?", "number"),
        ("How many are there?", "number"),
        ("In what year did it end?", "number"),
        ("언제 끝났나요?", "number"),
        ("一共多少？", "number"),
        ("いつですか？", "number"),
        ("Who wrote it?", "name"),
        ("Where is Ulm?", "name"),
        ("어디에 있나요?", "name"),
        ("谁写的？", "name"),
        ("どこですか？", "name"),
        ("Is it red?", "choice"),
        ("Can I return it?", "choice"),
        ("可以退货吗？", "choice"),
        ("What is it?", "open"),
        ("Why is it red?", "open"),
        ("", "open"),
    ],
)
def test_kind_of_question(question: str, kind: str) -> None:
    assert kind_asked(question) == kind


def test_an_explanation_is_no_fact() -> None:
    assert wants_fact("What is the capital?")
    assert wants_fact("Who wrote it?")
    assert not wants_fact("Why is it red?")
    assert not wants_fact("왜 그런가요?")


@pytest.mark.parametrize(
    "text",
    [
        "I don't know.",
        "I'm sorry, I can't help with that.",
        "I am unable to answer this.",
        "There is no information about refunds in the context.",
        "Not enough context to answer.",
        "Error: upstream timed out",
        "HTTP 503",
        "Traceback (most recent call last)",
        "죄송합니다. 알 수 없습니다.",
        "抱歉，我不知道。",
        "申し訳ありません。",
    ],
)
def test_an_error_or_refusal_is_no_answer(text: str) -> None:
    assert is_no_answer(text)


@pytest.mark.parametrize(
    "text",
    [
        "No data is sent to third parties.",
        "Error bars show the standard deviation.",
        "I have owned it for years.",
        "Exceptions are listed below.",
        "The timeout is 30 seconds.",
        "Paris",
        "",
    ],
)
def test_an_answer_that_only_sounds_like_a_refusal_is_an_answer(text: str) -> None:
    assert not is_no_answer(text)


def test_yes_and_no_are_seen_in_four_languages() -> None:
    assert all(is_yes_or_no(text) for text in ("Yes.", "no, it is not", "예, 됩니다", "是的", "はい"))
    assert not any(is_yes_or_no(text) for text in ("Yesterday it rained.", "Norway", "Perhaps", ""))


def test_questions_are_seen_behind_quotation_marks() -> None:
    assert all(is_question(text) for text in ("What?", "“What?”", "何？」", "What? "))
    assert not any(is_question(text) for text in ("What? That.", "", "No."))


def test_a_megabyte_is_looked_at_in_no_time() -> None:
    for text in ("i can't " * 100_000, "\n" * 1_000_000, "?" * 1_000_000):
        assert is_no_answer(text) in {True, False}
        assert kind_asked(text) == "open"

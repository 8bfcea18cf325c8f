import pytest

from spanjudge.judge.embedded.evidence import read_item
from spanjudge.judge.embedded.phrases import PHRASES
from spanjudge.judge.embedded.relevancy import judge_statement, relevancy_features, relevant_keys
from spanjudge.judge.embedded.ruling import Ruling

CAPITAL = "What is the capital of France?"


def rule(question: str, statement: str, *, alone: bool = False) -> Ruling:
    return judge_statement(read_item(question), statement, PHRASES["en"], alone=alone)


@pytest.mark.parametrize(
    ("statement", "result"),
    [
        ("The capital of France is Paris.", "yes"),
        ("Lyon is the capital of France.", "yes"),
        ("France has a lot of good food and wine.", "unsure"),
        ("The weather is nice today.", "no"),
        ("I'm sorry, I do not know the answer.", "no"),
        ("Error 500: upstream failed", "no"),
        ("", "no"),
        ("of the", "no"),
    ],
)
def test_statement_answers_partly_or_not(statement: str, result: str) -> None:
    assert rule(CAPITAL, statement).verdict == result


def test_a_counter_question_is_never_an_answer() -> None:
    assert rule(CAPITAL, "Do you mean the capital of France?").verdict == "unsure"
    assert rule(CAPITAL, "What do you mean?").verdict == "no"


@pytest.mark.parametrize(
    ("question", "answer", "result"),
    [
        (CAPITAL, "Paris", "yes"),
        (CAPITAL, "Paris.", "yes"),
        ("How long is the warranty?", "24 months", "yes"),
        ("How long is the warranty?", "Ask Bob", "no"),
        ("Who wrote Hamlet?", "William Shakespeare", "yes"),
        ("Who wrote Hamlet?", "somebody", "no"),
        ("Is it red?", "Yes, it is.", "yes"),
        ("Is it red?", "No.", "yes"),
        ("Why is the sky blue?", "Paris", "no"),
        ("누가 썼나요?", "세종대왕", "yes"),
        ("谁写的？", "鲁迅", "yes"),
        ("何年ですか？", "1905年", "yes"),
    ],
)
def test_a_short_whole_answer_is_judged_by_its_kind(question: str, answer: str, result: str) -> None:
    assert rule(question, answer, alone=True).verdict == result


def test_a_short_statement_among_others_is_judged_by_its_words() -> None:
    assert rule(CAPITAL, "Paris").verdict == "no"


def test_a_question_without_words_leaves_it_open() -> None:
    assert rule("What is it?", "The warranty lasts two years.").verdict == "unsure"


def test_a_kindred_word_counts() -> None:
    question = read_item("How did people manipulate photographs?")
    assert relevant_keys(question, read_item("Photography was manipulated by hand.")) == {"manipulat", "photograph"}


def test_features_are_bounded() -> None:
    question = read_item(" ".join(f"zeugma{letter}" for letter in "abcdefghij"))
    found = relevancy_features(question, question.weights.keys())
    assert found == {"recall": pytest.approx(1.0), "mass": 1.0}
    assert relevancy_features(read_item(""), set()) == {"recall": 0.0, "mass": 0.0}


def test_reason_quotes_what_is_shared() -> None:
    assert rule(CAPITAL, "Lyon is the capital of France.").reason == "speaks of what is asked: 'capital of France'"
    assert rule(CAPITAL, "The weather is nice today.").reason == "shares no word with the question"


@pytest.mark.parametrize(
    ("question", "answer", "result"),
    [
        ("보증 기간은 얼마인가요?", "보증 기간은 24개월입니다.", "yes"),
        ("보증 기간은 얼마인가요?", "매장은 서울에 있습니다.", "no"),
        ("保修期多长？", "保修期为两年。", "yes"),
        ("保修期多长时间？", "很抱歉，我不知道。", "no"),
        ("保証期間はどれくらいですか？", "保証期間は2年です。", "yes"),
        ("保証期間はどれくらいですか？", "申し訳ありません。", "no"),
    ],
)
def test_statements_in_korean_chinese_and_japanese(question: str, answer: str, result: str) -> None:
    assert rule(question, answer).verdict == result

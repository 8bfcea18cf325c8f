import pytest

from spanjudge.judge.embedded.evidence import read_item, weigh
from spanjudge.judge.embedded.index import Index
from spanjudge.judge.embedded.phrases import PHRASES
from spanjudge.judge.embedded.ruling import Ruling
from spanjudge.judge.embedded.usefulness import judge_context, read_target, usefulness_features

BORN = "Einstein was born on 14 March 1879 in Ulm, Germany."
WROTE = "Einstein published the theory of special relativity in 1905."


def rule(question: str, expected: str, context: str, number: int = 0) -> Ruling:
    index = Index()
    index.add(number, context)
    return judge_context(read_target(question, expected), index, PHRASES["en"], number=number)


def test_a_context_that_holds_the_answer_is_useful_and_one_on_the_same_subject_is_not() -> None:
    question, answer = "When was Einstein born?", "Einstein was born in 1879 in Ulm."
    assert rule(question, answer, BORN).verdict == "yes"
    assert rule(question, answer, WROTE).verdict == "no"


def test_one_sentence_of_a_long_answer_is_enough() -> None:
    answer = "Water damage is excluded. Refunds take five days. Einstein was born in 1879 in Ulm."
    assert rule("What do we know?", answer, BORN).verdict == "yes"


def test_what_the_question_says_already_is_no_use() -> None:
    question = "How long is the warranty for this phone?"
    assert (
        rule(question, "The warranty for this phone is 24 months.", "The warranty for this phone is a thing.").verdict
        == "no"
    )
    assert rule(question, "The warranty for this phone is 24 months.", "You get 24 months.").verdict == "yes"


def test_an_answer_that_adds_nothing_to_the_question_is_judged_whole() -> None:
    target = read_target("Is Ulm in Germany?", "Ulm is in Germany.")
    index = Index()
    index.add(0, BORN)
    (item,) = target.sentences
    found = usefulness_features(target, item, weigh(item, index))
    assert found["fresh"] == found["window"] == 1.0


def test_without_an_expected_answer_the_question_decides() -> None:
    assert rule("When was Einstein born?", "", BORN).verdict == "yes"
    assert rule("When was Einstein born?", "", "Water damage is excluded.").verdict == "no"


@pytest.mark.parametrize(
    ("question", "answer", "useful", "useless"),
    [
        ("보증 기간은 얼마인가요?", "24개월입니다.", "보증 기간은 24개월입니다.", "매장은 서울에 있습니다."),
        ("保修期多长？", "24个月。", "保修期为购买之日起24个月。", "门店在上海。"),
        ("保証期間は？", "購入日から2年です。", "保証は購入日から2年間です。", "店は東京にあります。"),
    ],
)
def test_contexts_in_korean_chinese_and_japanese(question: str, answer: str, useful: str, useless: str) -> None:
    assert rule(question, answer, useful).verdict == "yes"
    assert rule(question, answer, useless).verdict == "no"


def test_reason_names_the_context_and_what_it_holds() -> None:
    assert rule("When was Einstein born?", "Einstein was born in 1879.", BORN, 3).reason == (
        "[3] holds of the expected answer: 'Einstein was born in 1879'"
    )
    assert rule("When?", "Refunds take days.", BORN, 2).reason == "[2] holds nothing of the expected answer"
    assert rule("When was Einstein born?", "", BORN, 1).reason == "[1] holds of the question: 'Einstein born'"
    assert rule("Who pays refunds?", "", BORN, 1).reason == "[1] shares no word with the question"


def test_neither_question_nor_answer_with_words_is_no_use() -> None:
    ruling = rule("", "", BORN)
    assert (ruling.verdict, ruling.support) == ("no", 0.0)


def test_an_empty_context_is_no_use() -> None:
    assert rule("When was Einstein born?", "In 1879.", "").verdict == "no"
    assert rule("When was Einstein born?", "", "").verdict == "no"


def test_a_long_answer_is_cut_to_thirty_sentences() -> None:
    assert len(read_target("q", "It lasts years. " * 100).sentences) == 30


def test_sentences_without_words_are_no_targets() -> None:
    assert read_target("q", "It is. Of the. Ulm.").sentences == (read_item("Ulm."),)

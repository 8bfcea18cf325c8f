import re

import pytest

from spanjudge.demo.corpus import read_topics
from spanjudge.demo.questions import Fact, Question, read_questions
from spanjudge.golden import GoldenSet

QUESTIONS = read_questions()


def joined(text: str) -> str:
    return " ".join(text.split()).replace("- ", "-")


def test_there_are_enough_questions_and_none_twice() -> None:
    assert len(QUESTIONS) >= 24
    assert len(GoldenSet({question.text: question.ground_truth for question in QUESTIONS})) == len(QUESTIONS)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.text)
def test_the_manual_of_this_python_says_what_the_ground_truth_claims(question: Question) -> None:
    topics = [joined(text) for text in read_topics().values()]
    missing = [fact.quote for fact in question.facts if not any(joined(fact.quote) in topic for topic in topics)]
    assert missing == []


@pytest.mark.parametrize(
    "fact", [fact for question in QUESTIONS for fact in question.facts], ids=lambda fact: fact.claim
)
def test_a_claim_is_one_sentence(fact: Fact) -> None:
    assert fact.claim.endswith(".")
    assert not re.search(r"[.!?]\s+[A-Z]", fact.claim)


def test_ground_truth_is_its_claims_in_order() -> None:
    question = Question("q", (Fact("First.", ""), Fact("Second.", "")))
    assert question.ground_truth == "First. Second."

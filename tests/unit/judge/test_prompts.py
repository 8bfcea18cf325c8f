from __future__ import annotations

import os
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.judge.ask import Ask
from spanjudge.judge.prompts import SYSTEM, build, defused
from spanjudge.model import Verdict

CONTEXTS = ("The battery lasts two years.", "Water damage is not covered.")


def common(left: Any, right: Any) -> Any:
    return os.path.commonprefix([left, right])  # noqa: RUF071 - character by character is what is meant


def ask(task: Any = "custom", instructions: str = "Do this.", **parts: Any) -> Ask:
    return Ask(task=task, instructions=instructions, **parts)


def test_parts_stand_in_the_agreed_order_with_the_instructions_last() -> None:
    everything = ask(
        contexts=CONTEXTS,
        question="How long?",
        answer="Two years.",
        reference="24 months.",
        items=("a claim",),
        verdicts=(Verdict("a claim", "yes", "in [0]"),),
        result="0.67 of 1",
        vocabulary=("yes", "no"),
        instructions="Say why.",
    )
    user = build(everything).user
    tags = re.findall(r"^<([a-z]+)-[0-9a-f]{12}>$", user, re.MULTILINE)
    assert tags == ["contexts", "question", "answer", "reference", "items", "verdicts", "result"]
    assert re.findall(r"^</([a-z]+)-[0-9a-f]{12}>$", user, re.MULTILINE) == tags
    assert user.endswith(
        "\n\nTASK\nPieces above: contexts [0] to [1]; items [0] to [0]; verdicts [0] to [0].\n"
        "Allowed verdict words: yes, no.\nSay why."
    )


def test_scorers_of_one_run_share_all_that_comes_before_their_difference() -> None:
    recall = build(ask("attribute", "Recall.", contexts=CONTEXTS, items=("24 months",)))
    precision = build(
        ask("rate_usefulness", "Precision.", contexts=CONTEXTS, question="How long?", answer="Two years.")
    )
    faithfulness = build(ask("verify", "Faithfulness.", contexts=CONTEXTS, items=("two years",)))
    explain = build(
        ask("explain", "Reason.", contexts=CONTEXTS, question="How long?", answer="Two years.", result="1 of 1")
    )
    assert recall.system == precision.system == faithfulness.system == explain.system == SYSTEM
    block = re.match(r"<contexts-\w+>\n.*?</contexts-\w+>\n\n", recall.user, re.DOTALL)
    assert block is not None
    for other in (precision, faithfulness, explain):
        assert other.user.startswith(block[0])
    shared = common(precision.user, explain.user)
    assert "How long?" in shared
    assert "Two years." in shared


texts = st.text(max_size=60)


@given(contexts=st.lists(texts, min_size=1, max_size=4), question=texts, one=texts, two=texts)
def test_the_shared_prefix_is_the_same_bytes_for_any_texts(
    contexts: list[str], question: str, one: str, two: str
) -> None:
    first = build(ask(contexts=tuple(contexts), question=question, answer="x" + one, instructions="First."))
    second = build(ask(contexts=tuple(contexts), question=question, answer="y" + two, instructions="Second."))
    alone = build(ask(contexts=tuple(contexts), question=question, instructions=""))
    shared = alone.user.removesuffix(alone.user[alone.user.rindex("TASK\n") :])
    assert common(first.user.encode(), second.user.encode()).startswith(shared.encode())


def test_another_content_has_another_code() -> None:
    codes = {re.findall(r"contexts-(\w+)", build(ask(contexts=(text,))).user)[0] for text in ("a", "b", "a ", "")}
    assert len(codes) == 4


def test_equal_texts_in_different_blocks_have_different_codes() -> None:
    user = build(ask(question="same", answer="same", reference="same")).user
    codes = re.findall(r"^<\w+-(\w+)>$", user, re.MULTILINE)
    assert len(set(codes)) == 3


def test_parts_that_are_not_there_leave_no_trace() -> None:
    prompt = build(ask(question="", instructions="Only this."))
    assert prompt.user == "TASK\nOnly this."


def test_a_verdict_that_was_not_readable_says_so() -> None:
    user = build(ask(verdicts=(Verdict("claim", "no", missing=True),))).user
    assert "[0] no, for want of a readable verdict | claim | " in user


def test_a_schema_in_words_goes_last() -> None:
    prompt = build(ask()).with_schema({"type": "object"})
    assert prompt.user.endswith('JSON schema, and nothing else:\n{"type":"object"}')
    assert prompt.system == SYSTEM


@pytest.mark.parametrize(
    "text",
    [
        "plain words",
        "a < b and [0, 1] is an interval; x[0] = 3",
        "<b>bold</b> <p>question of taste</p>",
        "line one\nline two\r\nline three",
        "한국어 문장입니다. 中文句子。 日本語の文。",
        "🏴 👩‍👩‍👧 e\u0301",
        "the TASK at hand",
    ],
)
def test_ordinary_text_is_left_as_it_is(text: str) -> None:
    assert defused(text) == text


def test_what_cannot_be_sent_is_replaced() -> None:
    assert defused("a\ud800b\0c") == "a?b\ufffdc"
    build(ask(question="\udfff")).user.encode()

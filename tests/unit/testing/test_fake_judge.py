from __future__ import annotations

import asyncio
from typing import Any

import pytest

from spanjudge.judge.ask import Ask, JudgeError, Reply
from spanjudge.model import Usage
from spanjudge.scorers.answers import Claims
from spanjudge.testing import FakeJudge
from spanjudge.testing.fake_judge import ScriptExhaustedError

EXTRACT = Ask(task="extract_claims", instructions="split", reference="text", answer_model=Claims)
EXPLAIN = Ask(task="explain", instructions="say why")


def _ask(judge: FakeJudge, ask: Ask = EXTRACT) -> Reply:
    return asyncio.run(judge.ask(ask))


@pytest.mark.parametrize("scripted", [{"claims": ["a"]}, ["a"], '{"claims": ["a"]}', Claims(claims=["a"])])
def test_every_way_to_script_a_reply_gives_the_answer_model(scripted: Any) -> None:
    assert _ask(FakeJudge([scripted])).value == Claims(claims=["a"])


@pytest.mark.parametrize(
    ("scripted", "text"), [("why", "why"), ({"reason": "why"}, "why"), (["a"], '["a"]'), ({"a": 1}, '{"a": 1}')]
)
def test_ask_for_text_gets_text(scripted: Any, text: str) -> None:
    assert _ask(FakeJudge([scripted]), EXPLAIN).value == text


@pytest.mark.parametrize("scripted", [{"statements": ["a"]}, "prose", {"claims": "a"}])
def test_reply_that_does_not_fit_is_a_parse_error_as_with_a_real_judge(scripted: Any) -> None:
    with pytest.raises(JudgeError, match="The reply to extract_claims does not fit Claims") as caught:
        _ask(FakeJudge([scripted], usage=Usage(calls=1, cost=0.5)))
    assert (caught.value.code, caught.value.usage.cost) == ("judge_parse_error", 0.5)


def test_scripted_exception_is_raised() -> None:
    with pytest.raises(JudgeError, match="Slow"):
        _ask(FakeJudge([JudgeError("judge_timeout", "Slow.")]))


def test_function_may_be_async_and_sees_the_ask() -> None:
    async def reply(ask: Ask) -> dict[str, list[str]]:
        await asyncio.sleep(0)
        return {"claims": [ask.reference or ""]}

    assert _ask(FakeJudge(reply)).value == Claims(claims=["text"])


def test_script_that_ended_says_which_ask_it_lacks() -> None:
    judge = FakeJudge([["a"]])
    _ask(judge)
    with pytest.raises(ScriptExhaustedError, match=r"The script ended before ask 2 \(explain\)"):
        _ask(judge, EXPLAIN)


def test_asks_are_kept_and_prompts_are_the_real_ones() -> None:
    judge = FakeJudge.always("no", model="m")
    assert "text" in _ask(judge).prompt
    assert judge.asks == [EXTRACT]
    assert (judge.model, judge.fingerprint) == ("m", "m/fake")

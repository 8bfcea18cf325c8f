"""The judge's tiny question: what is told of its answer, its time and its cost."""

from __future__ import annotations

import pytest

from spanjudge.doctor.judge import asked_judge, judge_step
from spanjudge.errors import InputError
from spanjudge.judge.ask import Ask, JudgeError
from spanjudge.model import Usage
from spanjudge.settings import Settings
from spanjudge.testing.clock import ManualClock
from spanjudge.testing.fake_judge import FakeJudge, uniform_reply

EMBEDDED = Settings()
PRICED = Usage(calls=1, input_tokens=200, output_tokens=30, cost=0.0002)


def test_time_tokens_and_cost_of_the_answer_are_told() -> None:
    clock = ManualClock()

    def answer(ask: Ask) -> object:
        clock.advance(1.25)
        return uniform_reply(ask)

    step = judge_step(EMBEDDED, FakeJudge(answer, model="m", usage=PRICED), clock)  # type: ignore[arg-type]
    assert (step.state, step.said) == ("ok", "m answered in 1.25 s (1 call, 200 + 30 tokens, 0.000200 US dollars)")
    assert (step.facts["seconds"], step.facts["cost"], step.facts["verdict"]) == (1.25, 0.0002, "yes")


def test_cost_that_nobody_told_is_unknown_and_not_zero() -> None:
    usage = Usage(calls=1, input_tokens=None, output_tokens=None, cost=None)
    step = judge_step(EMBEDDED, FakeJudge.always("yes", usage=usage), ManualClock())
    assert "tokens unknown, cost unknown" in step.said
    assert step.facts["cost"] is None


def test_wrong_answer_is_a_note() -> None:
    step = judge_step(EMBEDDED, FakeJudge.always("no"), ManualClock())
    assert step.state == "note"
    assert 'said "no" where "yes" is right' in step.said


def test_answer_without_a_readable_verdict_is_lost() -> None:
    step = judge_step(EMBEDDED, FakeJudge.always("unreadable"), ManualClock())
    assert (step.state, step.facts["code"]) == ("lost", "judge_parse_error")
    assert step.do == "choose a model that keeps to a JSON schema"


def test_failure_tells_its_code_and_what_to_do_in_one_sentence() -> None:
    judge = FakeJudge([JudgeError("judge_timeout", "The judge did not answer in time.", Usage(calls=3))])
    step = judge_step(EMBEDDED, judge, ManualClock())
    assert step.sentence == (
        'Lost at step "judge": the judge did not answer in time (judge_timeout); '
        "raise judge_timeout_s and run_timeout_s, or choose a faster model."
    )
    assert step.facts["calls"] == 3


def test_embedded_judge_costs_nothing_and_answers_rightly() -> None:
    step = judge_step(EMBEDDED, asked_judge(EMBEDDED), ManualClock())
    assert (step.state, step.facts["verdict"]) == ("ok", "yes")
    assert "no cost" in step.said


def test_blank_name_is_bad_input() -> None:
    with pytest.raises(InputError, match="name is empty"):
        asked_judge(Settings(judge=" "))

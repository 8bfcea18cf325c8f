from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from spanjudge.judge.ask import Ask, JudgeError, Reply
from spanjudge.judge.completion import Completion
from spanjudge.judge.exchange import Exchange, Formats, Terms
from spanjudge.judge.failures import CUT, FILTERED, TIMED_OUT, UNREACHABLE, CallFailure, Cause
from spanjudge.judge.limits import Breaker, Retry
from spanjudge.model import Usage

ONE = Usage(calls=1, input_tokens=10, cached_input_tokens=4, output_tokens=2, cost=0.5)
BUSY = Cause("judge_rate_limited", "its provider's rate limit was reached", again=True)
PLAINER = Cause("judge_bad_request", "its provider refused the request with status 400", plainer=True)


class Verdict(BaseModel):
    index: int
    verdict: Literal["yes", "no"]


class Verdicts(BaseModel):
    verdicts: list[Verdict]


GOOD = '{"verdicts":[{"index":0,"verdict":"yes"}]}'


class World:
    """A scripted client, a clock that moves with sleeps and calls, and a note of everything."""

    def __init__(self, *script: str | CallFailure, seconds_a_call: float = 0.0, enforced: bool = True) -> None:
        self.script = list(script)
        self.requests: list[Mapping[str, Any]] = []
        self.limits: list[float] = []
        self.sleeps: list[float] = []
        self.now = 0.0
        self.enforced = enforced
        self.seconds_a_call = seconds_a_call
        self.formats = Formats()
        self.breaker = Breaker(self, failures=2, pause_s=30)

    def monotonic(self) -> float:
        return self.now

    def time_ns(self) -> int:
        return int(self.now * 1e9)

    async def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        self.now += seconds

    def prepare(self) -> None:
        self.now += 0.0 if self.requests else 100.0

    def enforces_schema(self, model: str) -> bool:
        assert model == "openai/m"
        return self.enforced

    async def complete(self, request: Mapping[str, Any], timeout_s: float) -> Completion | CallFailure:
        self.requests.append(request)
        self.limits.append(timeout_s)
        self.now += min(self.seconds_a_call, timeout_s)
        said = self.script.pop(0)
        return Completion(said, ONE) if isinstance(said, str) else said

    def ask(self, answer_model: type[BaseModel] | None = Verdicts, **terms: Any) -> Reply:
        given = {"max_attempts": 3, "timeout_s": 10.0, "deadline_s": 100.0, **terms}
        retry = Retry(given.pop("max_attempts"), base_s=1.0)
        request = {"model": "openai/m", "api_base": "http://here"}
        terms_ = Terms(
            client=self,
            request=request,
            retry=retry,
            clock=self,
            random=lambda: 1.0,
            sleep=self.sleep,
            breaker=self.breaker,
            formats=self.formats,
            **given,
        )
        ask = Ask(task="verify", instructions="Judge.", items=("claim",), answer_model=answer_model)
        return asyncio.run(Exchange(ask, terms_).run())

    def fail(self, code: str, **terms: Any) -> JudgeError:
        with pytest.raises(JudgeError) as caught:
            self.ask(**terms)
        assert caught.value.code == code
        return caught.value

    def formats_asked(self) -> list[str | None]:
        return [request.get("response_format", {}).get("type") for request in self.requests]


def test_a_good_reply_is_the_answer_with_its_prompt_and_usage() -> None:
    world = World(GOOD)
    reply = world.ask()
    assert reply.value == Verdicts(verdicts=[Verdict(index=0, verdict="yes")])
    assert reply.usage == ONE
    assert reply.prompt.endswith("Judge.")
    assert [message["role"] for message in world.requests[0]["messages"]] == ["system", "user"]
    assert world.requests[0]["messages"][1]["content"] == reply.prompt


def test_a_model_that_may_ignore_schemas_is_told_in_words_too() -> None:
    world = World(GOOD, enforced=False)
    reply = world.ask()
    sent = world.requests[0]["messages"][1]["content"]
    assert sent.startswith(reply.prompt)
    assert '"verdicts"' in sent.removeprefix(reply.prompt)


def test_refused_formats_are_replaced_by_plainer_ones_and_never_tried_again() -> None:
    world = World(CallFailure(PLAINER), CallFailure(PLAINER), GOOD, GOOD)
    assert world.ask().usage.calls == 3
    assert world.ask().usage.calls == 1
    assert world.formats_asked() == ["json_schema", "json_object", None, None]
    for request in world.requests[1:]:
        assert "JSON schema" in request["messages"][1]["content"]


def test_a_request_refused_in_every_format_is_remembered_for_none() -> None:
    world = World(*[CallFailure(PLAINER)] * 3, GOOD)
    assert "status 400" in world.fail("judge_bad_request").detail
    world.ask()
    assert world.formats_asked() == ["json_schema", "json_object", None, "json_schema"]


def test_what_one_address_takes_says_nothing_of_another() -> None:
    formats = Formats()
    formats.remember({"model": "m", "api_base": "a"}, "prompt")
    assert formats.to_try({"model": "m", "api_base": "a"}) == ("prompt",)
    assert formats.to_try({"model": "m"})[0] == formats.to_try({"model": "n", "api_base": "a"})[0] == "json_schema"


def test_plain_text_is_asked_for_without_a_format() -> None:
    world = World('{"reason": "It is so."}')
    assert world.ask(answer_model=None).value == "It is so."
    assert world.formats_asked() == [None]


def test_an_unreadable_reply_is_sent_back_once_with_what_was_wrong() -> None:
    world = World('{"verdicts":[{"index":0,"verdict":"maybe"}]}', GOOD)
    reply = world.ask()
    assert isinstance(reply.value, Verdicts)
    assert reply.usage == ONE + ONE
    echo, wish = world.requests[1]["messages"][2:]
    assert (echo["role"], wish["role"]) == ("assistant", "user")
    assert "maybe" in echo["content"]
    assert "verdicts.0.verdict" in wish["content"]
    assert '"verdicts"' in wish["content"]


def test_two_unreadable_replies_are_a_parse_error_without_their_content() -> None:
    error = World("secret words", '{"secret": 1}').fail("judge_parse_error")
    assert error.usage == ONE + ONE
    assert error.detail == (
        'The judge "openai/m" gave no answer: its reply was unusable, and again when asked anew: '
        "JSON that does not fit Verdicts (missing)."
    )


def test_an_empty_text_is_asked_for_again_in_plain_words() -> None:
    world = World("", "It is so.")
    assert world.ask(answer_model=None).value == "It is so."
    assert world.requests[1]["messages"][2]["content"] == "(nothing)"
    assert "JSON" not in world.requests[1]["messages"][3]["content"]


@pytest.mark.parametrize("cause", [FILTERED, CUT, Cause("judge_auth", "no"), Cause("judge_bad_request", "no")])
def test_what_waiting_does_not_cure_is_not_tried_again(cause: Cause) -> None:
    world = World(CallFailure(cause, ONE))
    assert world.fail(cause.code).usage == ONE
    assert len(world.requests) == 1
    assert world.sleeps == []


@pytest.mark.parametrize("cause", [BUSY, TIMED_OUT, UNREACHABLE])
def test_what_waiting_may_cure_is_tried_again_and_then_given_up(cause: Cause) -> None:
    world = World(*[CallFailure(cause)] * 3)
    assert world.fail(cause.code).usage.calls == 3
    assert world.sleeps == [1.0, 2.0]


def test_a_retry_that_succeeds_is_an_answer_with_all_usage() -> None:
    world = World(CallFailure(BUSY), GOOD)
    assert world.ask().usage == Usage(calls=1) + ONE
    assert world.sleeps == [1.0]


def test_one_attempt_means_no_wait_at_all() -> None:
    world = World(CallFailure(BUSY))
    world.fail("judge_rate_limited", max_attempts=1)
    assert world.sleeps == []


def test_the_wait_that_the_provider_asks_for_is_kept() -> None:
    world = World(CallFailure(BUSY, headers={"Retry-After": "7"}), GOOD)
    world.ask()
    assert world.sleeps == [8.0]


def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    world = World(CallFailure(BUSY, headers={"Retry-After": "1000"}))
    world.fail("judge_rate_limited")
    assert world.sleeps == []


def test_no_call_goes_past_the_deadline_and_getting_ready_does_not_count() -> None:
    world = World(*[CallFailure(TIMED_OUT)] * 3, seconds_a_call=10)
    world.fail("judge_timeout", deadline_s=15)
    assert world.limits == [10, 4]
    assert world.now == 100 + 15


def test_a_repair_has_what_is_left_of_the_deadline() -> None:
    world = World("rubbish", GOOD, seconds_a_call=6)
    world.ask(deadline_s=10)
    assert world.limits == [10, 4]


def test_a_deadline_that_is_over_before_the_repair_is_a_timeout() -> None:
    world = World("rubbish", seconds_a_call=10)
    assert world.fail("judge_timeout", deadline_s=10).usage == ONE


def test_an_unknown_usage_makes_the_sum_unknown_but_counts_the_calls() -> None:
    unknown = Usage(calls=1, input_tokens=None, cached_input_tokens=None, output_tokens=None, cost=None)
    usage = World(CallFailure(TIMED_OUT, unknown), GOOD).ask().usage
    assert (usage.calls, usage.input_tokens, usage.cost) == (2, None, None)


def test_after_failures_in_a_row_the_model_is_left_alone_and_then_probed() -> None:
    world = World(*[CallFailure(UNREACHABLE)] * 3, GOOD, GOOD)
    for _ in range(2):
        world.fail("judge_unavailable", max_attempts=1)
    error = world.fail("judge_unavailable", max_attempts=1)
    assert "it was not asked" in error.detail
    assert error.usage == Usage()
    assert len(world.requests) == 2
    world.now += 30
    assert world.fail("judge_unavailable", max_attempts=1).usage.calls == 1
    world.now += 30
    world.ask()
    world.ask()
    assert len(world.requests) == 5


def test_a_busy_or_refusing_model_is_not_taken_for_one_that_is_down() -> None:
    world = World(*[CallFailure(BUSY), CallFailure(FILTERED)] * 4, GOOD)
    for _ in range(4):
        world.fail("judge_rate_limited", max_attempts=1)
        world.fail("judge_content_filter")
    world.ask()


def test_a_library_that_cannot_be_imported_is_told() -> None:
    class Broken(World):
        def prepare(self) -> None:
            raise ModuleNotFoundError

    assert "cannot be imported" in Broken().fail("judge_unavailable").detail


def test_a_long_reply_is_echoed_in_part() -> None:
    world = World("x" * 1_000_000, GOOD)
    world.ask()
    assert len(world.requests[1]["messages"][2]["content"]) <= 20_000

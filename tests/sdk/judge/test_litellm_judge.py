"""The judge through the real LiteLLM against a real server on this machine."""

from __future__ import annotations

import asyncio
import importlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from spanjudge.judge.ask import Ask, JudgeError, Reply
from spanjudge.judge.litellm import LiteLLMJudge
from spanjudge.judge.loop import JudgeLoop
from spanjudge.judge.select import judge_for
from spanjudge.testing.model_server import Completion, Disconnect, Hang, ModelServer, Slow, Status


class Verdict(BaseModel):
    index: int
    reason: str = ""
    verdict: Literal["yes", "no"]


class Verdicts(BaseModel):
    verdicts: list[Verdict]


GOOD = {"verdicts": [{"index": 0, "reason": "in [0]", "verdict": "yes"}]}
ASK = Ask(
    task="attribute",
    instructions="Judge each item against the contexts.",
    contexts=("The battery lasts two years.",),
    items=("Two years.",),
    answer_model=Verdicts,
    vocabulary=("yes", "no"),
)
EXPLAIN = Ask(task="explain", instructions="Say why.", result="1 of 1")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture(scope="module")
def loop() -> Iterator[JudgeLoop]:
    judge_loop = JudgeLoop()
    yield judge_loop
    assert judge_loop.close()


class Sleeps:
    def __init__(self) -> None:
        self.slept: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)


class Bench:
    """Builds judges of one model on the module's loop and asks them."""

    def __init__(self, server: ModelServer, loop: JudgeLoop, model: str) -> None:
        self.server = server
        self.sleeps = Sleeps()
        self._loop = loop
        self._model = model

    def judge(self, model: str | None = None, **arguments: Any) -> LiteLLMJudge:
        given = {"api_base": self.server.url, "api_key": "sk-test", "sleep": self.sleeps, "loop": self._loop}
        return LiteLLMJudge(model or self._model, **{"random": lambda: 0.0, **given, **arguments})

    def asked(self) -> None:
        """Wait until the server has got a request."""
        while not self.server.requests:
            self.server.wait(0.01)

    def ask(self, ask: Ask = ASK, model: str | None = None, **arguments: Any) -> Reply:
        return asyncio.run(self.judge(model, **arguments).ask(ask))

    def fail(self, code: str, model: str | None = None, **arguments: Any) -> JudgeError:
        with pytest.raises(JudgeError) as caught:
            self.ask(ASK, model, **arguments)
        assert caught.value.code == code, caught.value
        assert "\n" not in caught.value.detail
        return caught.value


@pytest.fixture
def bench(server: ModelServer, loop: JudgeLoop, request: pytest.FixtureRequest) -> Bench:
    # What a model takes is remembered for the process, so each test has a model of its own.
    return Bench(server, loop, f"openai/{request.node.name}")


def test_a_schema_bound_reply_comes_back_as_the_answer_model(bench: Bench) -> None:
    bench.server.say(GOOD)
    reply = bench.ask()
    assert reply.value == Verdicts.model_validate(GOOD)
    (request,) = bench.server.requests
    assert request.response_format == "json_schema"
    assert reply.prompt in request.text("user")
    assert request.text("system").startswith("You are a careful judge")
    assert request.headers["authorization"] == "Bearer sk-test"
    assert "temperature" not in request.body
    assert "max_tokens" not in request.body


def test_an_answer_by_schema_fits_the_answer_model(bench: Bench) -> None:
    assert isinstance(bench.ask().value, Verdicts)


def test_a_reason_is_asked_for_in_plain_text(bench: Bench) -> None:
    bench.server.say('```json\n{"reason": "All is found in [0]."}\n```')
    assert bench.ask(EXPLAIN).value == "All is found in [0]."
    assert bench.server.requests[0].response_format is None


def test_parameters_are_sent_where_they_are_set(bench: Bench) -> None:
    bench.ask(temperature=0, max_output_tokens=77, extra={"seed": 5})
    body = bench.server.requests[0].body
    assert (body["temperature"], body["max_tokens"], body["seed"]) == (0, 77, 5)
    assert not {"no-log", "cache", "num_retries", "max_retries", "timeout"} & set(body)


@pytest.mark.parametrize(
    ("rejects", "asked"),
    [
        (["json_schema"], ["json_schema", "json_object"]),
        (["json_schema", "json_object"], ["json_schema", "json_object", None]),
    ],
    ids=["schema", "schema and object"],
)
def test_a_refused_format_is_replaced_and_the_second_ask_knows(
    loop: JudgeLoop, rejects: list[Any], asked: list[str | None]
) -> None:
    with ModelServer(lambda _: GOOD, rejects=rejects) as server:
        bench = Bench(server, loop, "openai/picky")
        for _ in range(2):
            assert bench.ask().value == Verdicts.model_validate(GOOD)
        assert [request.response_format for request in server.requests] == [*asked, asked[-1]]
        assert "JSON schema" in server.requests[-1].text("user")


def test_retry_after_is_waited_and_the_next_reply_taken(bench: Bench) -> None:
    bench.server.say(Status(429, headers={"Retry-After": "7"}), GOOD)
    reply = bench.ask()
    assert bench.sleeps.slept == [7.0]
    assert reply.usage.calls == 2


def test_server_errors_are_tried_three_times_by_us_and_by_nobody_else(bench: Bench) -> None:
    bench.server.say(*[Status(500)] * 9)
    assert "status 500" in bench.fail("judge_unavailable").detail
    assert len(bench.server.requests) == 3
    assert len(bench.sleeps.slept) == 2


def test_a_rate_limit_that_stays_is_said_to_be_one(bench: Bench) -> None:
    bench.server.say(*[Status(429)] * 3)
    error = bench.fail("judge_rate_limited")
    assert error.usage.calls == 3
    assert error.usage.cost == 0


def test_silence_ends_in_time(bench: Bench) -> None:
    bench.ask(EXPLAIN)  # imports and connects
    bench.server.say(Hang(), Hang())
    started = time.monotonic()
    error = bench.fail("judge_timeout", timeout_s=0.2, max_attempts=2)
    assert 0.4 <= time.monotonic() - started < 30
    assert (error.usage.calls, error.usage.input_tokens, error.usage.cost) == (2, None, None)


def test_a_slow_reply_within_the_limit_is_taken(bench: Bench) -> None:
    bench.server.say(Slow(0.05, {"verdicts": []}))
    assert bench.ask(timeout_s=10).value == Verdicts(verdicts=[])


def test_a_closed_connection_is_tried_again(bench: Bench) -> None:
    bench.server.say(Disconnect(), Disconnect(), GOOD)
    assert bench.ask().usage.calls == 3
    assert bench.server.connections >= 3


def test_a_server_that_is_not_there_is_unavailable(bench: Bench) -> None:
    bench.server.stop()
    error = bench.fail("judge_unavailable")
    assert error.detail.endswith("its provider could not be reached.")
    assert (error.usage.calls, error.usage.cost) == (3, 0)


@pytest.mark.parametrize(
    ("reply", "code", "calls"),
    [
        (Status(400, "content_filter"), "judge_content_filter", 1),
        (Completion(content="", finish_reason="content_filter"), "judge_content_filter", 1),
        (Completion(refusal="I will not."), "judge_refused", 1),
        (Completion(content='{"verdicts": [{"ind', finish_reason="length"), "judge_truncated", 1),
        (Status(401), "judge_auth", 1),
        (Status(403), "judge_auth", 1),
        (Status(404, "model_not_found"), "judge_bad_request", 1),
        (Status(400, "context_length_exceeded", "maximum context length is 9 tokens"), "judge_bad_request", 1),
        (Status(400, "invalid_value"), "judge_bad_request", 3),
        (Status(429, "insufficient_quota"), "judge_rate_limited", 1),
    ],
    ids=lambda value: getattr(value, "code", None) or getattr(value, "finish_reason", None) or str(value),
)
def test_what_waiting_does_not_cure_is_asked_no_more_than_it_must(
    bench: Bench, reply: Status | Completion, code: str, calls: int
) -> None:
    bench.server.say(*[reply] * 9)
    assert bench.fail(code).usage.calls == calls
    assert len(bench.server.requests) == calls
    assert bench.sleeps.slept == []


def test_rubbish_is_sent_back_once_and_then_a_parse_error(bench: Bench) -> None:
    bench.server.say("Well...", "Hm.", GOOD)
    error = bench.fail("judge_parse_error")
    assert error.usage.calls == 2
    assert len(bench.server.requests) == 2
    assert "Well..." in bench.server.requests[1].text("assistant")


def test_rubbish_that_is_repaired_is_an_answer(bench: Bench) -> None:
    bench.server.say({"verdict": "yes"}, "```json\n" + Verdicts.model_validate(GOOD).model_dump_json() + "\n```")
    reply = bench.ask()
    assert reply.value == Verdicts.model_validate(GOOD)
    assert reply.usage.calls == 2


def test_a_known_model_costs_money_and_an_unknown_one_an_unknown_sum(bench: Bench) -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 500}}
    reply = Completion(
        content=str(Verdicts.model_validate(GOOD).model_dump_json()), usage={**usage, "total_tokens": 1100}
    )
    bench.server.say(reply, reply)
    known = bench.ask(model="openai/gpt-4o-mini").usage
    assert (known.input_tokens, known.cached_input_tokens, known.output_tokens) == (1000, 500, 100)
    assert known.cost == pytest.approx(500 * 0.15e-6 + 500 * 0.075e-6 + 100 * 0.6e-6)
    unknown = bench.ask().usage
    assert (unknown.input_tokens, unknown.cost) == (1000, None)


def test_usage_that_nobody_tells_is_unknown_and_not_zero(bench: Bench) -> None:
    bench.server.say(Completion(content="So.", usage={}))
    usage = bench.ask(EXPLAIN, model="openai/gpt-4o-mini").usage
    assert (usage.calls, usage.input_tokens, usage.output_tokens, usage.cost) == (1, None, None, None)


def test_an_unknown_provider_is_one_clear_sentence(bench: Bench, capfd: pytest.CaptureFixture[str]) -> None:
    error = bench.fail("judge_bad_request", model="nonsense/model")
    assert error.detail == (
        'The judge "nonsense/model" gave no answer: its name has no known provider; '
        'write "provider/model", as in "openai/gpt-5-mini".'
    )
    assert error.usage.calls == 0
    with pytest.raises(JudgeError, match="no known provider"):
        asyncio.run(bench.judge("nonsense/model").check())
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("model", "variable"), [("gpt-4o-mini", "OPENAI_API_KEY"), ("claude-sonnet-4-5", "ANTHROPIC_API_KEY")]
)
def test_a_missing_key_names_the_variable_to_set(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, model: str, variable: str
) -> None:
    monkeypatch.delenv(variable, raising=False)
    error = bench.fail("judge_auth", model=model, api_key=None, api_base=None)
    assert f"set {variable} or pass api_key" in error.detail
    with pytest.raises(JudgeError, match=variable):
        asyncio.run(bench.judge(model, api_key=None, api_base=None).check())


def test_the_private_mark_that_keeps_litellms_callbacks_off_is_still_there(bench: Bench) -> None:
    bench.ask(EXPLAIN)
    assert importlib.import_module("litellm._internal_context").is_internal_call.get() is False


def test_a_sound_name_passes_the_check_without_a_call(bench: Bench) -> None:
    asyncio.run(bench.judge("gpt-4o-mini").check())
    assert bench.server.requests == []


def test_a_parameter_that_the_model_refuses_is_told_before_any_call(bench: Bench) -> None:
    error = bench.fail("judge_bad_request", model="openai/gpt-5-mini", temperature=0.5)
    assert "drop_params" in error.detail
    assert bench.server.requests == []
    bench.server.say(GOOD)
    bench.ask(model="openai/gpt-5-mini", temperature=0.5, extra={"drop_params": True})
    assert "temperature" not in bench.server.requests[0].body


def open_files() -> int:
    """Count this process's open files, where the system tells them."""
    return len(list(Path("/proc/self/fd").iterdir())) if sys.platform == "linux" else 0


def test_sixty_calls_from_sixty_event_loops_share_one_connection(bench: Bench) -> None:
    bench.server.say(*[GOOD] * 60)
    bench.ask()
    before = open_files()
    for _ in range(59):
        bench.ask()
    assert len(bench.server.requests) == 60
    assert bench.server.connections <= 2
    assert open_files() - before <= 2


def test_closing_the_judge_closes_its_connections_and_leaves_it_usable(bench: Bench) -> None:
    bench.server.say(GOOD, GOOD)
    bench.ask()
    assert bench.server.open_connections == 1
    asyncio.run(bench.judge().aclose())
    deadline = time.monotonic() + 10
    while bench.server.open_connections and time.monotonic() < deadline:
        bench.server.wait(0.01)
    assert bench.server.open_connections == 0
    assert bench.ask().value == Verdicts.model_validate(GOOD)


def test_closing_one_judge_leaves_the_call_of_another_alone(bench: Bench) -> None:
    async def main() -> Reply:
        other = asyncio.create_task(bench.judge().ask(ASK))
        await asyncio.to_thread(bench.asked)
        await bench.judge().aclose()
        return await other

    bench.server.say(Slow(0.2, GOOD))
    assert asyncio.run(main()).usage.calls == 1


def test_a_closed_loop_is_told_as_a_judge_that_is_shut_down(bench: Bench) -> None:
    async def main() -> None:
        task = asyncio.create_task(bench.judge(loop=own).ask(ASK))
        await asyncio.to_thread(bench.asked)
        await asyncio.to_thread(own.close)
        with pytest.raises(JudgeError, match="being shut down") as caught:
            await task
        assert caught.value.code == "judge_unavailable"

    own = JudgeLoop()
    bench.server.say(Hang())
    asyncio.run(main())


def test_a_judge_by_name_asks_through_litellm(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("OPENAI_BASE_URL", bench.server.url)
    bench.server.say(GOOD)
    judge = judge_for("openai/by-name")
    assert asyncio.run(judge.ask(ASK)).value == Verdicts.model_validate(GOOD)


def test_a_lone_surrogate_in_the_data_is_no_obstacle(bench: Bench) -> None:
    bench.server.say(GOOD)
    ask = Ask(task="verify", instructions="Judge.", contexts=("\ud800 \0",), answer_model=Verdicts)
    assert bench.ask(ask).usage.calls == 1


@pytest.mark.parametrize("module", ["litellm", "select", "prompts", "replies", "quiet"])
def test_importing_the_judge_loads_no_litellm(module: str) -> None:
    code = f"import sys, spanjudge.judge.{module}; sys.exit('litellm' in sys.modules or 'openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from spanjudge.judge import completion
from spanjudge.judge.completion import Completion, LiteLLMClient
from spanjudge.judge.failures import CUT, FILTERED, REFUSED, CallFailure

NAME = "LITELLM_LOCAL_MODEL_COST_MAP"


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a module in litellm's place that notes what it finds at import."""
    (tmp_path / "litellm.py").write_text(f"import os\nfound = os.environ.get({NAME!r})\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "litellm", raising=False)
    monkeypatch.delenv(NAME, raising=False)


@pytest.mark.usefixtures("stand_in")
def test_prices_are_read_from_the_disk_and_the_environment_left_as_it_was() -> None:
    module = completion.litellm()
    assert module.found == "True"
    assert module.suppress_debug_info is True
    assert NAME not in os.environ
    del sys.modules["litellm"]


@pytest.mark.usefixtures("stand_in")
def test_the_users_own_choice_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "false")
    assert completion.litellm().found == "false"
    assert os.environ[NAME] == "false"
    del sys.modules["litellm"]


def response(text: str | None = "yes", finish_reason: str = "stop", **parts: Any) -> Any:
    message = SimpleNamespace(content=text, refusal=parts.get("refusal"))
    usage = parts.get("usage", SimpleNamespace(prompt_tokens=10, completion_tokens=2, prompt_tokens_details=None))
    choices = [SimpleNamespace(message=message, finish_reason=finish_reason)]
    hidden = {"response_cost": parts.get("cost")}
    return SimpleNamespace(choices=parts.get("choices", choices), usage=usage, _hidden_params=hidden)


def test_text_usage_and_cost_are_read() -> None:
    result = completion._read(response(cost=0.5))
    assert isinstance(result, Completion)
    assert result.text == "yes"
    usage = result.usage
    assert (usage.calls, usage.input_tokens, usage.cached_input_tokens, usage.output_tokens) == (1, 10, None, 2)
    assert usage.cost == 0.5


def test_a_price_that_nobody_knows_is_none() -> None:
    assert completion._read(response()).usage.cost is None


def test_no_text_is_an_empty_one() -> None:
    result = completion._read(response(None))
    assert isinstance(result, Completion)
    assert result.text == ""


@pytest.mark.parametrize(
    ("parts", "cause"),
    [
        ({"finish_reason": "length"}, CUT),
        ({"finish_reason": "content_filter"}, FILTERED),
        ({"finish_reason": "refusal"}, REFUSED),
        ({"refusal": "I will not."}, REFUSED),
    ],
)
def test_an_answer_that_is_none_has_its_cause_and_its_price(parts: dict[str, Any], cause: object) -> None:
    result = completion._read(response(cost=0.5, **parts))
    assert isinstance(result, CallFailure)
    assert result.cause is cause
    assert result.usage.cost == 0.5


def test_a_reply_without_choices_is_a_failure() -> None:
    result = completion._read(response(choices=[]))
    assert isinstance(result, CallFailure)
    assert result.cause.code == "judge_unavailable"


def test_a_reply_without_usage_tells_nothing_of_it() -> None:
    usage = completion._read(response(usage=None, cost=0.0)).usage
    assert (usage.calls, usage.input_tokens, usage.output_tokens, usage.cost) == (1, None, None, None)


def test_a_reply_of_an_unknown_shape_is_a_failure_and_no_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    async def acompletion(**_: object) -> object:
        return SimpleNamespace(choices=[None])

    monkeypatch.setitem(sys.modules, "litellm", SimpleNamespace(acompletion=acompletion))
    result = asyncio.run(LiteLLMClient().complete({"model": "m", "api_key": "k"}, 1))
    assert isinstance(result, CallFailure)
    assert result.cause.code == "judge_unavailable"
    assert "AttributeError" in result.cause.why


class Kept:
    def __init__(self) -> None:
        self.closed = False

    async def close(self) -> None:
        self.closed = True


def test_clients_of_other_loops_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = Kept(), Kept()
    cache = SimpleNamespace(
        cache_dict={"a-7": ours, "b-17x": theirs, "sync": object()},
        ttl_dict={"a-7": 1, "b-17x": 1},
        update_cache_key_with_event_loop=lambda key: f"{key}-7",
    )
    monkeypatch.setitem(sys.modules, "litellm", SimpleNamespace(in_memory_llm_clients_cache=cache))
    asyncio.run(LiteLLMClient().close())
    assert (ours.closed, theirs.closed) == (True, False)
    assert list(cache.cache_dict) == ["b-17x", "sync"]
    assert list(cache.ttl_dict) == ["b-17x"]

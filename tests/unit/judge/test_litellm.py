from __future__ import annotations

from typing import Any

import pytest

from spanjudge.errors import InputError
from spanjudge.judge.litellm import LiteLLMJudge

MODEL = "openai/gpt-5-mini"


def test_the_fingerprint_holds_what_changes_verdicts_and_nothing_else() -> None:
    plain = LiteLLMJudge(MODEL)
    same = LiteLLMJudge(MODEL, timeout_s=1, max_attempts=9, api_key="sk-secret", deadline_s=3)
    assert plain.fingerprint == same.fingerprint == "litellm/openai/gpt-5-mini {}"
    others = [
        LiteLLMJudge("openai/gpt-5"),
        LiteLLMJudge(MODEL, temperature=0),
        LiteLLMJudge(MODEL, temperature=1),
        LiteLLMJudge(MODEL, max_output_tokens=100),
        LiteLLMJudge(MODEL, api_base="http://localhost:1/v1"),
        LiteLLMJudge(MODEL, extra={"reasoning_effort": "low"}),
    ]
    assert len({judge.fingerprint for judge in [plain, *others]}) == 7


def test_the_order_of_extra_and_the_kind_of_number_change_nothing() -> None:
    one = LiteLLMJudge(MODEL, temperature=0, extra={"a": 1, "b": 2})
    two = LiteLLMJudge(MODEL, temperature=0.0, extra={"b": 2, "a": 1})
    assert one.fingerprint == two.fingerprint


def test_no_secret_is_shown() -> None:
    judge = LiteLLMJudge(
        MODEL,
        api_key="s3cret",
        api_base="https://user:s3cret@host/v1?key=s3cret",
        extra={"aws_secret_access_key": "s3cret", "extra_headers": {"Authorization": "s3cret"}},
    )
    assert "s3cret" not in judge.fingerprint
    assert "https://host/v1" in judge.fingerprint
    assert "s3cret" not in repr(judge)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"model": " "}, "model is empty"),
        ({"timeout_s": 0}, "timeout_s .* must be a positive number: 0"),
        ({"timeout_s": float("inf")}, "timeout_s .* must be a positive number: inf"),
        ({"timeout_s": float("nan")}, "timeout_s .* must be a positive number: nan"),
        ({"max_attempts": 0}, "max_attempts .* must be a positive number: 0"),
        ({"max_output_tokens": -1}, "max_output_tokens .* must be a positive number: -1"),
        ({"deadline_s": 0.0}, "deadline_s .* must be a positive number"),
        ({"extra": {"stream": True, "api_key": "x"}}, "may not hold api_key, stream"),
    ],
)
def test_an_argument_without_sense_is_told_at_the_door(arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        LiteLLMJudge(**{"model": MODEL, **arguments})

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from spanjudge.judge.failures import failure_of
from spanjudge.model import Usage
from spanjudge.semconv import FAILURE_CODES


class Reply:
    headers = {"date": "today"}  # noqa: RUF012 - as an HTTP client's reply has it


class ProviderError(Exception):
    def __init__(
        self, status: int | None = None, *, code: object = None, body: object = None, replied: bool = True
    ) -> None:
        super().__init__("the provider's words, with secret content")
        self.status_code = status
        self.code = code
        self.body = body
        self.response = Reply() if replied else None


class BadRequestError(ProviderError):
    pass


class ContentPolicyViolationError(BadRequestError):
    pass


class ContextWindowExceededError(BadRequestError):
    pass


class UnsupportedParamsError(BadRequestError):
    pass


CASES: list[tuple[BaseException, str, bool, bool]] = [
    (asyncio.TimeoutError(), "judge_timeout", True, False),
    (ProviderError(408), "judge_timeout", True, False),
    (ProviderError(429), "judge_rate_limited", True, False),
    (ProviderError(429, code="429", body={"code": "insufficient_quota"}), "judge_rate_limited", False, False),
    (ProviderError(402), "judge_rate_limited", False, False),
    (ProviderError(500), "judge_unavailable", True, False),
    (ProviderError(503), "judge_unavailable", True, False),
    (ProviderError(500, replied=False), "judge_unavailable", True, False),
    (ProviderError(401), "judge_auth", False, False),
    (ProviderError(403), "judge_auth", False, False),
    (ProviderError(404), "judge_bad_request", False, False),
    (ProviderError(409), "judge_bad_request", False, False),
    (BadRequestError(400), "judge_bad_request", False, True),
    (BadRequestError(422), "judge_bad_request", False, True),
    (UnsupportedParamsError(400), "judge_bad_request", False, True),
    (ContextWindowExceededError(400), "judge_bad_request", False, False),
    (BadRequestError(400, code="context_length_exceeded"), "judge_bad_request", False, False),
    (ContentPolicyViolationError(400), "judge_content_filter", False, False),
    (BadRequestError(400, code="content_filter"), "judge_content_filter", False, False),
    (
        BadRequestError(400, body={"error": {"innererror": {"code": "ResponsibleAIPolicyViolation"}}}),
        "judge_content_filter",
        False,
        False,
    ),
    (ZeroDivisionError("secret content"), "judge_unavailable", False, False),
]


@pytest.mark.parametrize(("error", "code", "again", "plainer"), CASES)
def test_each_failure_has_its_code_and_what_may_be_tried(
    error: BaseException,
    code: str,
    again: bool,  # noqa: FBT001 - parametrised
    plainer: bool,  # noqa: FBT001 - parametrised
) -> None:
    cause = failure_of(error).cause
    assert (cause.code, cause.again, cause.plainer) == (code, again, plainer)
    assert cause.code in FAILURE_CODES
    assert "secret content" not in cause.why


def test_an_unknown_provider_is_named_as_such_whatever_its_class() -> None:
    error = BadRequestError(400, replied=False)
    error.args = ("LLM Provider NOT provided. You passed model=foo",)
    failure = failure_of(error)
    assert "provider/model" in failure.cause.why
    assert not failure.cause.plainer
    assert failure.usage == Usage()


def test_an_error_reply_costs_nothing_and_silence_may_cost_anything() -> None:
    assert failure_of(ProviderError(500)).usage == Usage(calls=1)
    silent = failure_of(ProviderError(500, replied=False)).usage
    assert (silent.calls, silent.input_tokens, silent.cost) == (1, None, None)
    assert failure_of(asyncio.TimeoutError()).usage == silent


def test_a_connection_that_never_came_about_costs_nothing() -> None:
    def refused() -> ProviderError:
        try:
            try:
                raise ConnectionRefusedError  # noqa: TRY301 - the chain is the point
            except ConnectionRefusedError as first:
                raise ProviderError(500, replied=False) from first
        except ProviderError as error:
            return error

    assert failure_of(refused()).usage == Usage(calls=1)


def test_headers_are_kept_for_what_the_provider_asks() -> None:
    assert failure_of(ProviderError(429)).headers == {"date": "today"}
    bare = ProviderError(429, replied=False)
    bare.litellm_response_headers = {"Retry-After": 3}  # type: ignore[attr-defined]
    assert failure_of(bare).headers == {"Retry-After": "3"}


def test_a_body_that_contains_itself_is_read_to_an_end() -> None:
    body: dict[str, Any] = {"code": "x"}
    body["error"] = body
    assert failure_of(BadRequestError(400, body=body)).cause.code == "judge_bad_request"

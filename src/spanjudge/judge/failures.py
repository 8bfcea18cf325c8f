"""From a provider's exception to the code that says why there is no answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, cast

from spanjudge.model import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanjudge.semconv import FailureCode

_NOTHING_BILLED: Final = Usage(calls=1)
_WHO_KNOWS: Final = Usage(calls=1, input_tokens=None, cached_input_tokens=None, output_tokens=None, cost=None)


@dataclass(frozen=True, slots=True)
class Cause:
    """Why there is no answer: its code, the end of the sentence that tells it, and what may be tried about it.

    ``again``: the same request may succeed later. ``plainer``: the request was refused, and one with a plainer
    answer format may be taken.
    """

    code: FailureCode
    why: str
    again: bool = False
    plainer: bool = False


@dataclass(frozen=True, slots=True)
class CallFailure:
    """One call without an answer, what it may have cost, and the headers of the provider's reply."""

    cause: Cause
    usage: Usage = _NOTHING_BILLED
    headers: Mapping[str, str] = field(default_factory=dict)


TIMED_OUT: Final = Cause("judge_timeout", "it did not answer in time", again=True)
UNREACHABLE: Final = Cause("judge_unavailable", "its provider could not be reached", again=True)
REFUSED: Final = Cause("judge_refused", "it refused to answer")
FILTERED: Final = Cause("judge_content_filter", "its provider's content filter blocked the prompt or the answer")
CUT: Final = Cause("judge_truncated", "its answer was cut at the limit of output tokens; raise max_output_tokens")

_NO_CREDIT: Final = Cause("judge_rate_limited", "its provider's account has no credit or quota left")
_RATE_LIMITED: Final = Cause("judge_rate_limited", "its provider's rate limit was reached", again=True)
_BAD_KEY: Final = Cause("judge_auth", "its provider refused the key; check api_key or the variable that holds the key")
_NO_RIGHT: Final = Cause("judge_auth", "the key has no right to use it")
_UNKNOWN_MODEL: Final = Cause("judge_bad_request", "its provider does not know it; check the name and api_base")
_UNKNOWN_PROVIDER: Final = Cause(
    "judge_bad_request", 'its name has no known provider; write "provider/model", as in "openai/gpt-5-mini"'
)
_TOO_LONG: Final = Cause("judge_bad_request", "the prompt is longer than its context window")
_PARAMETER: Final = Cause(
    "judge_bad_request",
    'it does not take one of the parameters that were set; leave that out, or pass extra={"drop_params": True}',
    plainer=True,
)

# By class name, so that this file needs no provider's library; the more special before the more general.
_BY_CLASS: Final[Mapping[str, Cause]] = {
    "ContentPolicyViolationError": FILTERED,
    "ContextWindowExceededError": _TOO_LONG,
    "UnsupportedParamsError": _PARAMETER,
    "LiteLLMUnknownProvider": _UNKNOWN_PROVIDER,
}
_BY_STATUS: Final[Mapping[int, Cause]] = {
    401: _BAD_KEY,
    402: _NO_CREDIT,
    403: _NO_RIGHT,
    404: _UNKNOWN_MODEL,
    408: TIMED_OUT,
    429: _RATE_LIMITED,
}
_BY_CODE: Final[Mapping[str, Cause]] = {
    "content_filter": FILTERED,
    "content_policy_violation": FILTERED,
    "ResponsibleAIPolicyViolation": FILTERED,
    "context_length_exceeded": _TOO_LONG,
    "insufficient_quota": _NO_CREDIT,
}
_FORMAT_REFUSED: Final = frozenset({400, 422})
_SERVER_ERROR: Final = 500
_NOT_CONNECTED: Final = frozenset({"ConnectError", "ConnectTimeout", "ConnectionRefusedError", "gaierror"})


def failure_of(error: BaseException) -> CallFailure:
    """Sort an exception of litellm, of a provider's client or of asyncio: by class, error code and HTTP status.

    A reply with an error status costs nothing; a bad request without a reply was never sent; else nobody knows.
    """
    if isinstance(error, asyncio.TimeoutError):
        return CallFailure(TIMED_OUT, _WHO_KNOWS)
    headers = _headers(error)
    cause = _cause(error, answered=bool(headers))
    if headers or _never_connected(error):
        usage = _NOTHING_BILLED
    else:
        usage = Usage() if cause.code == "judge_bad_request" else _WHO_KNOWS
    return CallFailure(cause, usage, headers)


def _cause(error: BaseException, *, answered: bool) -> Cause:
    names = (base.__name__ for base in type(error).__mro__)
    known = [_BY_CLASS[name] for name in names if name in _BY_CLASS]
    known += [_BY_CODE[code] for code in _codes(error) if code in _BY_CODE]
    if "Provider NOT provided" in str(error):
        known.append(_UNKNOWN_PROVIDER)
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        known.append(_BY_STATUS.get(status) or _by_range(status, answered=answered))
    return known[0] if known else Cause("judge_unavailable", f"its client failed with {type(error).__name__}")


def _by_range(status: int, *, answered: bool) -> Cause:
    if status < _SERVER_ERROR:
        why = f"its provider refused the request with status {status}"
        return Cause("judge_bad_request", why, plainer=status in _FORMAT_REFUSED)
    if answered:
        return Cause("judge_unavailable", f"its provider answered with status {status}", again=True)
    return UNREACHABLE


def _codes(error: BaseException) -> Iterator[str]:
    """Yield the error codes in an exception and in the body of the reply that brought it about."""
    yield str(getattr(error, "code", None))
    body = getattr(error, "body", None)
    for _ in range(3):
        if not isinstance(body, Mapping):
            return
        part = cast("Mapping[str, object]", body)
        yield str(part.get("code"))
        body = part.get("error") or part.get("innererror")


def _headers(error: BaseException) -> dict[str, str]:
    headers = getattr(getattr(error, "response", None), "headers", None) or getattr(
        error, "litellm_response_headers", None
    )
    return {str(name): str(value) for name, value in dict(headers or {}).items()}


def _never_connected(error: BaseException) -> bool:
    """Whether the exceptions behind this one say that no connection came about, so that nothing can cost."""
    cause: BaseException | None = error
    for _ in range(10):
        if cause is None:
            return False
        if type(cause).__name__ in _NOT_CONNECTED:
            return True
        cause = cause.__cause__ or cause.__context__
    return False

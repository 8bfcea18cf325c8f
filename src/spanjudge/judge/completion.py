"""The border to LiteLLM: the only file that imports it, on the judge's loop, at the first call."""

from __future__ import annotations

import asyncio
import inspect
import logging
import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from spanjudge.judge.failures import CUT, FILTERED, REFUSED, CallFailure, Cause, failure_of
from spanjudge.judge.quiet import quiet
from spanjudge.model import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LOCAL_PRICES: Final = "LITELLM_LOCAL_MODEL_COST_MAP"
_OWN: Final[Mapping[str, object]] = {
    # Retrying is ours: LiteLLM's clients would retry unseen and past the time limit.
    "max_retries": 0,
    "num_retries": 0,
    # The application's LiteLLM callbacks and cache are for its own calls.
    "no-log": True,
    "cache": {"no-cache": True, "no-store": True},
}
_LIKE_NO_KEY: Final = frozenset({"judge_unavailable", "judge_auth"})
_KEYS: Final = ("api_key", "azure_ad_token", "azure_ad_token_provider")
_REFUSAL_REASONS: Final = frozenset({"refusal", "refused"})


_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote, and what that used."""

    text: str
    usage: Usage = field(default_factory=Usage)


def litellm() -> Any:
    """Import LiteLLM (2 to 5 seconds at first) without its look-up of prices over the network and its banners."""
    ours = _LOCAL_PRICES not in os.environ
    if ours:
        os.environ[_LOCAL_PRICES] = "True"
    try:
        import litellm as module  # noqa: PLC0415 - never before the first judge call
    finally:
        if ours:
            os.environ.pop(_LOCAL_PRICES, None)
    module.suppress_debug_info = True
    return module


@contextmanager
def _apart() -> Iterator[None]:
    """Mark a call as none of the application's, so that LiteLLM runs no callback and no logging for it.

    LiteLLM has one logging worker for the process, and moves it to the loop that called last: two loops in turn
    break it. Its own internal calls are spared by a context variable, which is private. A test fails when it goes
    away; the calls then still ask for no logging (``no-log``).
    """
    try:
        from litellm._internal_context import is_internal_call  # noqa: PLC0415 - as above
    except ImportError:
        yield
        return
    token = is_internal_call.set(True)
    try:
        yield
    finally:
        is_internal_call.reset(token)


class LiteLLMClient:
    """Calls to models, and what LiteLLM knows of them. All methods are called on the judge's loop."""

    def prepare(self) -> None:
        """Import LiteLLM, so that the first call's time limit does not pay for it.

        Raises:
            ImportError: Where LiteLLM cannot be imported.
        """
        litellm()

    async def complete(self, request: Mapping[str, object], timeout_s: float) -> Completion | CallFailure:
        """Make one call to a model, outside of all traces.

        Args:
            request: Arguments of ``litellm.acompletion``.
            timeout_s: Seconds after which the call is given up.
        """
        with quiet(), _apart():
            try:
                call = litellm().acompletion(**request, **_OWN, timeout=timeout_s)
                return _read(await asyncio.wait_for(call, timeout_s))
            except Exception as error:  # noqa: BLE001 - sorted by failure_of; a provider's client may raise anything
                _log.debug("A judge call failed.", exc_info=True)
                return self._why(failure_of(error), request)

    def enforces_schema(self, model: str) -> bool:
        """Whether the model is known to be held to a JSON schema by its provider."""
        return bool(litellm().supports_response_schema(model))

    def problem_with(self, request: Mapping[str, object]) -> Cause | None:
        """Find out, without network, whether a model's provider is known by its name and its key is there."""
        try:
            litellm().get_llm_provider(request["model"], api_base=request.get("api_base"))
        except Exception as error:  # noqa: BLE001 - sorted by failure_of
            return failure_of(error).cause
        return _missing_key(request)

    async def close(self) -> None:
        """Close the HTTP clients that LiteLLM keeps for the running loop, and no other loop's."""
        if "litellm" not in sys.modules:
            return
        cache = litellm().in_memory_llm_clients_cache
        suffix = cache.update_cache_key_with_event_loop("")
        for key in [key for key in list(cache.cache_dict) if suffix and key.endswith(suffix)]:
            client = cache.cache_dict.pop(key, None)
            cache.ttl_dict.pop(key, None)
            close = getattr(client, "aclose", None) or getattr(client, "close", None)
            if inspect.iscoroutinefunction(close):
                await close()

    def _why(self, failure: CallFailure, request: Mapping[str, object]) -> CallFailure:
        # Without a key some clients fail as if the network were down, others as if the key were wrong.
        unsent = not failure.headers and failure.cause.code in _LIKE_NO_KEY
        keyless = _missing_key(request) if unsent else None
        return CallFailure(keyless, Usage()) if keyless else failure


def _missing_key(request: Mapping[str, object]) -> Cause | None:
    """Tell which environment variable a model's key is missing from; None where there is a key or no need of one."""
    if any(request.get(name) for name in _KEYS):
        return None
    told = litellm().validate_environment(str(request["model"]))
    name = next((name for name in told.get("missing_keys", ()) if name.endswith("_API_KEY")), None)
    return Cause("judge_auth", f"there is no key for it; set {name} or pass api_key") if name else None


def _read(response: Any) -> Completion | CallFailure:
    usage = _usage(response)
    if not response.choices:
        return CallFailure(Cause("judge_unavailable", "its provider sent a reply without an answer"), usage)
    choice = response.choices[0]
    refusal = getattr(choice.message, "refusal", None)
    cause = _silent(str(choice.finish_reason), refused=bool(refusal))
    if cause is not None:
        return CallFailure(cause, usage)
    return Completion(choice.message.content or "", usage)


def _silent(finish_reason: str, *, refused: bool) -> Cause | None:
    if refused or finish_reason in _REFUSAL_REASONS:
        return REFUSED
    if finish_reason == "content_filter":
        return FILTERED
    return CUT if finish_reason == "length" else None


def _usage(response: Any) -> Usage:
    told = getattr(response, "usage", None)
    given = getattr(told, "prompt_tokens", None)
    if not given:
        # LiteLLM writes zeros where a provider told nothing; no prompt is empty.
        return Usage(calls=1, input_tokens=None, cached_input_tokens=None, output_tokens=None, cost=None)
    cost = getattr(response, "_hidden_params", {}).get("response_cost")
    return Usage(
        calls=1,
        input_tokens=int(given),
        cached_input_tokens=getattr(getattr(told, "prompt_tokens_details", None), "cached_tokens", None),
        output_tokens=getattr(told, "completion_tokens", None),
        cost=None if cost is None else float(cost),
    )

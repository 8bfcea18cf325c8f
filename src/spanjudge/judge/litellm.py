"""An LLM as judge, through LiteLLM."""

from __future__ import annotations

import asyncio
import json
import math
import random as random_module
import re
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from spanjudge.clock import SystemClock
from spanjudge.errors import InputError
from spanjudge.judge.completion import LiteLLMClient
from spanjudge.judge.exchange import Exchange, Formats, Terms, failed
from spanjudge.judge.limits import Breaker, Retry
from spanjudge.judge.loop import JudgeLoop, LoopClosedError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Mapping

    from spanjudge.clock import Clock
    from spanjudge.judge.ask import Ask, Reply

_T = TypeVar("_T")

_OURS: Final = frozenset(
    {"model", "messages", "timeout", "max_retries", "num_retries", "response_format", "stream", "n", "no-log", "cache"}
    | {"api_key", "api_base", "temperature", "max_tokens"}
)
_SECRET: Final = re.compile(r"key|token|secret|password|credential|header|auth", re.IGNORECASE)
_NOT_ADDRESS: Final = re.compile(r"(?<=//)[^/@]*@|[?#].*")

_client: Final = LiteLLMClient()
_shared_loop: Final = JudgeLoop()
_shared_formats: Final = Formats()


@dataclass(eq=False, repr=False)
class LiteLLMJudge:
    """Asks any model that LiteLLM can name.

    The answer's format is asked for by JSON schema and, where a provider refuses that, as a JSON object and at
    last in words; what a model takes is remembered for the process. A reply that cannot be read is asked for once
    more. After five asks in a row without any answer the model is left alone for 30 s.

    Args:
        model: LiteLLM's name of the model, as ``"openai/gpt-5-mini"``.
        timeout_s: Seconds that one call may take.
        max_attempts: Calls in all for one question where the provider is busy, broken or silent; at least 1.
        temperature: Sent where given: some models refuse it.
        max_output_tokens: Sent where given.
        api_base: Address of the provider, where it is not the usual one.
        api_key: Key, where it is not in the provider's environment variable.
        extra: More arguments of ``litellm.acompletion``, such as ``reasoning_effort`` or ``drop_params``.
        deadline_s: Seconds for one ask with all its waits and repairs; default: ``timeout_s`` and 20 s of waiting for
            each attempt.
        clock: Measures the deadline.
        random: Gives numbers in 0..1 for the jitter of waits.
        sleep: Waits so many seconds.
        loop: Where the calls run; default: one loop for the process.

    Raises:
        InputError: On an argument that makes no sense.

    >>> LiteLLMJudge("openai/gpt-5-mini", temperature=0).fingerprint
    'litellm/openai/gpt-5-mini {"temperature": 0.0}'
    """

    model: str
    _: KW_ONLY
    timeout_s: float = 60.0
    max_attempts: int = 3
    temperature: float | None = None
    max_output_tokens: int | None = None
    api_base: str | None = None
    api_key: str | None = None
    extra: Mapping[str, object] = field(default_factory=dict)
    deadline_s: float | None = None
    clock: Clock = field(default_factory=SystemClock)
    random: Callable[[], float] = field(default=random_module.random)
    sleep: Callable[[float], Awaitable[object]] = field(default=asyncio.sleep)
    loop: JudgeLoop = field(default=_shared_loop)

    def __post_init__(self) -> None:
        _check_arguments(self)
        retry = Retry(self.max_attempts)
        self._terms = Terms(
            client=_client,
            request=self._request(),
            timeout_s=self.timeout_s,
            deadline_s=self.deadline_s or (self.timeout_s + retry.cap_s) * self.max_attempts,
            retry=retry,
            clock=self.clock,
            random=self.random,
            sleep=self.sleep,
            breaker=Breaker(self.clock),
            formats=_shared_formats,
        )

    def __repr__(self) -> str:
        # Without keys, in the address too.
        return f"LiteLLMJudge({self.fingerprint!r})"

    @property
    def fingerprint(self) -> str:
        """Model and all parameters that change its answers; keys and time limits are none of them."""
        told = {key: value for key, value in self._request().items() if not _SECRET.search(key) or key == "max_tokens"}
        del told["model"]
        if self.api_base:
            told["api_base"] = _NOT_ADDRESS.sub("", self.api_base)
        return f"litellm/{self.model} {json.dumps(told, sort_keys=True, default=repr)}"

    async def ask(self, ask: Ask, /) -> Reply:
        """Answer one ask.

        Raises:
            JudgeError: Where there is no usable answer, with the failure code that says why.
        """
        return await self._on_loop(Exchange(ask, self._terms).run())

    async def check(self) -> None:
        """Find out without network whether the model's provider is known by its name and its key is there.

        Raises:
            JudgeError: With one sentence that says what is wrong and what to set.
        """
        await self._on_loop(self._check())

    async def aclose(self) -> None:
        """Close the connections to models, unless other judges are using them; a later ask opens new ones."""
        if self.loop.running:
            await self._on_loop(self._close())

    def _request(self) -> dict[str, object]:
        named = {
            "api_base": self.api_base,
            "api_key": self.api_key,
            "temperature": None if self.temperature is None else float(self.temperature),
            "max_tokens": self.max_output_tokens,
        }
        return {**self.extra, "model": self.model, **{key: value for key, value in named.items() if value is not None}}

    async def _on_loop(self, work: Coroutine[Any, Any, _T]) -> _T:
        self.loop.at_close(_client.close)
        try:
            return await self.loop.run(work)
        except LoopClosedError as error:
            raise failed(self.model, "judge_unavailable", "the judge was being shut down") from error

    async def _check(self) -> None:
        if (cause := _client.problem_with(self._request())) is not None:
            raise failed(self.model, cause.code, cause.why)

    async def _close(self) -> None:
        if self.loop.active <= 1:
            await _client.close()


def _check_arguments(judge: LiteLLMJudge) -> None:
    if not judge.model.strip():
        message = 'The name of the judge\'s model is empty; give a LiteLLM name such as "openai/gpt-5-mini".'
        raise InputError(message)
    limits = {"timeout_s": judge.timeout_s, "max_attempts": judge.max_attempts, "deadline_s": judge.deadline_s}
    limits["max_output_tokens"] = judge.max_output_tokens
    for name, value in limits.items():
        if value is not None and not 0 < value < math.inf:
            message = f"{name} of the judge {judge.model!r} must be a positive number: {value!r}."
            raise InputError(message)
    if taken := sorted(_OURS & set(judge.extra)):
        message = (
            f"extra of the judge {judge.model!r} may not hold {', '.join(taken)}: "
            "the judge sets these itself, some from its own arguments."
        )
        raise InputError(message)

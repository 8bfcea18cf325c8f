"""One ask, from prompt to reply: answer formats, retries, and one repair."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, NoReturn, Protocol, TypeAlias

from spanjudge.judge.ask import JudgeError, Reply
from spanjudge.judge.completion import Completion
from spanjudge.judge.failures import TIMED_OUT, CallFailure, Cause
from spanjudge.judge.limits import retry_after_s
from spanjudge.judge.prompts import Prompt, build, schema_text
from spanjudge.judge.replies import Unreadable, read, read_text
from spanjudge.judge.schema import response_format, strict_schema
from spanjudge.model import Usage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pydantic import BaseModel

    from spanjudge.clock import Clock
    from spanjudge.judge.ask import Ask
    from spanjudge.judge.limits import Breaker, Retry
    from spanjudge.semconv import FailureCode

AnswerFormat: TypeAlias = Literal["json_schema", "json_object", "prompt"]
Message: TypeAlias = "dict[str, str]"

_FORMATS: Final[tuple[AnswerFormat, ...]] = ("json_schema", "json_object", "prompt")
_MAX_ECHO: Final = 20_000
_DOWN: Final = frozenset({"judge_unavailable", "judge_timeout"})


class Client(Protocol):
    """Who makes the calls."""

    def prepare(self) -> None:
        """Get ready for the first call, outside its time limit."""
        ...

    async def complete(self, request: Mapping[str, object], timeout_s: float) -> Completion | CallFailure:
        """Make one call, given up after so many seconds."""
        ...

    def enforces_schema(self, model: str) -> bool:
        """Whether the model is known to be held to a JSON schema by its provider."""
        ...


@dataclass(slots=True)
class Formats:
    """Which answer format each model takes, once it has taken one."""

    taken: dict[tuple[object, object], AnswerFormat] = field(default_factory=dict)

    def to_try(self, request: Mapping[str, object]) -> tuple[AnswerFormat, ...]:
        """List the formats to try with a model, the best first."""
        known = self.taken.get(_place(request), _FORMATS[0])
        return _FORMATS[_FORMATS.index(known) :]

    def remember(self, request: Mapping[str, object], taken: AnswerFormat) -> None:
        """Note that a model at its address has taken a format."""
        self.taken[_place(request)] = taken


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How a model is asked: the fixed arguments of its calls, limits in seconds, and time and chance to live by."""

    client: Client
    request: Mapping[str, object]
    timeout_s: float
    deadline_s: float
    retry: Retry
    clock: Clock
    random: Callable[[], float]
    sleep: Callable[[float], Awaitable[object]]
    breaker: Breaker
    formats: Formats

    @property
    def model(self) -> str:
        """Name of the model."""
        return str(self.request["model"])


class Exchange:
    """One ask under way: knows its prompt, its deadline and what it has used so far."""

    def __init__(self, ask: Ask, terms: Terms) -> None:
        self._prompt: Prompt = build(ask)
        self._answer_model: type[BaseModel] | None = ask.answer_model
        self._terms = terms
        self._usage = Usage()
        self._ends_s = 0.0

    async def run(self) -> Reply:
        """Ask, read, and where the reply cannot be read, ask once more with what was wrong.

        Raises:
            JudgeError: Where there is no usable answer, with the usage of all calls.
        """
        try:
            self._terms.client.prepare()
        except ImportError as error:
            self._fail("judge_unavailable", f"LiteLLM cannot be imported ({type(error).__name__})")
        self._ends_s = self._terms.clock.monotonic() + self._terms.deadline_s
        text = await self._obtain([])
        value = self._read(text)
        if isinstance(value, Unreadable):
            value = self._read(await self._obtain(self._repair(text, value)))
        if isinstance(value, Unreadable):
            why = f"its reply was unusable, and again when asked anew: {value.summary}"
            self._fail("judge_parse_error", why)
        return Reply(value, self._prompt.user, self._usage)

    def _read(self, text: str) -> BaseModel | str | Unreadable:
        return read_text(text) if self._answer_model is None else read(text, self._answer_model)

    def _repair(self, text: str, unreadable: Unreadable) -> list[Message]:
        wish = schema_text(strict_schema(self._answer_model)) if self._answer_model else "Answer in plain words."
        return [
            {"role": "assistant", "content": text[:_MAX_ECHO] or "(nothing)"},
            {"role": "user", "content": f"This reply cannot be used. {unreadable.problem}\n{wish}"},
        ]

    async def _obtain(self, more: list[Message]) -> str:
        """Get a text from the model, in the best answer format that it takes."""
        if self._answer_model is None:
            return self._accept(await self._persist(self._messages(more, in_words=False)))
        formats = self._terms.formats
        result: Completion | CallFailure = CallFailure(TIMED_OUT)
        for form in formats.to_try(self._terms.request):
            result = await self._persist(*self._formatted(form, self._answer_model, more))
            if isinstance(result, Completion):
                formats.remember(self._terms.request, form)
                break
            if not result.cause.plainer:
                break
        return self._accept(result)

    def _formatted(
        self, form: AnswerFormat, answer_model: type[BaseModel], more: list[Message]
    ) -> tuple[list[Message], dict[str, object]]:
        if form == "json_schema":
            in_words = not self._terms.client.enforces_schema(self._terms.model)
            return self._messages(more, in_words=in_words), {"response_format": response_format(answer_model)}
        asked: dict[str, object] = {"response_format": {"type": "json_object"}} if form == "json_object" else {}
        return self._messages(more, in_words=True), asked

    def _messages(self, more: list[Message], *, in_words: bool) -> list[Message]:
        prompt = self._prompt
        if in_words and self._answer_model is not None:
            prompt = prompt.with_schema(strict_schema(self._answer_model))
        return [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}, *more]

    async def _persist(
        self, messages: list[Message], asked: Mapping[str, object] | None = None
    ) -> Completion | CallFailure:
        """Call until there is an answer or nothing more to be done, unless the model is being left alone."""
        breaker = self._terms.breaker
        pause = breaker.wait_s()
        if pause > 0:
            why = f"it was not asked, since its last calls failed; it will be tried again in {pause:.0f} s"
            return CallFailure(Cause("judge_unavailable", why), Usage())
        result = await self._attempts({**self._terms.request, **(asked or {}), "messages": messages})
        if isinstance(result, CallFailure) and result.cause.code in _DOWN:
            breaker.failed()
        else:
            breaker.succeeded()
        return result

    async def _attempts(self, request: Mapping[str, object]) -> Completion | CallFailure:
        """Call until there is an answer, a failure that waiting does not cure, or no time left."""
        terms = self._terms
        result: Completion | CallFailure = CallFailure(TIMED_OUT)
        for retry in range(terms.retry.max_attempts):
            left = self._ends_s - terms.clock.monotonic()
            if left <= 0:
                break
            result = await terms.client.complete(request, min(terms.timeout_s, left))
            self._usage += result.usage
            if isinstance(result, Completion) or not result.cause.again:
                break
            wait = terms.retry.wait_s(retry, terms.random, retry_after_s(result.headers, terms.clock.time_ns()))
            if retry + 1 == terms.retry.max_attempts or wait >= self._ends_s - terms.clock.monotonic():
                break
            await terms.sleep(wait)
        return result

    def _accept(self, result: Completion | CallFailure) -> str:
        if isinstance(result, CallFailure):
            self._fail(result.cause.code, result.cause.why)
        return result.text

    def _fail(self, code: FailureCode, why: str) -> NoReturn:
        raise failed(self._terms.model, code, why, self._usage)


def failed(model: str, code: FailureCode, why: str, usage: Usage | None = None) -> JudgeError:
    """Build the error that says in one sentence why a model gave no answer."""
    return JudgeError(code, f"The judge {json.dumps(model, ensure_ascii=False)} gave no answer: {why}.", usage)


def _place(request: Mapping[str, object]) -> tuple[object, object]:
    return request["model"], request.get("api_base")

"""A judge that says what it is told to."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Union

from pydantic import ValidationError

from spanjudge.judge.ask import JudgeError, Reply
from spanjudge.judge.prompts import build
from spanjudge.model import Usage

if TYPE_CHECKING:
    from pydantic import BaseModel

    from spanjudge.judge.ask import Ask
    from spanjudge.model import VerdictWord

Scripted: TypeAlias = Union["BaseModel", Mapping[str, Any], list[Any], str, Exception]
Script: TypeAlias = "Iterable[Scripted] | Callable[[Ask], Scripted | Awaitable[Scripted]]"


class ScriptExhaustedError(RuntimeError):
    """The judge was asked more often than its script has replies."""


class FakeJudge:
    """Answers from a script, and keeps every ask in ``asks``.

    Args:
        script: Replies in order (a dict or list for an answer model, a text, an exception to raise), or a function of
            the Ask that gives one. Replies are validated as real ones are: what does not fit is a
            ``judge_parse_error``.
        model: The judge's model name.
        usage: What each call is said to have consumed; default: one call, no tokens, no cost.

    >>> import asyncio
    >>> from spanjudge.scorers import create_answer_relevancy_scorer
    >>> judge = FakeJudge([{"statements": ["Paris."]}, {"results": [{"result": "yes"}]}, "It answers."])
    >>> asyncio.run(create_answer_relevancy_scorer(model=judge).run(input="Capital?", output="Paris.")).score
    1.0
    """

    def __init__(self, script: Script = (), *, model: str = "fake", usage: Usage | None = None) -> None:
        self._function = script if callable(script) else None
        self._replies = iter(() if callable(script) else script)
        self._model = model
        self._usage = usage or Usage(calls=1)
        self.asks: list[Ask] = []

    @classmethod
    def always(cls, word: VerdictWord | Literal["unreadable"] = "yes", **options: Any) -> FakeJudge:
        """Make a judge that finds one claim or statement in each text and gives every item the same verdict."""
        return cls(lambda ask: uniform_reply(ask, word), **options)

    @property
    def model(self) -> str:
        """Name of the model."""
        return self._model

    @property
    def fingerprint(self) -> str:
        """Model and parameters in one text."""
        return f"{self._model}/fake"

    async def ask(self, ask: Ask, /) -> Reply:
        """Give the next reply of the script.

        Raises:
            JudgeError: Where the reply does not fit the answer model, or the script says so.
            ScriptExhaustedError: Where the script has no more replies.
        """
        self.asks.append(ask)
        if self._function:
            scripted: Any = self._function(ask)
            if inspect.isawaitable(scripted):
                scripted = await scripted
        else:
            try:
                scripted = next(self._replies)
            except StopIteration:
                message = f"The script ended before ask {len(self.asks)} ({ask.task})."
                raise ScriptExhaustedError(message) from None
        if isinstance(scripted, Exception):
            raise scripted
        return Reply(_fit(ask, scripted, self._usage), build(ask).user, self._usage)


def uniform_reply(ask: Ask, word: str = "yes") -> Scripted:
    """Answer any ask of the built-in scorers: one claim or statement per text, the same verdict for every item."""
    text = ask.reference or ask.answer or ""
    verdicts = [{"index": index, "reason": "scripted", "verdict": word} for index in range(len(ask.items))]
    pieces = [{"context_index": index, "reason": "scripted", "verdict": word} for index in range(len(ask.contexts))]
    replies: dict[str, Scripted] = {
        "extract_claims": {"claims": [text]},
        "extract_statements": {"statements": [text]},
        "attribute": {"verdicts": verdicts},
        "verify": {"verdicts": verdicts},
        "rate_usefulness": {"verdicts": pieces},
        "rate_relevancy": {"results": [{**each, "result": word} for each in verdicts]},
    }
    return replies.get(ask.task, "scripted reason")


def _fit(ask: Ask, scripted: Any, usage: Usage) -> BaseModel | str:
    model = ask.answer_model
    if model is None:
        if isinstance(scripted, Mapping) and isinstance(scripted.get("reason"), str):
            return str(scripted["reason"])
        return scripted if isinstance(scripted, str) else json.dumps(scripted, ensure_ascii=False)
    try:
        return model.model_validate_json(scripted) if isinstance(scripted, str) else model.model_validate(scripted)
    except ValidationError:
        message = f"The reply to {ask.task} does not fit {model.__name__}."
        raise JudgeError(code="judge_parse_error", detail=message, usage=usage) from None

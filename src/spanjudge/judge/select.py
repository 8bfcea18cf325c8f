"""From what a user writes for ``model`` or ``judge`` to a judge."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from spanjudge.errors import InputError

if TYPE_CHECKING:
    from spanjudge.judge.ask import Judge

EMBEDDED: Final = "embedded"


def judge_for(judge: str | Judge, *, timeout_s: float = 60.0, max_attempts: int = 3) -> Judge:
    """Return the judge that a name stands for, or the judge object itself.

    Args:
        judge: ``"embedded"`` (no key, no network), a LiteLLM model name, or an object with ``model``,
            ``fingerprint`` and ``ask``.
        timeout_s: Seconds that one attempt of a LiteLLM model may take.
        max_attempts: Attempts at one question to a LiteLLM model.

    Raises:
        InputError: On an empty name.
        TypeError: On anything else.
    """
    if isinstance(judge, str):
        name = judge.strip()
        if not name:
            message = 'The judge\'s name is empty; give "embedded" or a LiteLLM model name such as "openai/gpt-5-mini".'
            raise InputError(message)
        return _embedded() if name == EMBEDDED else _litellm(name, timeout_s, max_attempts)
    if not isinstance(judge, type) and all(hasattr(judge, name) for name in ("model", "fingerprint", "ask")):
        return judge
    message = (
        f"{judge!r} is no judge; give the name of a model or an object with model, fingerprint and an async ask method."
    )
    raise TypeError(message)


def _embedded() -> Judge:
    from spanjudge.judge.embedded import EmbeddedJudge  # noqa: PLC0415 - its data loads with its first use

    return EmbeddedJudge()


@lru_cache(maxsize=64)
def _litellm(name: str, timeout_s: float, max_attempts: int) -> Judge:
    # One judge for a name, so that all who ask the model know when it is down.
    from spanjudge.judge.litellm import LiteLLMJudge  # noqa: PLC0415 - event loop and client for LLM judges alone

    return LiteLLMJudge(name, timeout_s=timeout_s, max_attempts=max_attempts)

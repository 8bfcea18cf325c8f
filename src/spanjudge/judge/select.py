"""From what a user writes for ``model`` or ``judge`` to a judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from spanjudge.judge.ask import Judge

EMBEDDED: Final = "embedded"


def judge_for(judge: str | Judge) -> Judge:
    """Return the judge that a name stands for, or the judge object itself.

    Args:
        judge: ``"embedded"`` (no key, no network), a LiteLLM model name, or an object with ``model``,
            ``fingerprint`` and ``ask``.

    Raises:
        ValueError: On an empty name.
        TypeError: On anything else.
    """
    if isinstance(judge, str):
        name = judge.strip()
        if not name:
            message = 'The judge\'s name is empty; give "embedded" or a LiteLLM model name such as "openai/gpt-5-mini".'
            raise ValueError(message)
        return _embedded() if name == EMBEDDED else _litellm(name)
    if not isinstance(judge, type) and all(hasattr(judge, name) for name in ("model", "fingerprint", "ask")):
        return judge
    message = (
        f"{judge!r} is no judge; give the name of a model or an object with model, fingerprint and an async ask method."
    )
    raise TypeError(message)


def _embedded() -> Judge:
    from spanjudge.judge.embedded import EmbeddedJudge  # noqa: PLC0415 - its data loads with its first use

    return EmbeddedJudge()


def _litellm(name: str) -> Judge:
    from spanjudge.judge.litellm import LiteLLMJudge  # noqa: PLC0415 - event loop and client for LLM judges alone

    return LiteLLMJudge(name)

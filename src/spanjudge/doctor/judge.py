"""The judge: whether it is known, has its key, and answers one tiny question."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, cast

from spanjudge.doctor.advice import FAILURES
from spanjudge.doctor.step import Step
from spanjudge.judge.ask import Ask, JudgeError
from spanjudge.judge.select import EMBEDDED, judge_for
from spanjudge.model import Usage
from spanjudge.scorers.faithfulness import VERIFY, Verifications
from spanjudge.scorers.verdicts import TERNARY, collect

if TYPE_CHECKING:
    from pydantic import BaseModel

    from spanjudge.clock import Clock
    from spanjudge.judge.ask import Judge
    from spanjudge.judge.litellm import LiteLLMJudge
    from spanjudge.settings import Settings

_FACT: Final = "The battery warranty lasts 24 months."


def asked_judge(settings: Settings) -> Judge:
    """Make the judge that the settings name.

    Raises:
        InputError: Where the name stands for no judge.
    """
    return judge_for(settings.judge, timeout_s=settings.judge_timeout_s, max_attempts=settings.judge_max_attempts)


def judge_step(settings: Settings, judge: Judge, clock: Clock) -> Step:
    """Ask the judge whether a sentence is supported by the same sentence, in the form in which it will be asked.

    Args:
        settings: Where the judge was named.
        judge: The judge.
        clock: Measures how long the answer takes.
    """
    if settings.judge.strip() != EMBEDDED:
        try:
            asyncio.run(cast("LiteLLMJudge", judge).check())
        except JudgeError as error:
            return _lost(judge, error, Usage(), 0.0)
    return asyncio.run(_asked(judge, clock))


async def _asked(judge: Judge, clock: Clock) -> Step:
    usage = Usage()

    async def put(ask: Ask) -> BaseModel | str:
        nonlocal usage
        reply = await judge.ask(ask)
        usage += reply.usage
        return reply.value

    ask = Ask(
        task="verify",
        instructions=VERIFY,
        contexts=(_FACT,),
        items=(_FACT,),
        answer_model=Verifications,
        vocabulary=TERNARY,
    )
    started = clock.monotonic()
    try:
        (verdict,) = await collect(ask, put, items=(_FACT,), vocabulary=TERNARY)
    except JudgeError as error:
        return _lost(judge, error, usage + error.usage, clock.monotonic() - started)
    seconds = clock.monotonic() - started
    facts = {**_facts(judge, usage, seconds), "verdict": verdict.verdict}
    if verdict.verdict != "yes":
        said = f'{judge.model} answered in {seconds:.2f} s, but said "{verdict.verdict}" where "yes" is right'
        return Step("judge", "note", said, "choose a model that judges better before you trust its scores", facts)
    return Step("judge", "ok", f"{judge.model} answered in {seconds:.2f} s ({_cost(judge, usage)})", facts=facts)


def _lost(judge: Judge, error: JudgeError, usage: Usage, seconds: float) -> Step:
    detail = error.detail.rstrip(".")
    said = f"{detail[:1].lower()}{detail[1:]} ({error.code})"
    facts = {**_facts(judge, usage, seconds), "code": error.code}
    return Step("judge", "lost", said, FAILURES[error.code], facts)


def _facts(judge: Judge, usage: Usage, seconds: float) -> dict[str, object]:
    return {
        "model": judge.model,
        "seconds": round(seconds, 3),
        "calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost": usage.cost,
    }


def _cost(judge: Judge, usage: Usage) -> str:
    if judge.model == EMBEDDED:
        return "no key, no network, no cost"
    tokens = "tokens unknown" if usage.input_tokens is None else f"{usage.input_tokens} + {usage.output_tokens} tokens"
    cost = "cost unknown" if usage.cost is None else f"{usage.cost:.6f} US dollars"
    return f"{usage.calls} call{'s' if usage.calls != 1 else ''}, {tokens}, {cost}"

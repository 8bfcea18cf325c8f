"""Carries out a scorer's steps on one run, and keeps what they gave even where a later one fails."""

from __future__ import annotations

import inspect
import math
import traceback
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic import BaseModel

from spanjudge.judge.ask import Ask, JudgeError
from spanjudge.model import Failure, Score, Skip, Usage
from spanjudge.scorers.arithmetic import label_of, scaled
from spanjudge.scorers.messages import as_json
from spanjudge.scorers.steps import Judged, Share, StepError, StepInput
from spanjudge.semconv import FAILURE_CODES, SKIP_CODES

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanjudge.judge.ask import Judge
    from spanjudge.model import RagRun, Verdict
    from spanjudge.scorers.steps import Step, StepName, Steps
    from spanjudge.semconv import FailureCode, SkipCode

_TOLERANCE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known before the first step; ``contexts`` is None where they were not captured."""

    run: RagRun
    contexts: tuple[str, ...] | None
    scale: float


@dataclass(slots=True)
class Progress:
    """What the steps gave so far; ``step`` is the one at work, None before the first."""

    step: StepName | None = None
    preprocess_step_result: Any = None
    analyze_step_result: Any = None
    verdicts: tuple[Verdict, ...] = ()
    share: float | None = None
    reason: str | None = None
    skip: SkipCode | None = None
    ready_made: Score | None = None
    error: Exception | None = None
    prompts: dict[StepName | None, str] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)


async def conduct(steps: Steps, facts: Facts, judge: Callable[[], Judge], progress: Progress) -> None:
    """Run the steps in order, writing what they give into ``progress``.

    The judge is made when first asked: a scorer that asks nobody needs none. A reason that cannot be had does not cost
    the score: it is composed instead, and says so.

    Raises:
        JudgeError: As the judge raised it; ``progress.step`` is the failed one.
        StepError: Where a step returned nothing usable.
    """

    async def ask(question: Ask) -> BaseModel | str:
        try:
            reply = await judge().ask(question)
        except JudgeError as error:
            progress.usage += error.usage
            raise
        progress.usage += reply.usage
        progress.prompts.setdefault(progress.step, reply.prompt)
        return reply.value

    known = StepInput(run=facts.run, contexts=facts.contexts, scale=facts.scale, ask=ask)
    if steps.preprocess:
        progress.preprocess_step_result = await _perform("preprocess", steps.preprocess, known, progress)
        known = replace(known, preprocess_step_result=progress.preprocess_step_result)
    if steps.analyze and not progress.skip:
        progress.analyze_step_result = await _perform("analyze", steps.analyze, known, progress)
        known = replace(known, analyze_step_result=progress.analyze_step_result, verdicts=progress.verdicts)
    if progress.skip:
        return
    scored = await _perform("generate_score", steps.generate_score, known, progress)
    if not progress.skip:
        await _settle(scored, steps, known, progress)


async def _settle(scored: Any, steps: Steps, known: StepInput, progress: Progress) -> None:
    if isinstance(scored, Score):
        share = checked_share(_as_share(scored.share), known.scale)
        # Score and label follow from the share: a ready-made score cannot say two things.
        progress.ready_made = replace(scored, share=share, score=scaled(share, known.scale), label=label_of(share))
        return
    if isinstance(scored, tuple) and len(scored) == 2:  # noqa: PLR2004 - a score and its reason
        scored, progress.reason = scored[0], as_json(scored[1])
    progress.share = checked_share(scored, known.scale)
    if progress.reason is None:
        score = scaled(progress.share, known.scale)
        progress.reason = await _reason(steps, replace(known, share=progress.share, score=score), progress)


def checked_share(value: object, scale: float) -> float:
    """Return what ``generate_score`` gave as a share of ``scale``.

    Raises:
        StepError: ``scorer_error`` where it is no number within 0..scale.
    """
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    if isinstance(value, (int, float)) and math.isfinite(value):
        share = float(value) if isinstance(value, Share) else float(value) / scale
        if abs(share - 0.5) <= 0.5 + _TOLERANCE:
            return min(max(share, 0.0), 1.0)
        detail = f"The score must be between 0 and {scale:g}; it was {value:g}."
        raise StepError(code="scorer_error", detail=detail)
    what = f"{value:g}" if isinstance(value, float) else type(value).__name__
    detail = f"The score must be a number between 0 and {scale:g}; it was {what}."
    raise StepError(code="scorer_error", detail=detail)


def blame(error: Exception, where: str) -> str:
    """Say in one sentence what went wrong, without the error's own words: they may quote the run."""
    if isinstance(error, (JudgeError, StepError)):
        return error.detail
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{where} raised {type(error).__name__}{place}."


async def _perform(name: StepName, step: Step, known: StepInput, progress: Progress) -> Any:
    progress.step = name
    value = step(known)
    if inspect.isawaitable(value):
        value = await value
    if isinstance(value, Ask):
        value = await known.ask(value)
    if isinstance(value, Skip):
        progress.skip = cast("SkipCode", _of_set(value.code, SKIP_CODES))
        return None
    if isinstance(value, Failure):
        progress.usage += value.usage
        raise StepError(cast("FailureCode", _of_set(value.code, FAILURE_CODES)), str(value.detail))
    if isinstance(value, Judged):
        progress.verdicts = value.verdicts
        return value.shown
    return value.model_dump() if isinstance(value, BaseModel) else value


def _as_share(value: object) -> object:
    return Share(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def _of_set(code: object, codes: tuple[str, ...]) -> str:
    if isinstance(code, str) and code in codes:
        return code
    detail = f"The scorer gave a code that is none of the known ones: {', '.join(codes)}."
    raise StepError(code="scorer_error", detail=detail)


async def _reason(steps: Steps, known: StepInput, progress: Progress) -> str | None:
    note = ""
    if steps.generate_reason:
        try:
            text = await _perform("generate_reason", steps.generate_reason, known, progress)
        except Exception as error:  # noqa: BLE001 - a score that stands is not lost for want of words; the note says why
            note = error.code if isinstance(error, (JudgeError, StepError)) else type(error).__name__
        else:
            if text is None:
                return None
            if written := as_json(text).strip():
                return written
            note = "it was empty"
    if steps.compose_reason is None:
        return f"The step that gives the reason failed: {note}." if note else None
    composed = as_json(steps.compose_reason(known))
    return f"{composed} (Composed from the verdicts, because the judge gave no reason: {note}.)" if note else composed

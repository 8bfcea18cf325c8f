"""The four steps of a scorer: plain functions of what is known so far."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from pydantic import BaseModel

    from spanjudge.judge.ask import Ask
    from spanjudge.model import RagRun, Verdict
    from spanjudge.semconv import FailureCode

StepName: TypeAlias = Literal["preprocess", "analyze", "generate_score", "generate_reason"]


class StepError(Exception):
    """A step gave nothing usable: ``code`` of the closed set, ``detail`` in one sentence without content of the run."""

    def __init__(self, code: FailureCode, detail: str) -> None:
        super().__init__(detail)
        self.code: FailureCode = code
        self.detail = detail


@dataclass(frozen=True, slots=True, kw_only=True)
class StepInput:
    """What a step knows: the run, its contexts (None: not captured), and what the steps before it gave.

    ``score`` and ``share`` (score / scale) are there for ``generate_reason`` alone.
    ``await step.ask(...)`` asks the judge; a step may as well return one Ask.
    """

    run: RagRun
    contexts: tuple[str, ...] | None
    ask: Callable[[Ask], Awaitable[BaseModel | str]]
    scale: float = 1
    preprocess_step_result: Any = None
    analyze_step_result: Any = None
    verdicts: tuple[Verdict, ...] = ()
    score: float | None = None
    share: float | None = None

    @property
    def question(self) -> str:
        """The user's question, empty where there is none."""
        return self.run.query or ""

    @property
    def answer(self) -> str:
        """The answer, empty where there is none."""
        return self.run.answer or ""

    @property
    def ground_truth(self) -> str:
        """The reference answer, empty where there is none."""
        return self.run.ground_truth or ""


class Share(float):
    """A score as an exact share of the scale, 0..1."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """A step result with the verdicts it stands on; ``shown`` is what callers see of it."""

    shown: Any
    verdicts: tuple[Verdict, ...] = field(default=())


Step: TypeAlias = Callable[[StepInput], Any]
"""Returns a value, a Judged, an Ask, a Skip (no score can be given), or an awaitable of one of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """The steps in their order; all but the score may be left out.

    ``compose_reason`` needs no judge: it stands in where ``generate_reason`` is left out or fails.
    """

    generate_score: Step
    preprocess: Step | None = None
    analyze: Step | None = None
    generate_reason: Step | None = None
    compose_reason: Callable[[StepInput], str] | None = None

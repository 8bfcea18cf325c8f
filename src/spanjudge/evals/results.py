"""What an offline evaluation gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from spanjudge.model import Failure, Score

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spanjudge.evals.summary import Summary
    from spanjudge.model import Evaluation, Label, Outcome, Usage
    from spanjudge.semconv import FailureCode, SkipCode


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemScore:
    """What one scorer says of one item: ``score`` (None: no score), ``reason``, and the outcome in full.

    ``code`` and ``detail`` say why there is no score, or why it is a 0 that was not measured.
    """

    score: float | None
    outcome: Outcome

    @property
    def reason(self) -> str | None:
        """Why the score is what it is."""
        return self.outcome.reason if isinstance(self.outcome, Score) else None

    @property
    def label(self) -> Label | None:
        """The score's band."""
        return self.outcome.label if isinstance(self.outcome, Score) else None

    @property
    def code(self) -> SkipCode | FailureCode | None:
        """Reason code of a skip or failure."""
        return None if isinstance(self.outcome, Score) else self.outcome.code

    @property
    def detail(self) -> str:
        """What went wrong, in one sentence."""
        return self.outcome.detail if isinstance(self.outcome, Failure) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemResult:
    """One item with its answer and scores; ``error`` where the target raised."""

    index: int
    input: object
    output: object = None
    ground_truth: object = None
    context: tuple[str, ...] | None = None
    scorer_results: dict[str, ItemScore] = field(default_factory=dict)
    evaluations: tuple[Evaluation, ...] = ()
    error: str | None = None
    row: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalResult:
    """All scores: ``scores`` has the mean by scorer id (None: no score at all), ``items`` are in the data's order."""

    scores: dict[str, float | None]
    summary: dict[str, Summary]
    items: tuple[ItemResult, ...]
    usage: Usage

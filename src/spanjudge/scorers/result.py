"""What ``Scorer.run`` gives back, and what it raises."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from spanjudge.model import Counts, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spanjudge.model import Label
    from spanjudge.scorers.steps import StepName
    from spanjudge.semconv import FailureCode, SkipCode

# Why a score of 0 was given without asking the judge, or why none could be given.
WHY: Final[dict[SkipCode, str]] = {
    "no_query": "There is no question.",
    "no_answer": "There is no answer.",
    "no_context_captured": "There is no context.",
    "context_text_missing": "Of the context only ids are known, not the texts.",
    "no_ground_truth": "There is no ground truth.",
    "empty_context": "The context is empty.",
    "no_claims": "There is nothing to check: the judge found no claim or statement in the text.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerResult:
    """A score on 0..scale with all that led to it.

    Step results are plain dicts and lists; prompts are what the judge was sent, None where it was not asked.
    ``skip_reason`` says why a score of 0 was given without verdicts: such a 0 is no measurement.
    ``cost`` is in US dollars, None where it is unknown.
    """

    run_id: str
    score: float
    reason: str | None = None
    preprocess_step_result: Any = None
    preprocess_prompt: str | None = None
    analyze_step_result: Any = None
    analyze_prompt: str | None = None
    generate_reason_prompt: str | None = None
    counts: Counts = field(default_factory=Counts)
    label: Label = "none"
    version: str = ""
    usage: Usage = field(default_factory=Usage)
    cost: float | None = 0.0
    skip_reason: SkipCode | None = None


class ScorerError(Exception):
    """A score could not be given.

    ``code`` is of the closed sets of reason codes, ``failed_step`` the step at work (None: before the first),
    ``result`` what the steps before it gave, under the names of the fields of ScorerResult.
    """

    def __init__(
        self,
        code: FailureCode | SkipCode,
        message: str,
        failed_step: StepName | None = None,
        result: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.code: FailureCode | SkipCode = code
        self.message = message
        self.failed_step = failed_step
        self.result: Mapping[str, Any] = dict(result or {})

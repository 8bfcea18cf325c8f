"""How an evaluation reads as attributes: the part that span and log event share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanjudge import semconv
from spanjudge.model import Failure, Score

if TYPE_CHECKING:
    from spanjudge.model import Evaluation

    Attributes = dict[str, str | float | int | bool]


def of_result(evaluation: Evaluation) -> Attributes:
    """Return the ``gen_ai.evaluation.*`` attributes of a score or a failure."""
    outcome = evaluation.outcome
    attributes: Attributes = {semconv.EVALUATION_NAME: outcome.scorer}
    if isinstance(outcome, Score):
        attributes[semconv.SCORE_VALUE] = outcome.score
        attributes[semconv.SCORE_LABEL] = outcome.label
        if outcome.reason:
            attributes[semconv.EXPLANATION] = sendable(outcome.reason)
    elif isinstance(outcome, Failure):
        attributes[semconv.ERROR_TYPE] = outcome.code
        if outcome.detail:
            attributes[semconv.EXPLANATION] = sendable(outcome.detail)
    return attributes


def sendable(text: str) -> str:
    """Replace what no exporter can encode: lone surrogates."""
    return text.encode("utf-8", "replace").decode("utf-8")


def of_provenance(evaluation: Evaluation) -> Attributes:
    """Return the ``spanjudge.*`` attributes: who judged, how likely the run was chosen, and the ids."""
    outcome = evaluation.outcome
    attributes: Attributes = {
        semconv.OUTCOME: "scored" if isinstance(outcome, Score) else "failed",
        semconv.EVALUATOR_VERSION: evaluation.evaluator_version,
        semconv.JUDGE_MODEL: evaluation.judge_model,
        semconv.INCLUSION_PROBABILITY: evaluation.inclusion_probability,
        semconv.SOURCE: evaluation.source,
        semconv.RUN_ID: evaluation.run.run_id,
        semconv.EVALUATION_ID: evaluation.evaluation_id,
    }
    golden = evaluation.run.golden
    if golden is not None:
        attributes[semconv.GOLDEN_QUESTION] = golden.question
        attributes[semconv.GOLDEN_CLOSENESS] = golden.closeness
    if isinstance(outcome, Score):
        for word in ("total", "yes", "unsure", "no", "missing"):
            attributes[semconv.COUNTS + word] = getattr(outcome.counts, word)
    return attributes

"""Evaluations made by hand, for tests of what is done with them."""

from __future__ import annotations

from typing import Any

from spanjudge.model import Counts, Document, Evaluation, Failure, Label, RagRun, Score, Skip, TargetSpan, Verdict

RECALL = "context_recall"


def run_number(number: int, **changes: Any) -> RagRun:
    """Return a run whose ids and times follow from its number."""
    facts: dict[str, Any] = {
        "query": f"question {number}",
        "contexts": (Document(text=f"context of {number}", id=f"doc-{number}"),),
        "answer": f"answer {number}",
        "ground_truth": f"truth {number}",
        "target": TargetSpan(trace_id=f"{number + 1:032x}", span_id=f"{number + 1:016x}"),
        "started_ns": (number + 1) * 1_000_000_000,
        "ended_ns": (number + 1) * 1_000_000_000 + 1000,
    }
    return RagRun(**(facts | changes))


def scored(run: RagRun, share: float, scorer: str = RECALL, probability: float = 1.0, **changes: Any) -> Evaluation:
    """Return a score of a run."""
    label: Label = "none" if share == 0 else "excellent" if share > 0.9 else "fair"
    facts: dict[str, Any] = {
        "scorer": scorer,
        "share": share,
        "score": round(share, 2),
        "label": label,
        "reason": f"reason {share:.2f}",
        "counts": Counts(),
    }
    return _evaluation(run, Score(**(facts | changes)), probability)


def skipped(run: RagRun, scorer: str = RECALL) -> Evaluation:
    """Return a skip of a run."""
    return _evaluation(run, Skip(scorer=scorer, code="no_ground_truth"))


def failed(run: RagRun, scorer: str = RECALL) -> Evaluation:
    """Return a failure on a run."""
    return _evaluation(run, Failure(scorer=scorer, code="judge_timeout", detail="The judge took longer than 60 s."))


def verdicts(*words: str) -> tuple[Verdict, ...]:
    """Return verdicts on claims that are numbered from 0."""
    return tuple(Verdict(f"claim {number}", word, f"why {number}") for number, word in enumerate(words))  # type: ignore[arg-type]


def series(shares: list[float], scorer: str = RECALL) -> list[Evaluation]:
    """Return one run for each share."""
    return [scored(run_number(number), share, scorer) for number, share in enumerate(shares)]


def _evaluation(run: RagRun, outcome: Score | Skip | Failure, probability: float = 1.0) -> Evaluation:
    return Evaluation(
        run=run,
        outcome=outcome,
        evaluator_version="v1",
        judge_model="fake",
        inclusion_probability=probability,
    )

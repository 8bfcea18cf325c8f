"""The runs that scored worst, with all that explains it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spanjudge.model import Failure, Score
from spanjudge.report.cut import LONG, SHORT, cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanjudge.model import Document, Evaluation
    from spanjudge.report.runs import JudgedRun

MOST_CONTEXTS: Final = 20
MOST_VERDICTS: Final = 40


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """One verdict, cut for the page."""

    item: str
    word: str
    reason: str
    missing: bool


@dataclass(frozen=True, slots=True)
class ShownOutcome:
    """One outcome, cut for the page; ``score`` is None where there is none, and ``note`` then says why."""

    scorer: str
    score: float | None
    label: str
    note: str
    verdicts: tuple[ShownVerdict, ...]
    more_verdicts: int


@dataclass(frozen=True, slots=True)
class ShownRun:
    """One run, cut for the page."""

    number: int
    question: str
    answer: str
    ground_truth: str
    contexts: tuple[tuple[str, str], ...] | None
    more_contexts: int
    outcomes: tuple[ShownOutcome, ...]
    trace_id: str


def worst_runs(runs: Sequence[JudgedRun], scorers: Sequence[str], most: int = 10) -> tuple[ShownRun, ...]:
    """Return the runs with the lowest mean over the scorers, of equal ones the first, each question once.

    Args:
        runs: Judged runs.
        scorers: Scorer ids that count.
        most: Runs wanted.
    """
    means: list[tuple[float, int, JudgedRun]] = []
    for run in runs:
        shares = [share for share in map(run.share, scorers) if share is not None]
        if shares and min(shares) < 1.0:
            means.append((sum(shares) / len(shares), run.position, run))
    picked: dict[object, JudgedRun] = {}
    for _, position, run in sorted(means, key=lambda item: item[:2]):
        picked.setdefault(run.run.query or position, run)
    return tuple(_shown(run, scorers) for run in list(picked.values())[:most])


def _shown(judged: JudgedRun, scorers: Sequence[str]) -> ShownRun:
    run = judged.run
    contexts = run.contexts
    return ShownRun(
        number=judged.position + 1,
        question=cut(run.query or ""),
        answer=cut(run.answer or ""),
        ground_truth=cut(run.ground_truth or ""),
        contexts=None if contexts is None else tuple(_context(document) for document in contexts[:MOST_CONTEXTS]),
        more_contexts=max(0, len(contexts or ()) - MOST_CONTEXTS),
        outcomes=tuple(_outcome(judged.evaluations[scorer]) for scorer in scorers if scorer in judged.evaluations),
        trace_id=run.target.trace_id if run.target else "",
    )


def _context(document: Document) -> tuple[str, str]:
    return cut(document.id or f"document {document.rank + 1}", SHORT), cut(document.text or "(text was not captured)")


def _outcome(evaluation: Evaluation) -> ShownOutcome:
    outcome = evaluation.outcome
    if not isinstance(outcome, Score):
        note = f"{outcome.code}: {cut(outcome.detail, LONG)}" if isinstance(outcome, Failure) else outcome.code
        return ShownOutcome(outcome.scorer, None, "", note, (), 0)
    return ShownOutcome(
        scorer=outcome.scorer,
        score=outcome.share,
        label=outcome.label,
        note=cut(outcome.reason or ""),
        verdicts=tuple(
            ShownVerdict(cut(verdict.item, SHORT), verdict.verdict, cut(verdict.reason, SHORT), verdict.missing)
            for verdict in outcome.verdicts[:MOST_VERDICTS]
        ),
        more_verdicts=max(0, len(outcome.verdicts) - MOST_VERDICTS),
    )

"""Judge runs that are all there already: the live pipeline, fed at once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from spanjudge.clock import SystemClock
from spanjudge.guard import Guard
from spanjudge.ledger import Ledger
from spanjudge.model import Evaluation, Skip
from spanjudge.pipeline import Assignment, Pipeline, Plan
from spanjudge.semconv import BLOCKING_CODES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanjudge.golden import Lookup
    from spanjudge.judge.ask import Judge
    from spanjudge.model import RagRun
    from spanjudge.scorers.scorer import Scorer


class _Collector:
    def __init__(self) -> None:
        self.by_run: dict[int, list[Evaluation]] = {}

    def emit(self, evaluation: Evaluation, /) -> None:
        self.by_run.setdefault(id(evaluation.run.target), []).append(evaluation)


async def judge_runs(
    runs: Sequence[RagRun],
    scorers: Sequence[Scorer],
    judge: Judge,
    lookup: Lookup | None = None,
    *,
    run_timeout_s: float = 120.0,
    concurrency: int = 4,
) -> list[list[Evaluation]]:
    """Judge every run by every scorer.

    Args:
        runs: The runs.
        scorers: The scorers, each with its own judge or none.
        judge: Asked by scorers without their own.
        lookup: References for runs without one.
        run_timeout_s: Seconds that one scorer may take for one run.
        concurrency: Runs judged at a time.

    Returns:
        The evaluations of each run in the order of ``runs``, each in the order of ``scorers``. A run that no scorer
        can use has its skip for each of them.
    """
    assignments = tuple(_assignment(scorer, scorer.judge or judge) for scorer in scorers)
    collector = _Collector()
    plan = Plan(
        assignments=assignments,
        sinks=(collector,),
        lookup=lookup,
        queue_size=max(1, len(runs)),
        concurrency=concurrency,
        run_timeout_s=run_timeout_s,
        source="offline",
    )
    pipeline = Pipeline(plan, Ledger(), Guard(), SystemClock())
    for run in runs:
        pipeline.accept(run)
    serving = asyncio.ensure_future(pipeline.serve())
    await pipeline.idle()
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    order = {item.scorer.id: place for place, item in enumerate(assignments)}
    return [
        [_left_out(run, item) for item in assignments]
        if run.skip_reason in BLOCKING_CODES
        else sorted(collector.by_run.get(id(run.target), []), key=lambda item: order[item.outcome.scorer])
        for run in runs
    ]


def _assignment(scorer: Scorer, judge: Judge) -> Assignment:
    return Assignment(scorer, judge, 1.0, scorer.version(judge))


def _left_out(run: RagRun, assignment: Assignment) -> Evaluation:
    code = run.skip_reason
    if code is None:
        message = "only a run with a skip reason is left out"
        raise ValueError(message)
    return Evaluation(
        run=run,
        outcome=Skip(scorer=assignment.scorer.id, code=code),
        evaluator_version=assignment.version,
        judge_model=assignment.judge_model,
        source="offline",
    )

"""From an assembled run to its outcomes: decide, queue, judge, emit, each candidate counted once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from spanjudge.golden import find
from spanjudge.ledger import Candidate
from spanjudge.model import Evaluation, Failure, RagRun
from spanjudge.sampling import head_probability, taken
from spanjudge.semconv import BLOCKING_CODES

if TYPE_CHECKING:
    from spanjudge.assembly import Closed
    from spanjudge.clock import Clock
    from spanjudge.golden import Lookup
    from spanjudge.guard import Guard
    from spanjudge.judge.ask import Judge
    from spanjudge.ledger import Ledger
    from spanjudge.model import Outcome, Source
    from spanjudge.scorers.scorer import Scorer
    from spanjudge.semconv import DropCode
    from spanjudge.sinks import Sink


@dataclass(frozen=True, slots=True)
class Assignment:
    """A scorer with the judge it asks, the rate it samples at, and the version of the two together."""

    scorer: Scorer
    judge: Judge | None
    rate: float
    version: str

    @property
    def judge_model(self) -> str:
        """The judge's model, ``none`` for a scorer that asks nobody."""
        return self.judge.model if self.judge else "none"


@dataclass(frozen=True, slots=True)
class Plan:
    """What does not change while the pipeline runs. Times are seconds."""

    assignments: tuple[Assignment, ...]
    sinks: tuple[Sink, ...]
    lookup: Lookup | None = None
    missing_ground_truth: Literal["skip", "zero"] = "skip"
    queue_size: int = 256
    concurrency: int = 4
    run_timeout_s: float = 120.0
    source: Source = "live"


@dataclass(frozen=True, slots=True)
class _Job:
    run: RagRun
    work: tuple[tuple[Candidate, Assignment], ...]


class Pipeline:
    """Lives on one event loop; every method is called there.

    Args:
        plan: Scorers, sinks and limits.
        ledger: Where everything is counted.
        guard: Where trouble of sinks and look-ups is noted.
        clock: The time that evaluations bear.
    """

    def __init__(self, plan: Plan, ledger: Ledger, guard: Guard, clock: Clock) -> None:
        self._plan = plan
        self._ledger = ledger
        self._guard = guard
        self._clock = clock
        self._queue: asyncio.Queue[_Job] = asyncio.Queue(plan.queue_size)
        self._open: dict[int, Candidate] = {}

    def accept(self, closed: Closed) -> None:
        """Decide on one closed run, and queue it where it is to be judged."""
        if not isinstance(closed, RagRun):
            self._ledger.run(None, "dropped", closed.code)
            return
        run, code = closed, closed.skip_reason
        if code in BLOCKING_CODES:
            self._ledger.run(run, "incomplete", code)
            return
        chosen = [item for item in self._plan.assignments if _chosen(run, item.rate)]
        if not chosen:
            self._ledger.run(run, "not_sampled")
        elif self._queue.full():
            self._ledger.run(run, "dropped", "queue_full")
            self._guard.tell("queue", "More runs come than the judge can take; the newest are left out.")
        else:
            self._ledger.run(run, "sampled")
            work = tuple((Candidate(run, item.scorer.id, item.version, self._plan.source), item) for item in chosen)
            for candidate, _ in work:
                self._ledger.candidate(candidate)
                self._open[id(candidate)] = candidate
            self._queue.put_nowait(_Job(run, work))
            self._ledger.queue(self._queue.qsize(), self._plan.queue_size)

    async def serve(self) -> None:
        """Judge runs as they come, until cancelled."""
        await asyncio.gather(*(self._judge_runs() for _ in range(self._plan.concurrency)))

    async def idle(self) -> None:
        """Wait until every queued run is judged."""
        await self._queue.join()

    def abandon(self, code: DropCode) -> int:
        """Settle all that is pending as dropped; return how many candidates that were."""
        pending, self._open = self._open, {}
        for candidate in pending.values():
            self._ledger.dropped(candidate, code)
        return len(pending)

    async def _judge_runs(self) -> None:
        while True:
            job = await self._queue.get()
            self._ledger.queue(self._queue.qsize(), self._plan.queue_size)
            try:
                run = await self._with_reference(job.run)
                await asyncio.gather(*(self._evaluate(run, *pair) for pair in job.work))
            finally:
                self._queue.task_done()

    async def _with_reference(self, run: RagRun) -> RagRun:
        if run.ground_truth is not None or self._plan.lookup is None:
            return run
        try:
            found = await asyncio.wait_for(find(self._plan.lookup, run.query), self._plan.run_timeout_s)
        except Exception as error:  # noqa: BLE001 - the user's function; without a reference the run is judged all the same
            self._guard.caught("ground truth", error)
            return run
        return replace(run, ground_truth=found)

    async def _evaluate(self, run: RagRun, candidate: Candidate, assignment: Assignment) -> None:
        started = self._clock.time_ns()
        outcome = await self._outcome(run, assignment)
        if self._open.pop(id(candidate), None) is None:
            return
        target = run.target
        evaluation = Evaluation(
            run=run,
            outcome=outcome,
            evaluator_version=assignment.version,
            judge_model=assignment.judge_model,
            inclusion_probability=assignment.rate * head_probability(target.trace_state if target else ""),
            source=self._plan.source,
            started_ns=started,
            ended_ns=max(started, self._clock.time_ns()),
        )
        self._ledger.evaluated(candidate, evaluation)
        for sink in self._plan.sinks:
            try:
                sink.emit(evaluation)
            except Exception as error:  # noqa: BLE001 - one sink's trouble is not the others'
                self._guard.caught(f"sink {type(sink).__name__}", error)

    async def _outcome(self, run: RagRun, assignment: Assignment) -> Outcome:
        scorer, limit = assignment.scorer, self._plan.run_timeout_s
        try:
            judged = scorer.evaluate(run, assignment.judge, missing_ground_truth=self._plan.missing_ground_truth)
            return await asyncio.wait_for(judged, limit)
        except asyncio.TimeoutError:
            return Failure(scorer=scorer.id, code="judge_timeout", detail=f"No score within {limit:g} s.")
        except Exception as error:  # noqa: BLE001 - a scorer may be the user's
            self._guard.caught(f"scorer {scorer.id}", error)
            return Failure(scorer=scorer.id, code="scorer_error", detail=f"The scorer raised {type(error).__name__}.")


def _chosen(run: RagRun, rate: float) -> bool:
    return rate > 0 and (run.target is None or taken(int(run.target.trace_id, 16), rate))

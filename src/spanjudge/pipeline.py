"""From an assembled run to its outcomes: decide, queue, judge, emit, each candidate counted once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from spanjudge.errors import InputError
from spanjudge.judge.quiet import quiet
from spanjudge.ledger import Candidate
from spanjudge.model import Evaluation, Failure, RagRun
from spanjudge.resolver import DocumentResolver
from spanjudge.sampling import head_probability, taken
from spanjudge.semconv import BLOCKING_CODES, NO_JUDGE
from spanjudge.sinks.target import judged_target
from spanjudge.user_code import UserCode

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from spanjudge.assembly import Closed
    from spanjudge.clock import Clock
    from spanjudge.golden import Lookup
    from spanjudge.guard import Guard
    from spanjudge.judge.ask import Judge
    from spanjudge.ledger import Ledger
    from spanjudge.model import Outcome, Source
    from spanjudge.scorers.scorer import Scorer
    from spanjudge.semconv import DropCode
    from spanjudge.settings import ResolveFunction
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
        return self.judge.model if self.judge else NO_JUDGE


@dataclass(frozen=True, slots=True)
class Plan:
    """What does not change while the pipeline runs. Times are seconds.

    ``golden_rate`` is the least rate, 0..1, at which a run with a reference is judged; None: no other than without.
    """

    assignments: tuple[Assignment, ...]
    sinks: tuple[Sink, ...]
    lookup: Lookup | None = None
    golden_rate: float | None = None
    resolve_documents: ResolveFunction | None = None
    lookup_timeout_s: float = 10.0
    missing_ground_truth: Literal["skip", "zero"] = "skip"
    queue_size: int = 256
    concurrency: int = 4
    run_timeout_s: float = 120.0
    source: Source = "live"


@dataclass(frozen=True, slots=True)
class _Job:
    run: RagRun
    work: tuple[tuple[Candidate, Assignment], ...]
    looked_up: bool


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
        self._user = UserCode(plan.lookup_timeout_s)
        self._resolver = plan.resolve_documents and DocumentResolver(plan.resolve_documents, self._user, guard)
        self._queue: asyncio.Queue[_Job] = asyncio.Queue(plan.queue_size)
        self._undecided: asyncio.Queue[RagRun] = asyncio.Queue(plan.queue_size)
        self._in_doubt: dict[int, RagRun] = {}
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
        if not self._depends_on_reference(run):
            self._decide(run, looked_up=False)
        elif self._undecided.full():
            self._leave_out(run)
        else:
            self._in_doubt[id(run)] = run
            self._undecided.put_nowait(run)

    def _depends_on_reference(self, run: RagRun) -> bool:
        """Whether some scorer would take the run only if it has a reference, and nobody has looked for one yet."""
        rate = self._plan.golden_rate
        if rate is None or self._plan.lookup is None or run.ground_truth is not None or run.query is None:
            return False
        return any(not _chosen(run, item.rate) and _chosen(run, rate) for item in self._plan.assignments)

    def _rate(self, run: RagRun, assignment: Assignment) -> float:
        golden = self._plan.golden_rate if run.ground_truth is not None else None
        return assignment.rate if golden is None else max(assignment.rate, golden)

    def _decide(self, run: RagRun, *, looked_up: bool) -> None:
        chosen = [item for item in self._plan.assignments if _chosen(run, self._rate(run, item))]
        if not chosen:
            self._ledger.run(run, "not_sampled")
        elif self._queue.full():
            self._leave_out(run)
        else:
            self._ledger.run(run, "sampled")
            work = tuple((Candidate(run, item.scorer.id, item.version, self._plan.source), item) for item in chosen)
            for candidate, _ in work:
                self._ledger.candidate(candidate)
                self._open[id(candidate)] = candidate
            self._queue.put_nowait(_Job(run, work, looked_up))
            self._ledger.queue(self._queue.qsize(), self._plan.queue_size)

    def _leave_out(self, run: RagRun) -> None:
        self._ledger.run(run, "dropped", "queue_full")
        self._guard.tell("queue", "More runs come than the judge can take; the newest are left out.")

    async def serve(self) -> None:
        """Judge runs as they come, until cancelled."""
        workers = range(self._plan.concurrency)
        try:
            await asyncio.gather(*(self._judge_runs() for _ in workers), *(self._decide_runs() for _ in workers))
        finally:
            self._user.close()

    async def idle(self) -> None:
        """Wait until every queued run is judged."""
        await self._undecided.join()
        await self._queue.join()

    def abandon(self, code: DropCode) -> int:
        """Settle all that is pending as dropped; return how many candidates and undecided runs that were."""
        undecided, self._in_doubt = self._in_doubt, {}
        for run in undecided.values():
            self._ledger.run(run, "dropped", code)
        pending, self._open = self._open, {}
        for candidate in pending.values():
            self._ledger.dropped(candidate, code)
        return len(pending) + len(undecided)

    async def _decide_runs(self) -> None:
        while True:
            given = await self._undecided.get()
            try:
                run = await self._with_reference(given)
                if self._in_doubt.pop(id(given), None) is not None:
                    self._decide(run, looked_up=True)
            finally:
                self._undecided.task_done()

    async def _judge_runs(self) -> None:
        while True:
            job = await self._queue.get()
            self._ledger.queue(self._queue.qsize(), self._plan.queue_size)
            try:
                run = job.run if job.looked_up else await self._with_reference(job.run)
                run = await self._resolver.resolve(run) if self._resolver else run
                await asyncio.gather(*(self._evaluate(run, *pair) for pair in job.work))
            finally:
                self._queue.task_done()

    async def _with_reference(self, run: RagRun) -> RagRun:
        lookup = self._plan.lookup
        if run.ground_truth is not None or lookup is None or run.query is None:
            return run
        try:
            found = await lookup.find(run.query, self._user)
        except InputError as error:
            self._guard.tell("ground truth", str(error))
            return run
        except Exception as error:  # noqa: BLE001 - the user's function; without a reference the run is judged all the same
            self._guard.caught("ground truth", error)
            return run
        return replace(run, ground_truth=found.text, golden=found.match) if found else run

    async def _evaluate(self, run: RagRun, candidate: Candidate, assignment: Assignment) -> None:
        started = self._clock.time_ns()
        judged_target.set(run.target)
        outcome = await self._outcome(run, assignment)
        if self._open.pop(id(candidate), None) is None:
            return
        target = run.target
        evaluation = Evaluation(
            run=run,
            outcome=outcome,
            evaluator_version=assignment.version,
            judge_model=assignment.judge_model,
            inclusion_probability=self._rate(run, assignment) * head_probability(target.trace_state if target else ""),
            source=self._plan.source,
            started_ns=started,
            ended_ns=max(started, self._clock.time_ns()),
        )
        self._ledger.evaluated(candidate, evaluation)
        for sink in self._plan.sinks:
            try:
                sink.emit(evaluation)
            except BaseException as error:  # noqa: BLE001 - one sink's trouble is not the others'
                self._guard.caught(f"sink {type(sink).__name__}", error)

    async def _outcome(self, run: RagRun, assignment: Assignment) -> Outcome:
        scorer, limit = assignment.scorer, self._plan.run_timeout_s
        judged = scorer.evaluate(run, assignment.judge, missing_ground_truth=self._plan.missing_ground_truth)
        # What a judge or scorer of the user's own calls is no traffic of the application's.
        with quiet():
            judging = asyncio.ensure_future(_contained(judged))
        try:
            await asyncio.wait({judging}, timeout=limit)
        finally:
            judging.cancel()
        if not judging.done():
            return Failure(scorer=scorer.id, code="judge_timeout", detail=f"No score within {limit:g} s.")
        error = asyncio.CancelledError() if judging.cancelled() else judging.exception()
        if error is None:
            return judging.result()
        self._guard.caught(f"scorer {scorer.id}", error)
        return Failure(scorer=scorer.id, code="scorer_error", detail=f"The scorer raised {type(error).__name__}.")


async def _contained(judged: Awaitable[Outcome]) -> Outcome:
    """Keep what would end the event loop inside the task that raised it."""
    try:
        return await judged
    except (SystemExit, KeyboardInterrupt, GeneratorExit) as error:
        message = f"{type(error).__name__} in a scorer or judge"
        raise RuntimeError(message) from error


def _chosen(run: RagRun, rate: float) -> bool:
    return rate > 0 and (run.target is None or taken(int(run.target.trace_id, 16), rate))

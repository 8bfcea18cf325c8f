"""Offline evaluation: a user's function, called on each item of a data set, and its answers scored."""

from __future__ import annotations

import asyncio
import inspect
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

from spanjudge.dataset import Item, item_of, read_dataset
from spanjudge.errors import InputError
from spanjudge.evals.progress import progress_bar
from spanjudge.evals.results import EvalResult, ItemResult, ItemScore
from spanjudge.evals.summary import Missing, counted_score, summarise
from spanjudge.evals.target import Target, call_target, contexts_of
from spanjudge.judge.select import EMBEDDED, judge_for
from spanjudge.model import Evaluation, Skip, Usage
from spanjudge.scorers.case import called_case
from spanjudge.scorers.registry import as_scorer
from spanjudge.semconv import NO_JUDGE

if TYPE_CHECKING:
    from spanjudge.judge.ask import Judge
    from spanjudge.model import Outcome
    from spanjudge.scorers.case import Case
    from spanjudge.scorers.scorer import Scorer

AnyScorer: TypeAlias = "str | Scorer | Callable[..., Any]"
OnItemComplete: TypeAlias = "Callable[[ItemResult], Any]"


@dataclass(frozen=True, slots=True)
class _Work:
    scorers: tuple[Scorer, ...]
    judges: dict[str, Judge | None]
    target: Target | None
    missing: Missing
    threads: ThreadPoolExecutor


async def run_evals(
    *,
    data: Sequence[Mapping[str, Any] | Item] | str | os.PathLike[str],
    scorers: Sequence[AnyScorer] | str,
    target: Target | None = None,
    on_item_complete: OnItemComplete | None = None,
    concurrency: int = 4,
    missing: Missing = "exclude",
    progress: bool | None = None,
    judge: str | Judge | None = None,
) -> EvalResult:
    """Call a function on every item of a data set and score its answers.

    A failing item or scorer is left out and counted by reason; the others go on.

    Args:
        data: Items with ``input`` and, where they have them, ``ground_truth``, ``context`` (retrieved texts) and
            ``output`` (an answer, if there is no target); or a JSONL, JSON, CSV or Parquet file of them.
        scorers: Names, scorers, or functions of the run.
        target: Function of the input, plain or async. Returns the answer as text, dict, agent's messages or an object;
            ``contexts`` of a dict or object are taken as the retrieved texts of an item that has none.
        on_item_complete: Called with each item's result, as they come; plain or async. What it raises ends the run.
        concurrency: Items at work at a time.
        missing: ``"zero"`` counts items without ground truth, answer or claims as 0, as the reference scorers do.
        progress: Whether to show a bar on standard error; default: where that is a terminal.
        judge: Judge of scorers without their own; default: the embedded one.

    Raises:
        InputError: Where there are no items or no scorers, or one of them is of no use.
    """
    items = _items(data)
    if concurrency < 1:
        message = f"run_evals: `concurrency` must be at least 1, not {concurrency}."
        raise InputError(message)
    work = _work([scorers] if isinstance(scorers, str) else scorers, judge, target, missing, concurrency)
    if target is None:
        _need_outputs(items)
    results: dict[int, ItemResult] = {}
    waiting = deque(enumerate(items))
    with progress_bar(len(items), wanted=progress) as advance:

        async def serve() -> None:
            while waiting:
                index, item = waiting.popleft()
                results[index] = done = await _evaluate(index, item, work)
                advance()
                if on_item_complete:
                    called = on_item_complete(done)
                    if inspect.isawaitable(called):
                        await called

        try:
            await _together(serve, min(concurrency, len(items)))
        finally:
            work.threads.shutdown(wait=False, cancel_futures=True)
    return _result(tuple(results[index] for index in range(len(items))), work)


async def _together(serve: Callable[[], Any], count: int) -> None:
    tasks = [asyncio.ensure_future(serve()) for _ in range(count)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _evaluate(index: int, item: Item, work: _Work) -> ItemResult:
    output, error = item.output, None
    if work.target is not None:
        try:
            output = await call_target(work.target, item.input, work.threads)
        except Exception as raised:  # noqa: BLE001 - one item's failure is its own; it is told in its result
            output, error = None, f"The target raised {type(raised).__name__}: {raised}"
    context = item.context if item.context is not None else contexts_of(output)
    case = called_case(input=item.input, output=output, ground_truth=item.ground_truth, context=context)
    evaluations = await asyncio.gather(
        *(_scored(scorer, case, work, failed=error is not None) for scorer in work.scorers)
    )
    results = {
        scorer.id: ItemScore(
            score=counted_score(evaluation.outcome, scorer.zero_in_run, work.missing), outcome=evaluation.outcome
        )
        for scorer, evaluation in zip(work.scorers, evaluations, strict=True)
    }
    return ItemResult(
        index=index,
        input=item.input,
        output=output,
        ground_truth=item.ground_truth,
        context=context,
        scorer_results=results,
        evaluations=tuple(evaluations),
        error=error,
        row=item.row,
    )


async def _scored(scorer: Scorer, case: Case, work: _Work, *, failed: bool) -> Evaluation:
    judge = work.judges[scorer.id]
    started = time.time_ns()
    outcome: Outcome
    if failed:
        outcome = Skip(scorer=scorer.id, code="source_error")
    else:
        outcome = await scorer.evaluate_case(case, judge)
    return Evaluation(
        run=case.run,
        outcome=outcome,
        evaluator_version=scorer.version(judge),
        judge_model=judge.model if judge else NO_JUDGE,
        source="offline",
        started_ns=started,
        ended_ns=max(started, time.time_ns()),
    )


def _items(data: object) -> list[Item]:
    if isinstance(data, (str, os.PathLike)):
        return read_dataset(Path(data))
    if not isinstance(data, Iterable) or isinstance(data, Mapping):
        message = f"run_evals: `data` must be a list of items or a file's path, not {type(data).__name__}."
        raise InputError(message)
    items = [row if isinstance(row, Item) else item_of(row, f"data[{index}]") for index, row in enumerate(data)]
    if not items:
        message = "run_evals: `data` is empty; give at least one item with an `input`."
        raise InputError(message)
    return items


def _work(
    scorers: Sequence[AnyScorer], judge: str | Judge | None, target: Any, missing: Missing, concurrency: int
) -> _Work:
    made = tuple(as_scorer(scorer) for scorer in scorers)
    if not made:
        message = "run_evals: `scorers` is empty; name at least one, such as 'faithfulness'."
        raise InputError(message)
    ids = [scorer.id for scorer in made]
    twice = next((each for each in ids if ids.count(each) > 1), None)
    if twice:
        message = f"run_evals: two scorers are called {twice!r}; each needs an id of its own."
        raise InputError(message)
    if target is not None and not callable(target):
        message = f"run_evals: `target` must be a function of the input, not {type(target).__name__}."
        raise InputError(message)
    if missing not in get_args(Missing):
        message = f"run_evals: `missing` must be 'exclude' or 'zero', not {missing!r}."
        raise InputError(message)
    shared = judge_for(judge or EMBEDDED)
    judges = {scorer.id: (scorer.judge or shared) if scorer.asks else None for scorer in made}
    threads = ThreadPoolExecutor(concurrency, thread_name_prefix="spanjudge-target")
    return _Work(made, judges, target, missing, threads)


def _need_outputs(items: Sequence[Item]) -> None:
    for index, item in enumerate(items):
        if item.output is None:
            message = f"run_evals: there is no `target`, and item {index} has no `output` to score; give one of them."
            raise InputError(message)


def _result(items: tuple[ItemResult, ...], work: _Work) -> EvalResult:
    summary = {
        scorer.id: summarise(
            [item.scorer_results[scorer.id].outcome for item in items],
            scale=scorer.scale,
            zeros=scorer.zero_in_run,
            missing=work.missing,
        )
        for scorer in work.scorers
    }
    used = (evaluation.outcome.usage for item in items for evaluation in item.evaluations)
    return EvalResult(
        scores={scorer: summed.mean for scorer, summed in summary.items()},
        summary=summary,
        items=items,
        usage=sum(used, Usage()),
    )

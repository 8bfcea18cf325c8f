from __future__ import annotations

import asyncio
import contextvars
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from spanjudge.conversation import AgentOutput, Message
from spanjudge.errors import InputError
from spanjudge.evals import EvalResult, ItemResult, run_evals
from spanjudge.judge.ask import Ask, JudgeError
from spanjudge.model import RagRun, Score
from spanjudge.scorers import create_context_recall_scorer, create_faithfulness_scorer
from spanjudge.testing import FakeJudge

if TYPE_CHECKING:
    from pathlib import Path

DATA = [{"input": f"Q{number}", "ground_truth": f"A{number}"} for number in range(6)]


def echo(given: str) -> str:
    return f"Answer to {given}."


def length(run: RagRun) -> float:
    return min(len(run.answer or "") / 100, 1.0)


def _run(**options: Any) -> EvalResult:
    given = {"data": DATA, "scorers": [length], "target": echo, "progress": False, **options}
    return asyncio.run(run_evals(**given))


def test_scores_are_means_by_scorer_id_and_items_come_in_the_datas_order() -> None:
    result = _run(scorers=[length, create_faithfulness_scorer(model=FakeJudge.always("yes"), context=["c"])])
    assert result.scores == {"length": 0.13, "faithfulness": 1.0}
    assert [item.index for item in result.items] == [0, 1, 2, 3, 4, 5]
    assert [item.input for item in result.items] == [row["input"] for row in DATA]
    assert result.items[0].output == "Answer to Q0."
    assert result.items[0].scorer_results["faithfulness"].score == 1.0
    assert result.items[0].scorer_results["faithfulness"].reason == "scripted reason"
    assert result.items[0].scorer_results["faithfulness"].label == "excellent"
    assert result.summary["length"].n == 6
    assert result.usage.calls == 18


@pytest.mark.parametrize(
    "answer",
    [
        "Because.",
        {"answer": "Because."},
        {"text": "Because."},
        AgentOutput([Message("assistant", "Because.")]),
        [{"role": "assistant", "content": "Because."}],
        SimpleNamespace(content="Because."),
    ],
)
def test_target_may_return_text_dict_messages_or_an_object(answer: Any) -> None:
    result = _run(target=lambda _given: answer)
    assert result.items[0].evaluations[0].run.answer == "Because."
    assert result.items[0].output is answer


def test_target_may_be_async_or_give_an_awaitable_or_be_an_object() -> None:
    async def slow(given: str) -> str:
        await asyncio.sleep(0)
        return echo(given)

    class Agent:
        async def __call__(self, given: str) -> str:
            return await slow(given)

    for target in (slow, lambda given: slow(given), Agent()):  # noqa: PLW0108 - a plain function that gives an awaitable
        assert _run(target=target).scores == {"length": 0.13}


def test_plain_target_may_run_an_event_loop_of_its_own() -> None:
    async def inner(given: str) -> str:
        await asyncio.sleep(0)
        return echo(given)

    assert _run(target=lambda given: asyncio.run(inner(given))).scores == {"length": 0.13}


def test_target_that_fails_leaves_its_item_out_and_the_others_go_on() -> None:
    def target(given: str) -> str:
        if given == "Q2":
            message = "no luck"
            raise OSError(message)
        return echo(given)

    result = _run(target=target)
    assert result.summary["length"].n == 5
    assert result.summary["length"].left_out == {"source_error": 1}
    assert result.items[2].error == "The target raised OSError: no luck"
    assert result.items[2].scorer_results["length"].score is None
    assert result.items[2].scorer_results["length"].code == "source_error"


def test_scorer_that_fails_on_one_item_leaves_it_out_with_its_code() -> None:
    def reply(ask: Ask) -> Any:
        if ask.answer == "Answer to Q1.":
            return JudgeError("judge_rate_limited", "Too many.")
        return {"claims": []} if ask.answer == "Answer to Q2." else FakeJudge.always("yes")._function(ask)  # type: ignore[misc]

    result = _run(scorers=[create_faithfulness_scorer(model=FakeJudge(reply), context=["c"])])
    summary = result.summary["faithfulness"]
    assert (summary.mean, summary.n, summary.left_out) == (1.0, 4, {"judge_rate_limited": 1, "no_claims": 1})
    failed = result.items[1].scorer_results["faithfulness"]
    assert (failed.score, failed.reason, failed.label, failed.detail) == (None, None, None, "Too many.")


def test_missing_ground_truth_is_left_out_or_counts_as_0_as_asked() -> None:
    data = [{"input": "Q", "ground_truth": "A"}, {"input": "Q"}]
    scorers = [create_context_recall_scorer(model=FakeJudge.always("yes"), context=["c"])]
    excluded = _run(data=data, scorers=scorers)
    assert excluded.scores == {"context_recall": 1.0}
    assert excluded.summary["context_recall"].left_out == {"no_ground_truth": 1}
    assert excluded.items[1].scorer_results["context_recall"].score is None
    zero = _run(data=data, scorers=scorers, missing="zero")
    assert zero.scores == {"context_recall": 0.5}
    assert zero.summary["context_recall"].left_out == {}
    assert zero.items[1].scorer_results["context_recall"].score == 0.0
    assert zero.items[1].scorer_results["context_recall"].code == "no_ground_truth"


def test_nothing_scored_has_no_mean() -> None:
    scorers = [create_context_recall_scorer(model=FakeJudge(), context=["c"])]
    assert _run(data=[{"input": "Q"}], scorers=scorers).scores == {"context_recall": None}


def test_contexts_come_from_the_item_else_from_the_answer() -> None:
    seen: list[Any] = []

    def look(run: RagRun) -> float:
        seen.append(None if run.contexts is None else [document.text for document in run.contexts])
        return 1.0

    data = [{"input": "Q", "context": ["item's"]}, {"input": "Q"}]
    _run(data=data, scorers=[look], target=lambda _given: {"answer": "A", "contexts": ["answer's"]}, concurrency=1)
    _run(data=data[1:], scorers=[look])
    assert seen == [["item's"], ["answer's"], None]


def test_scorers_by_name_use_the_contexts_that_come_with_an_item() -> None:
    judge = FakeJudge.always("yes")
    result = _run(data=[{"input": "Q", "ground_truth": "A", "context": ["c"]}], scorers=["context_recall"], judge=judge)
    assert result.scores == {"context_recall": 1.0}
    assert judge.asks[1].contexts == ("c",)


def test_answers_of_the_data_are_scored_where_there_is_no_target() -> None:
    result = _run(data=[{"input": "Q", "output": "x" * 50}], target=None)
    assert result.scores == {"length": 0.5}


def test_items_are_handed_over_as_they_complete() -> None:
    order: list[int] = []
    first = threading.Event()

    def target(given: str) -> str:
        if given == "Q0":
            first.wait(10)
        return echo(given)

    def complete(item: ItemResult) -> None:
        order.append(item.index)
        if len(order) == len(DATA) - 1:
            first.set()

    result = _run(target=target, on_item_complete=complete, concurrency=2)
    assert order[-1] == 0
    assert sorted(order) == [item.index for item in result.items] == [0, 1, 2, 3, 4, 5]


def test_handover_may_be_async_and_what_it_raises_ends_the_run() -> None:
    seen: list[int] = []

    async def complete(item: ItemResult) -> None:
        await asyncio.sleep(0)
        seen.append(item.index)
        assert item.index < 2, "this item is below the bar"

    with pytest.raises(AssertionError, match="below the bar"):
        _run(on_item_complete=complete, concurrency=1)
    assert seen == [0, 1, 2]


def test_no_more_items_are_at_work_than_asked_for() -> None:
    at_work, most = 0, 0

    async def target(given: str) -> str:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        at_work -= 1
        return echo(given)

    _run(target=target, concurrency=3)
    assert most == 3


def test_evaluations_are_there_for_reports() -> None:
    item = _run(scorers=[create_faithfulness_scorer(model=FakeJudge.always("yes"), context=["c"])]).items[0]
    (evaluation,) = item.evaluations
    assert isinstance(evaluation.outcome, Score)
    assert (evaluation.source, evaluation.judge_model, evaluation.run.query) == ("offline", "fake", "Q0")
    assert len(evaluation.evaluator_version) == 12
    assert evaluation.ended_ns >= evaluation.started_ns > 0


def test_function_scorers_ask_no_judge() -> None:
    assert _run().items[0].evaluations[0].judge_model == "none"


def test_data_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("question,ground_truth\nQ0,A0\n", encoding="utf-8")
    assert _run(data=path).items[0].ground_truth == "A0"
    assert _run(data=str(path)).items[0].row == {"question": "Q0", "ground_truth": "A0"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"data": []}, "`data` is empty"),
        ({"data": {"input": "Q"}}, "`data` must be a list of items or a file's path, not dict"),
        ({"data": 7}, "`data` must be a list of items or a file's path, not int"),
        ({"data": [{"input": "Q"}, {"x": 1}]}, r"data\[1\]: there is no `input`"),
        ({"data": "none.jsonl"}, r"none\.jsonl: cannot be read"),
        ({"scorers": []}, "`scorers` is empty"),
        ({"scorers": ["recal"]}, "Unknown scorer 'recal'"),
        ({"scorers": [length, length]}, "two scorers are called 'length'"),
        ({"target": "agent"}, "`target` must be a function of the input, not str"),
        ({"target": None}, "there is no `target`, and item 0 has no `output`"),
        ({"missing": "skip"}, "`missing` must be 'exclude' or 'zero', not 'skip'"),
        ({"concurrency": 0}, "`concurrency` must be at least 1, not 0"),
    ],
)
def test_bad_argument_is_told_in_one_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        _run(**options)


def test_plain_targets_run_as_many_at_a_time_as_asked_for_and_in_the_callers_context() -> None:
    named: contextvars.ContextVar[str] = contextvars.ContextVar("named")
    named.set("caller")
    together = threading.Barrier(12)

    def target(_given: str) -> str:
        together.wait(10)
        return named.get()

    result = _run(data=[{"input": str(number)} for number in range(12)], target=target, concurrency=12)
    assert {item.output for item in result.items} == {"caller"}

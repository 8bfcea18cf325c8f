"""Every numeric case of the four scorers through ``run`` and through ``evaluate``."""

from __future__ import annotations

import asyncio

import pytest

from spanjudge.model import Counts, Score
from spanjudge.scorers import ScorerError, create_context_precision_scorer
from spanjudge.testing import FakeJudge
from unit.scorers.cases import CASES, REASON, Case, pieces


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_score_is_what_the_definition_says(case: Case) -> None:
    judge = FakeJudge(case.script)
    result = asyncio.run(case.scorer(judge).run(**case.arguments()))
    assert result.score == case.score
    assert result.counts == Counts(*case.counts)
    assert result.skip_reason == case.skip_reason
    assert len(judge.asks) == len(case.script), "neither more nor fewer asks than the script has replies"
    assert result.usage.calls == len(case.script)
    assert (result.reason == REASON) == (REASON in case.script)


def test_precision_of_an_empty_context_is_an_error_and_no_score() -> None:
    judge = FakeJudge()
    scorer = create_context_precision_scorer(model=judge, context_extractor=lambda _input, _output: [])
    with pytest.raises(ScorerError, match="context is empty") as caught:
        asyncio.run(scorer.run(input="q", output="a"))
    assert caught.value.code == "empty_context"
    assert judge.asks == []


def test_precision_without_any_verdict_is_a_failure_and_no_score() -> None:
    judge = FakeJudge([pieces([]), pieces([])])
    scorer = create_context_precision_scorer(model=judge, context=["one"])
    with pytest.raises(ScorerError, match="no readable verdict") as caught:
        asyncio.run(scorer.run(input="q", output="a"))
    assert (caught.value.code, caught.value.failed_step) == ("judge_parse_error", "analyze")


def test_exact_share_is_kept_beside_the_rounded_score() -> None:
    case = next(case for case in CASES if case.id == "recall-10")
    run_context = case.arguments()
    scorer = case.scorer(FakeJudge(case.script))
    from spanjudge.model import RagRun  # noqa: PLC0415 - only here

    run = RagRun(query=run_context["input"], answer=run_context["output"], ground_truth=run_context["ground_truth"])
    outcome = asyncio.run(scorer.evaluate(run))
    assert isinstance(outcome, Score)
    assert (outcome.share, outcome.score, outcome.label) == (2 / 3, 6.67, "fair")


def test_precision_without_any_verdict_is_a_failure_and_not_the_reference_s_zero() -> None:
    # The reference gives 0 to a reply without verdicts. Here a 0 means that something was judged.
    judge = FakeJudge([{"verdicts": []}, {"verdicts": []}])
    scorer = create_context_precision_scorer(model=judge, context=["a", "b"])
    with pytest.raises(ScorerError) as caught:
        scorer.run_sync(input="q", output="a")
    assert caught.value.code == "judge_parse_error"

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel

from spanjudge.errors import InputError
from spanjudge.judge.ask import Ask
from spanjudge.model import Failure, RagRun, Score, Skip, Usage
from spanjudge.scorers import Scorer, ScorerError, StepInput, as_scorer, create_scorer
from spanjudge.scorers.custom import function_scorer
from spanjudge.testing import FakeJudge, rag_run


class Rating(BaseModel):
    score: float


def _evaluate(scorer: Scorer, run: RagRun | None = None, judge: Any = None) -> Any:
    return asyncio.run(scorer.evaluate(run or rag_run(), judge))


def test_four_steps_run_in_order_each_knowing_what_came_before() -> None:
    async def analyze(step: StepInput) -> dict[str, int]:
        await asyncio.sleep(0)
        return {"long": sum(len(word) > 3 for word in step.preprocess_step_result)}

    scorer = create_scorer(
        id="long_words",
        name="Long words",
        description="Share of long words.",
        preprocess=lambda step: step.answer.split(),
        analyze=analyze,
        generate_score=lambda step: step.analyze_step_result["long"] / len(step.preprocess_step_result),
        generate_reason=lambda step: f"{step.analyze_step_result['long']} long words, score {step.score:g}",
    )
    result = asyncio.run(scorer.run(output="an answer of words"))
    assert (result.score, result.reason, result.label) == (0.5, "2 long words, score 0.5", "fair")
    assert result.preprocess_step_result == ["an", "answer", "of", "words"]
    assert result.analyze_step_result == {"long": 2}
    assert result.usage == Usage()


def test_step_that_returns_an_ask_gets_the_judges_answer() -> None:
    judge = FakeJudge([{"score": 4}, {"score": 4}, "It is kind."])
    scorer = create_scorer(
        id="kindness",
        judge=judge,
        scale=5,
        analyze=lambda step: Ask(task="custom", instructions="Rate.", answer=step.answer, answer_model=Rating),
        generate_score=lambda _step: Ask(task="custom", instructions="Rate.", answer_model=Rating),
        generate_reason=lambda _step: Ask(task="custom", instructions="Why?"),
    )
    result = asyncio.run(scorer.run(output="Please."))
    assert (result.score, result.reason, result.analyze_step_result) == (4.0, "It is kind.", {"score": 4.0})
    assert "Please." in str(result.analyze_prompt)
    assert _evaluate(create_scorer(id="k", scale=5, generate_score=lambda _step: 4)).share == 0.8


def test_step_may_ask_by_itself() -> None:
    async def generate_score(step: StepInput) -> float:
        rating = await step.ask(Ask(task="custom", instructions="Rate.", answer_model=Rating))
        assert isinstance(rating, Rating)
        return rating.score

    outcome = _evaluate(create_scorer(id="mine", generate_score=generate_score), judge=FakeJudge([{"score": 0.25}]))
    assert (outcome.score, outcome.usage.calls) == (0.25, 1)


def test_step_that_returns_a_skip_ends_the_run_without_a_score() -> None:
    later: list[str] = []
    scorer = create_scorer(
        id="mine",
        preprocess=lambda _step: Skip(scorer="mine", code="no_claims"),
        analyze=lambda _step: later.append("analyze"),
        generate_score=lambda _step: 1.0,
    )
    assert _evaluate(scorer) == Skip(scorer="mine", code="no_claims")
    assert later == []
    result = asyncio.run(scorer.run(output="x"))
    assert (result.score, result.skip_reason) == (0.0, "no_claims")


def test_needs_are_checked_before_any_step() -> None:
    scorer = create_scorer(id="mine", generate_score=lambda step: float(bool(step.contexts)), needs=["contexts"])
    assert _evaluate(scorer).score == 1.0
    assert _evaluate(scorer, rag_run(documents=None)) == Skip(scorer="mine", code="no_context_captured")
    assert _evaluate(scorer, rag_run(documents=[])) == Skip(scorer="mine", code="empty_context")


def test_contexts_are_none_where_they_were_not_captured_and_nobody_needs_them() -> None:
    seen: list[Any] = []
    scorer = create_scorer(id="mine", generate_score=lambda step: seen.append(step.contexts) or 1.0)
    _evaluate(scorer, rag_run(documents=None))
    _evaluate(scorer, rag_run(documents=[]))
    assert seen == [None, ()]


@pytest.mark.parametrize("given", [1.5, -0.1, float("nan"), float("inf"), "high", None, [0.5], {"a": 1, "b": 2}])
def test_score_that_is_no_number_within_the_scale_is_a_failure(given: Any) -> None:
    outcome = _evaluate(create_scorer(id="mine", generate_score=lambda _step: given))
    assert isinstance(outcome, Failure)
    assert outcome.code == "scorer_error"
    assert outcome.detail.startswith("The score must be")
    assert "high" not in outcome.detail


def test_reason_step_that_raises_keeps_the_score_and_says_so() -> None:
    scorer = create_scorer(id="mine", generate_score=lambda _step: 1, generate_reason=lambda _step: 1 / 0)
    outcome = _evaluate(scorer)
    assert (outcome.score, outcome.reason) == (1.0, "The step that gives the reason failed: ZeroDivisionError.")
    silent = create_scorer(id="mine", generate_score=lambda _step: 1, generate_reason=lambda _step: None)
    assert _evaluate(silent).reason is None


def test_static_context_and_extractor_of_ones_own_are_used() -> None:
    fixed = create_scorer(id="mine", generate_score=lambda step: float(step.contexts == ("c",)), context=["c"])
    assert _evaluate(fixed).score == 1.0
    found = create_scorer(
        id="mine",
        generate_score=lambda step: float(step.contexts == ("e",)),
        context_extractor=lambda _input, _output: ["e"],
    )
    assert _evaluate(found).score == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"id": ""}, "`id` must be of letters"),
        ({"id": "two words"}, "`id` must be of letters"),
        ({"id": "x" * 101}, "at most 100"),
        ({"judge": FakeJudge(), "model": FakeJudge()}, "two names for the same"),
        ({"needs": ["answer", "luck"]}, "unknown need 'luck'"),
        ({"scale": 0}, "`scale` must be a number above 0"),
    ],
)
def test_bad_argument_is_told_in_one_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        create_scorer(**{"id": "mine", "generate_score": lambda _step: 1, **options})


def test_step_that_is_no_function_is_told_so() -> None:
    with pytest.raises(TypeError, match="mine: `analyze` must be a function, not str"):
        create_scorer(id="mine", generate_score=lambda _step: 1, analyze="prompt")  # type: ignore[arg-type]


# --- one function


def brevity(run: RagRun) -> float:
    """Short is good.

    And nothing else.
    """
    return 1.0 if len(run.answer or "") < 100 else 0.0


def test_function_of_the_run_is_a_scorer_by_its_name() -> None:
    scorer = function_scorer(brevity)
    assert (scorer.id, scorer.description) == ("brevity", "Short is good.")
    assert _evaluate(scorer).score == 1.0


def test_function_may_give_a_reason_an_outcome_or_be_async() -> None:
    async def scorer(_run: RagRun) -> Any:
        await asyncio.sleep(0)
        return given

    given: Any = (0.5, "half of it")
    assert (_evaluate(function_scorer(scorer)).score, _evaluate(function_scorer(scorer)).reason) == (0.5, "half of it")
    given = True
    assert _evaluate(function_scorer(scorer)).score == 1.0
    given = Score(scorer="other", share=0.5, score=0.5, label="fair", reason="r")
    assert _evaluate(function_scorer(scorer)) == Score(scorer="scorer", share=0.5, score=0.5, label="fair", reason="r")
    given = Skip(scorer="other", code="no_claims")
    assert _evaluate(function_scorer(scorer)) == Skip(scorer="scorer", code="no_claims")
    given = Failure(scorer="other", code="judge_timeout", detail="Slow.", usage=Usage(calls=2))
    assert _evaluate(function_scorer(scorer)) == Failure(
        scorer="scorer", code="judge_timeout", detail="Slow.", usage=Usage(calls=2)
    )
    given = Score(scorer="other", share=7.0, score=7.0, label="excellent")
    assert isinstance(_evaluate(function_scorer(scorer)), Failure)


def test_function_that_raises_is_a_failure_that_names_the_place() -> None:
    def broken(run: RagRun) -> float:
        raise ValueError(run.answer)

    outcome = _evaluate(as_scorer(broken))
    assert outcome.detail.startswith("The generate_score step raised ValueError at test_custom.py:")
    assert "Paris" not in outcome.detail
    with pytest.raises(ScorerError, match="broken: The generate_score step raised ValueError"):
        asyncio.run(as_scorer(broken).run(output="x"))


def test_function_needs_no_judge_and_its_version_does_not_depend_on_one() -> None:
    scorer = function_scorer(brevity)
    assert scorer.version(FakeJudge()) == scorer.version(FakeJudge(model="other")) == scorer.version()


def test_version_follows_the_source_unless_it_is_named() -> None:
    one = create_scorer(id="mine", generate_score=lambda _step: 1)
    two = create_scorer(id="mine", generate_score=lambda _step: 0)
    assert one.version(FakeJudge()) != two.version(FakeJudge())
    named = [create_scorer(id="mine", generate_score=step, version="1") for step in (lambda _step: 1, lambda _step: 0)]
    assert named[0].version(FakeJudge()) == named[1].version(FakeJudge())


def test_callable_without_source_still_has_a_version() -> None:
    class Callable:
        def __call__(self, run: RagRun) -> float:
            return float(run.complete)

    assert _evaluate(as_scorer(Callable())).score == 1.0
    assert len(as_scorer(Callable()).version()) == 12


def test_lambda_has_no_name_to_go_by() -> None:
    with pytest.raises(InputError, match="needs a name of its own, not '<lambda>'"):
        as_scorer(lambda _run: 1.0)

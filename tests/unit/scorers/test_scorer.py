from __future__ import annotations

import asyncio
import dataclasses
import threading
from typing import Any, get_args

import pytest

from spanjudge.judge.ask import Ask, JudgeError
from spanjudge.model import Counts, Failure, RagRun, Score, Skip, Usage
from spanjudge.scorers import (
    DEFAULT_SCORERS,
    ScorerError,
    ScorerResult,
    as_scorer,
    create_answer_relevancy_scorer,
    create_context_precision_scorer,
    create_context_recall_scorer,
    create_faithfulness_scorer,
)
from spanjudge.semconv import BLOCKING_CODES, FailureCode
from spanjudge.testing import FakeJudge, rag_run

CALL: dict[str, Any] = {"input": "Why?", "output": "Because.", "ground_truth": "So.", "context": ["c"]}
PAID = Usage(calls=1, input_tokens=100, cached_input_tokens=10, output_tokens=20, cost=0.25)
NAMES = list(DEFAULT_SCORERS)


def _recall(judge: FakeJudge, **options: Any) -> Any:
    return create_context_recall_scorer(model=judge, context=["c"], **options)


def test_result_has_exactly_the_fields_that_callers_rely_on() -> None:
    assert [field.name for field in dataclasses.fields(ScorerResult)] == [
        "run_id",
        "score",
        "reason",
        "preprocess_step_result",
        "preprocess_prompt",
        "analyze_step_result",
        "analyze_prompt",
        "generate_reason_prompt",
        "counts",
        "label",
        "version",
        "usage",
        "cost",
        "skip_reason",
    ]


def test_step_results_have_the_shapes_of_the_reference() -> None:
    shapes = {}
    for name in NAMES:
        result = asyncio.run(as_scorer(name, model=FakeJudge.always("yes")).run(**CALL))
        shapes[name] = (result.preprocess_step_result, result.analyze_step_result)
    verdict = {"verdict": "yes", "reason": "scripted"}
    assert shapes == {
        "context_recall": ({"claims": ["So."]}, {"verdicts": [verdict]}),
        "context_precision": (None, {"verdicts": [{"context_index": 0, **verdict}]}),
        "answer_relevancy": ({"statements": ["Because."]}, {"results": [{"result": "yes", "reason": "scripted"}]}),
        "faithfulness": (["Because."], {"verdicts": [verdict]}),
    }


def test_prompts_are_those_that_the_judge_was_sent() -> None:
    result = asyncio.run(_recall(FakeJudge.always("yes")).run(**CALL))
    assert "So." in str(result.preprocess_prompt)
    assert "[0] c" in str(result.analyze_prompt)
    assert "1 of 1" in str(result.generate_reason_prompt)
    silent = asyncio.run(_recall(FakeJudge.always("yes"), include_reason=False).run(**CALL))
    assert silent.generate_reason_prompt is None


def test_run_id_is_the_callers_or_random() -> None:
    scorer = _recall(FakeJudge.always("yes"))
    assert asyncio.run(scorer.run(**CALL, run_id="mine")).run_id == "mine"
    assert asyncio.run(scorer.run(**CALL)).run_id != asyncio.run(scorer.run(**CALL)).run_id


def test_recall_looks_neither_at_the_question_nor_at_the_answer() -> None:
    judge = FakeJudge.always("yes")
    asyncio.run(_recall(judge).run(input="QUESTION", output="ANSWER", ground_truth="So."))
    assert all(ask.answer is None for ask in judge.asks)
    assert all(ask.question is None for ask in judge.asks[:2])


def test_relevancy_gets_no_context_and_faithfulness_no_reference() -> None:
    judge = FakeJudge.always("yes")
    for name in ("answer_relevancy", "faithfulness"):
        asyncio.run(as_scorer(name, model=judge).run(**CALL))
    assert [len(ask.contexts) for ask in judge.asks] == [0, 0, 0, 0, 1, 0]
    assert all(ask.reference is None for ask in judge.asks)


def test_instructions_keep_verdict_words_english_and_reasons_in_the_datas_language() -> None:
    judge = FakeJudge.always("yes")
    for name in NAMES:
        asyncio.run(as_scorer(name, model=judge).run(**CALL))
    rating = [ask for ask in judge.asks if ask.vocabulary]
    assert len(rating) == 4
    for ask in rating:
        assert "English" in ask.instructions
        assert "in\nthe language of" in ask.instructions or "in the language of" in ask.instructions
    assert "true does not matter" in next(ask.instructions for ask in rating if ask.task == "rate_relevancy")


# --- cost


def test_usage_of_all_calls_is_summed() -> None:
    result = asyncio.run(_recall(FakeJudge.always("yes", usage=PAID)).run(**CALL))
    assert result.usage == Usage(3, 300, 30, 60, 0.75)
    assert result.cost == 0.75


def test_unknown_cost_is_none_and_never_0() -> None:
    judge = FakeJudge.always("yes", usage=dataclasses.replace(PAID, cost=None))
    assert asyncio.run(_recall(judge).run(**CALL)).cost is None


def test_failure_and_skip_tell_what_they_cost() -> None:
    failing = FakeJudge([{"claims": ["a"]}, JudgeError("judge_timeout", "Too slow.", PAID)], usage=PAID)
    failure = asyncio.run(as_scorer("context_recall").evaluate(rag_run(ground_truth="So."), failing))
    assert isinstance(failure, Failure)
    assert failure.usage == PAID + PAID
    skip = asyncio.run(
        as_scorer("context_recall").evaluate(rag_run(ground_truth="!"), FakeJudge([{"claims": []}], usage=PAID))
    )
    assert skip == Skip(scorer="context_recall", code="no_claims", usage=PAID)


# --- what is missing


@pytest.mark.parametrize(
    ("name", "run", "code"),
    [
        ("context_recall", rag_run(), "no_ground_truth"),
        ("context_recall", rag_run(ground_truth=" "), "no_ground_truth"),
        ("context_recall", rag_run(documents=None, ground_truth="So."), "no_context_captured"),
        ("context_recall", rag_run(documents=None), "no_context_captured"),
        ("context_recall", rag_run(documents=[]), "no_ground_truth"),
        ("context_precision", rag_run(question=None, answer=None), "no_query"),
        ("context_precision", rag_run(answer=""), "no_answer"),
        ("context_precision", rag_run(documents=None), "no_context_captured"),
        ("answer_relevancy", rag_run(question=" "), "no_query"),
        ("answer_relevancy", rag_run(answer=None), "no_answer"),
        ("faithfulness", rag_run(answer=None, documents=None), "no_answer"),
        ("faithfulness", rag_run(documents=None), "no_context_captured"),
    ],
)
def test_run_without_what_a_scorer_needs_is_its_skip_and_costs_nothing(name: str, run: RagRun, code: Any) -> None:
    judge = FakeJudge()
    assert asyncio.run(as_scorer(name).evaluate(run, judge)) == Skip(scorer=name, code=code)
    assert judge.asks == []


def test_what_a_scorer_does_not_need_may_be_missing() -> None:
    needs = {
        "context_recall": rag_run(question=None, answer=None, ground_truth="So."),
        "context_precision": rag_run(),
        "answer_relevancy": rag_run(documents=None),
        "faithfulness": rag_run(question=None),
    }
    for name, run in needs.items():
        assert isinstance(asyncio.run(as_scorer(name).evaluate(run, FakeJudge.always("yes"))), Score), name


@pytest.mark.parametrize("code", sorted(BLOCKING_CODES))
def test_run_that_is_cut_or_errored_is_never_judged(code: Any) -> None:
    judge = FakeJudge()
    outcome = asyncio.run(as_scorer("faithfulness").evaluate(rag_run(skip_reason=code), judge))
    assert outcome == Skip(scorer="faithfulness", code=code)
    assert judge.asks == []


def test_ground_truth_that_is_missing_can_count_as_0_on_request() -> None:
    outcome = asyncio.run(as_scorer("context_recall").evaluate(rag_run(), FakeJudge(), missing_ground_truth="zero"))
    assert isinstance(outcome, Score)
    assert (outcome.score, outcome.label, outcome.counts) == (0.0, "none", Counts())
    other = asyncio.run(
        as_scorer("answer_relevancy").evaluate(rag_run(answer=None), FakeJudge(), missing_ground_truth="zero")
    )
    assert other == Skip(scorer="answer_relevancy", code="no_answer")


@pytest.mark.parametrize("factory", [create_answer_relevancy_scorer, create_context_precision_scorer])
def test_call_without_a_question_says_what_to_pass(factory: Any) -> None:
    options = {} if factory is create_answer_relevancy_scorer else {"context": ["c"]}
    with pytest.raises(
        ScorerError, match=r"cannot score this call: There is no question\. Pass the question as `input`"
    ):
        asyncio.run(factory(model=FakeJudge(), **options).run(output="Because."))


# --- failures


@pytest.mark.parametrize("code", get_args(FailureCode))
@pytest.mark.parametrize("name", NAMES)
def test_judge_that_fails_is_a_failure_with_its_code_and_never_a_score(name: str, code: Any) -> None:
    judge = FakeJudge(lambda _ask: JudgeError(code, "The judge is unwell."))
    outcome = asyncio.run(as_scorer(name).evaluate(rag_run(ground_truth="So."), judge))
    assert outcome == Failure(scorer=name, code=code, detail="The judge is unwell.")


def test_error_of_run_names_the_step_and_keeps_what_the_others_gave() -> None:
    judge = FakeJudge([{"claims": ["a"]}, JudgeError("judge_content_filter", "Blocked.")])
    with pytest.raises(ScorerError, match=r"context_recall: Blocked\. \(judge_content_filter\)") as caught:
        asyncio.run(_recall(judge).run(**CALL, run_id="mine"))
    error = caught.value
    assert (error.code, error.failed_step) == ("judge_content_filter", "analyze")
    assert error.result["preprocess_step_result"] == {"claims": ["a"]}
    assert error.result["run_id"] == "mine"
    assert error.result["usage"].calls == 1
    assert isinstance(error.__cause__, JudgeError)


def test_reply_of_another_shape_is_a_parse_error() -> None:
    outcome = asyncio.run(
        as_scorer("context_recall").evaluate(rag_run(ground_truth="So."), FakeJudge([{"statements": ["a"]}]))
    )
    assert isinstance(outcome, Failure)
    assert outcome.code == "judge_parse_error"


def test_judge_that_is_broken_itself_is_a_scorer_error_that_quotes_nothing() -> None:
    outcome = asyncio.run(as_scorer("faithfulness").evaluate(rag_run(), FakeJudge([RuntimeError("secret content")])))
    assert isinstance(outcome, Failure)
    assert outcome.code == "scorer_error"
    assert outcome.detail.startswith("The preprocess step raised RuntimeError at fake_judge.py:")
    assert "secret" not in outcome.detail


def test_cancellation_passes_through() -> None:
    async def cancelled() -> None:
        waiting = asyncio.Event()

        async def hang(_ask: Ask) -> str:
            waiting.set()
            await asyncio.Event().wait()
            return ""

        task = asyncio.ensure_future(as_scorer("faithfulness").evaluate(rag_run(), FakeJudge(hang)))
        await waiting.wait()
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())


# --- reason


@pytest.mark.parametrize(
    ("trouble", "noted"),
    [(JudgeError("judge_timeout", "Too slow."), "judge_timeout"), (OSError("x"), "OSError"), (" ", "it was empty")],
)
def test_reason_that_fails_keeps_the_score_and_is_composed_and_noted(trouble: Any, noted: str) -> None:
    judge = FakeJudge([{"claims": ["a", "b"]}, {"verdicts": ["yes", "no"]}, trouble], usage=PAID)
    result = asyncio.run(_recall(judge).run(**CALL))
    assert result.score == 0.5
    assert result.reason is not None
    assert result.reason.startswith("1 of 2 claims of the ground truth are supported by the retrieved context.")
    assert result.reason.endswith(f"(Composed from the verdicts, because the judge gave no reason: {noted}.)")


def test_reason_can_be_had_without_asking_for_it() -> None:
    judge = FakeJudge([{"claims": ["a", "b"]}, {"verdicts": [{"verdict": "no", "reason": "not in [0]"}, "yes"]}])
    result = asyncio.run(_recall(judge, include_reason=False).run(**CALL))
    assert result.reason == (
        "1 of 2 claims of the ground truth are supported by the retrieved context. "
        "Missing: “a” (not in [0]). Found: “b”."
    )


def test_wrapped_reason_is_unwrapped() -> None:
    judge = FakeJudge([{"claims": ["a"]}, {"verdicts": ["yes"]}, {"reason": "It is there."}])
    assert asyncio.run(_recall(judge).run(**CALL)).reason == "It is there."


# --- judge and version


def test_own_judge_is_asked_where_none_is_given_and_the_given_one_otherwise() -> None:
    own, other = FakeJudge.always("yes"), FakeJudge.always("no")
    scorer = create_faithfulness_scorer(model=own)
    assert scorer.judge is own
    asyncio.run(scorer.evaluate(rag_run()))
    assert (len(own.asks), len(other.asks)) == (3, 0)
    asyncio.run(scorer.evaluate(rag_run(), other))
    assert (len(own.asks), len(other.asks)) == (3, 3)


def test_scorer_by_name_has_no_judge_of_its_own_and_falls_back_to_the_embedded_one() -> None:
    scorer = as_scorer("faithfulness")
    assert scorer.judge is None
    assert scorer.judge_or().model == "embedded"


def test_model_name_becomes_one_judge() -> None:
    scorer = create_faithfulness_scorer(model="embedded")
    assert scorer.judge is not None
    assert scorer.judge is scorer.judge
    assert scorer.judge.model == "embedded"


def test_version_tells_scorers_options_and_judges_apart() -> None:
    judge = FakeJudge()
    versions = [
        *(as_scorer(name).version(judge) for name in NAMES),
        create_answer_relevancy_scorer(model=None, uncertainty_weight=0.5).version(judge),
        create_context_precision_scorer(model=None, context=["c"], expected="ground_truth").version(judge),
        as_scorer("faithfulness").version(FakeJudge(model="other")),
    ]
    assert len(set(versions)) == len(versions)
    assert all(len(version) == 12 and int(version, 16) >= 0 for version in versions)


def test_version_is_the_same_for_the_same_scorer_whatever_its_contexts() -> None:
    judge = FakeJudge()
    named = as_scorer("context_recall").version(judge)
    assert _recall(judge).version() == named == as_scorer("context_recall", model=judge).version()


def test_result_carries_the_version() -> None:
    scorer = _recall(FakeJudge.always("yes"))
    assert asyncio.run(scorer.run(**CALL)).version == scorer.version()


# --- run_sync


def test_run_sync_gives_what_run_gives() -> None:
    scorer = _recall(FakeJudge.always("yes"))
    assert scorer.run_sync(**CALL, run_id="x") == asyncio.run(scorer.run(**CALL, run_id="x"))


def test_run_sync_works_where_an_event_loop_is_running() -> None:
    async def inside() -> float:
        return _recall(FakeJudge.always("yes")).run_sync(**CALL).score

    assert asyncio.run(inside()) == 1.0


def test_run_sync_raises_as_run_does_and_leaves_no_thread() -> None:
    before = threading.active_count()
    with pytest.raises(ScorerError, match="Too slow"):
        _recall(FakeJudge([JudgeError("judge_timeout", "Too slow.")])).run_sync(**CALL)
    assert threading.active_count() == before


def test_runs_of_one_scorer_do_not_mix() -> None:
    def reply(ask: Ask) -> Any:
        text = ask.reference or ""
        if ask.task == "extract_claims":
            return {"claims": [text]}
        return {"verdicts": ["yes" if ask.items == ("good",) else "no"]} if ask.task == "attribute" else "why"

    async def many() -> list[float]:
        scorer = _recall(FakeJudge(reply))
        truths = ["good", "bad"] * 20
        results = await asyncio.gather(*(scorer.run(**{**CALL, "ground_truth": truth}) for truth in truths))
        return [result.score for result in results]

    assert asyncio.run(many()) == [1.0, 0.0] * 20

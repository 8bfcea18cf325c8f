"""The steps read off a trail, one trail for each place where a trace may be lost."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import pytest
from opentelemetry.trace import INVALID_SPAN_CONTEXT, SpanContext

from spanjudge import semconv
from spanjudge.doctor.follow import Trail
from spanjudge.doctor.otlp import Emitted
from spanjudge.doctor.step import Step
from spanjudge.doctor.way import Way
from spanjudge.model import Document, Evaluation, Failure, GoldenMatch, Outcome, RagRun, Score, Skip
from spanjudge.settings import Settings

CONTEXT: Final = SpanContext(trace_id=7, span_id=8, is_remote=False)
TAKEN: Final = {semconv.METRIC_TRACES: {(semconv.DECISION, "taken"): 1}}
SCORE: Final = Score(scorer="faithfulness", share=1.0, score=1.0, label="excellent")
FOUND: Final = GoldenMatch(question="hash", closeness=1.0)


class _Span:
    attributes: Final = {semconv.DOCTOR_MARK: True}
    parent = None


def _decided(decision: str, code: str | None = None) -> dict[str, Any]:
    labels = {semconv.DECISION: decision, **({semconv.REASON_CODE: code} if code else {})}
    return {**TAKEN, semconv.METRIC_RUNS: labels}


def _last(
    outcomes: tuple[Outcome, ...] = (),
    points: dict[str, Any] | None = None,
    *,
    in_time: bool = True,
    golden: GoldenMatch | None = None,
    wanted: bool = False,
    skip_reason: Any = None,
    context: SpanContext = CONTEXT,
    **settings: Any,
) -> Step:
    run = RagRun(query="q", answer="a", contexts=(Document("t"),), golden=golden, skip_reason=skip_reason)
    given = points if points is not None else _decided("sampled")
    counted = {
        name: Counter({tuple(sorted(labels.items())) if isinstance(labels, dict) else (): 1})
        for name, labels in given.items()
        if name != semconv.METRIC_TRACES
    }
    if semconv.METRIC_TRACES in given:
        counted[semconv.METRIC_TRACES] = Counter({((semconv.DECISION, "taken"),): 1})
    spans: Any = [_Span()] if context.is_valid else []
    evaluations = tuple(
        Evaluation(run=run, outcome=outcome, evaluator_version="1", judge_model="m") for outcome in outcomes
    )
    trail = Trail(context, Emitted(spans, (), None), evaluations, in_time, 9.0, counted)
    *before, last = Way(trail, Settings(**settings), golden=wanted).steps()
    assert all(step.state != "lost" for step in before)
    assert last.state == "lost"
    return last


def test_nothing_recorded() -> None:
    step = _last(points={}, context=INVALID_SPAN_CONTEXT)
    assert (step.name, step.facts["trace_id"]) == ("recorded", None)


def test_no_run_put_together_is_told_apart_from_one_that_took_too_long() -> None:
    over, slow = _last(points=TAKEN), _last(points=TAKEN, in_time=False)
    assert (over.name, slow.name) == ("assembled", "assembled")
    assert "were not put together" in over.said
    assert "within 9 s" in slow.said


@pytest.mark.parametrize("code", semconv.DROP_CODES)
def test_dropped_run_tells_its_code(code: str) -> None:
    step = _last(points=_decided("dropped", code))
    assert step.name == "assembled"
    assert f"({code})" in step.said


@pytest.mark.parametrize("code", sorted(semconv.BLOCKING_CODES))
def test_run_that_is_of_no_use_tells_its_code(code: str) -> None:
    step = _last(points=_decided("incomplete", code))
    assert (step.name, step.facts["code"]) == ("complete", code)


def test_run_that_some_scorer_could_use_is_lost_all_the_same_where_it_is_not_complete() -> None:
    step = _last((SCORE,), skip_reason="no_context_captured")
    assert (step.name, step.facts["code"]) == ("complete", "no_context_captured")


def test_run_that_no_scorer_takes_is_lost_at_sampled() -> None:
    assert _last(points=_decided("not_sampled")).name == "sampled"


def test_reference_that_is_not_found_is_lost_where_there_must_be_one() -> None:
    assert _last((SCORE,), wanted=True).name == "reference"
    assert _last((SCORE,), wanted=True, golden=FOUND).name == "span"


def test_one_failed_scorer_loses_the_trace() -> None:
    failure = Failure(scorer="context_recall", code="judge_timeout", detail="No score within 3 s.")
    step = _last((SCORE, failure))
    assert step.said == "1 of 2 scorers failed, context_recall with judge_timeout (No score within 3 s)"


def test_skip_of_all_scorers_loses_the_trace_and_of_some_does_not() -> None:
    skip = Skip(scorer="mine", code="no_claims")
    assert _last((skip,)).name == "judged"
    assert _last((SCORE, skip)).name == "span"


def test_judging_that_takes_too_long_is_lost_at_judged() -> None:
    step = _last((SCORE,), in_time=False)
    assert (step.name, step.do) == ("judged", "raise judge_timeout_s and run_timeout_s, or choose a faster model")


def test_score_that_does_not_come_out_as_a_span_is_named() -> None:
    assert _last((SCORE,)).said == "there is no evaluation span of faithfulness"

"""From an assembled run to its outcomes: each candidate judged once, or accounted for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from spanjudge.golden import GoldenSet, reference_lookup
from spanjudge.guard import Guard
from spanjudge.ledger import Ledger
from spanjudge.model import Document, Evaluation, Failure, RagRun, Score, Skip, TargetSpan
from spanjudge.pipeline import Assignment, Pipeline, Plan
from spanjudge.sampling import taken
from spanjudge.scorers import as_scorer
from spanjudge.scorers.scorer import Scorer
from spanjudge.sinks import Sink
from spanjudge.testing import FakeJudge, ManualClock, RecordingSink

RUN = RagRun(
    query="How long does the warranty last?",
    contexts=(Document("The warranty lasts 24 months.", id="kb-1"),),
    answer="It lasts 24 months.",
    target=TargetSpan(trace_id="0" * 31 + "1", span_id="0" * 15 + "1", name="support"),
)


def _run(number: int) -> RagRun:
    return replace(RUN, target=TargetSpan(trace_id=f"{number * 0x9E3779B97F4A7C15:032x}", span_id=f"{number:016x}"))


class Bench:
    """A pipeline with all that it is given."""

    def __init__(
        self,
        *,
        scorers: tuple[Scorer, ...] = (as_scorer("faithfulness"),),
        judge: FakeJudge | None = None,
        rates: dict[str, float] | None = None,
        sinks: tuple[Sink, ...] = (),
        **plan: object,
    ) -> None:
        self.judge = judge or FakeJudge.always("yes")
        self.sink = RecordingSink()
        self.ledger = Ledger()
        self.guard = Guard(lambda: 0.0)
        assignments = tuple(
            Assignment(scorer, self.judge, (rates or {}).get(scorer.id, 1.0), scorer.version(self.judge))
            for scorer in scorers
        )
        self.plan = Plan(assignments=assignments, sinks=(*sinks, self.sink), **plan)  # type: ignore[arg-type]

    def go(self, *runs: RagRun, then: Callable[[Pipeline], Awaitable[None]] | None = None) -> list[Evaluation]:
        """Accept the runs, judge them all, and return the evaluations."""

        async def scenario() -> None:
            pipeline = Pipeline(self.plan, self.ledger, self.guard, ManualClock())
            for run in runs:
                pipeline.accept(run)
            serving = asyncio.ensure_future(pipeline.serve())
            await (then(pipeline) if then else pipeline.idle())
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)

        asyncio.run(scenario())
        return self.sink.evaluations


def test_run_becomes_one_evaluation_per_scorer_with_version_and_judge() -> None:
    bench = Bench(scorers=(as_scorer("faithfulness"), as_scorer("answer_relevancy")))
    evaluations = bench.go(RUN)
    assert sorted(item.outcome.scorer for item in evaluations) == ["answer_relevancy", "faithfulness"]
    for item in evaluations:
        assert isinstance(item.outcome, Score)
        assert (item.judge_model, item.source, item.inclusion_probability) == ("fake", "live", 1.0)
        assert len(item.evaluator_version) == 12
    assert bench.ledger.runs == {("sampled", None): 1}


@pytest.mark.parametrize("code", ["source_error", "truncated", "redacted", "attributes_dropped", "no_content_captured"])
def test_run_that_no_scorer_can_use_is_incomplete_and_no_candidate(code: str) -> None:
    bench = Bench()
    assert bench.go(replace(RUN, skip_reason=code)) == []  # type: ignore[arg-type]
    assert bench.ledger.runs == {("incomplete", code): 1}
    assert bench.ledger.scorers == {}


def test_missing_part_is_the_skip_of_the_scorer_that_needs_it() -> None:
    bench = Bench(scorers=(as_scorer("context_recall"), as_scorer("faithfulness")))
    outcomes = {item.outcome.scorer: item.outcome for item in bench.go(RUN)}
    assert outcomes["context_recall"] == Skip(scorer="context_recall", code="no_ground_truth")
    assert isinstance(outcomes["faithfulness"], Score)


def test_reference_is_found_in_the_golden_set() -> None:
    golden = GoldenSet({"how long does the WARRANTY last?": "The warranty lasts 24 months."})
    (evaluation,) = Bench(scorers=(as_scorer("context_recall"),), lookup=golden).go(RUN)
    assert isinstance(evaluation.outcome, Score)
    assert evaluation.run.ground_truth == "The warranty lasts 24 months."


def test_reference_on_the_span_wins_over_the_golden_set() -> None:
    (evaluation,) = Bench(lookup=reference_lookup(lambda _: "golden")).go(replace(RUN, ground_truth="on the span"))
    assert evaluation.run.ground_truth == "on the span"


def test_lookup_that_raises_costs_the_reference_alone() -> None:
    def lookup(_: str) -> str:
        message = "the database is down"
        raise OSError(message)

    bench = Bench(lookup=reference_lookup(lookup))
    (evaluation,) = bench.go(RUN)
    assert isinstance(evaluation.outcome, Score)
    assert bench.guard.counts == {"ground truth": 1}


def test_scorers_sample_nested_and_their_rate_is_the_inclusion_probability() -> None:
    rates = {"faithfulness": 0.2, "answer_relevancy": 0.6}
    bench = Bench(scorers=(as_scorer("faithfulness"), as_scorer("answer_relevancy")), rates=rates)
    evaluations = bench.go(*(_run(number) for number in range(1, 101)))
    by_scorer: dict[str, set[str]] = {"faithfulness": set(), "answer_relevancy": set()}
    for item in evaluations:
        by_scorer[item.outcome.scorer].add(item.run.run_id)
        assert item.inclusion_probability == rates[item.outcome.scorer]
    assert by_scorer["faithfulness"] < by_scorer["answer_relevancy"]
    expected = sum(taken(number * 0x9E3779B97F4A7C15, 0.6) for number in range(1, 101))
    assert len(by_scorer["answer_relevancy"]) == expected
    assert bench.ledger.runs == {("sampled", None): expected, ("not_sampled", None): 100 - expected}


def test_head_sampling_enters_the_inclusion_probability() -> None:
    target = TargetSpan(trace_id="0" * 31 + "1", span_id="0" * 15 + "1", trace_state="ot=th:c")
    (evaluation,) = Bench().go(replace(RUN, target=target))
    assert evaluation.inclusion_probability == 0.25


def test_queue_that_is_full_leaves_whole_runs_out_and_counts_them() -> None:
    bench = Bench(queue_size=3)
    evaluations = bench.go(*(_run(number) for number in range(1, 6)))
    assert len(evaluations) == 3
    assert bench.ledger.runs == {("sampled", None): 3, ("dropped", "queue_full"): 2}


def test_judge_that_hangs_is_a_failure_within_the_limit() -> None:
    async def forever(_: object) -> str:
        await asyncio.Event().wait()
        return ""

    (evaluation,) = Bench(judge=FakeJudge(forever), run_timeout_s=0).go(RUN)
    assert isinstance(evaluation.outcome, Failure)
    assert evaluation.outcome.code == "judge_timeout"


def test_function_that_raises_is_a_failure_without_the_runs_content() -> None:
    def strict(run: RagRun) -> float:
        raise KeyError(run.answer)

    bench = Bench(scorers=(as_scorer(strict),))
    (evaluation,) = bench.go(RUN)
    assert isinstance(evaluation.outcome, Failure)
    assert evaluation.outcome.code == "scorer_error"
    assert "24 months" not in evaluation.outcome.detail


@pytest.mark.parametrize("error", [asyncio.CancelledError, SystemExit, KeyboardInterrupt, MemoryError, StopIteration])
def test_whatever_a_scorer_raises_is_its_failure_and_the_others_go_on(error: type[BaseException]) -> None:
    def rude(run: RagRun) -> float:
        del run
        raise error

    bench = Bench(scorers=(as_scorer(rude), as_scorer("faithfulness")), concurrency=1)
    outcomes = [item.outcome for item in bench.go(_run(1), _run(2))]
    assert [type(outcome) for outcome in outcomes if outcome.scorer == "rude"] == [Failure, Failure]
    assert [type(outcome) for outcome in outcomes if outcome.scorer == "faithfulness"] == [Score, Score]
    assert set(bench.ledger.pending().values()) == {0}


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, asyncio.CancelledError])
def test_whatever_a_sink_raises_the_others_hear(error: type[BaseException]) -> None:
    class Rude:
        def emit(self, evaluation: Evaluation, /) -> None:
            raise error(evaluation.judge_model)

    assert len(Bench(sinks=(Rude(),)).go(RUN)) == 1


def test_sink_that_raises_does_not_keep_the_others_from_hearing() -> None:
    class Broken:
        def emit(self, evaluation: Evaluation, /) -> None:
            raise OSError(evaluation.judge_model)

    bench = Bench(sinks=(Broken(),))
    assert len(bench.go(RUN)) == 1
    assert bench.guard.counts == {"sink Broken": 1}


def test_abandoned_candidates_are_dropped_and_a_late_outcome_is_not_counted_twice() -> None:
    asked, release = asyncio.Event(), asyncio.Event()

    async def slow(_: object) -> dict[str, object]:
        asked.set()
        await release.wait()
        return {"claims": ["a"]}

    bench = Bench(judge=FakeJudge(slow), queue_size=5, concurrency=1)

    async def abandon(pipeline: Pipeline) -> None:
        await asked.wait()
        assert pipeline.abandon("shutdown") == 3
        release.set()
        for _ in range(20):
            await asyncio.sleep(0)

    assert bench.go(*(_run(number) for number in range(1, 4)), then=abandon) == []
    tally = bench.ledger.scorers["faithfulness"]
    assert (tally.candidates, tally.outcomes["dropped"], tally.codes["shutdown"], tally.pending) == (3, 3, 3, 0)


def test_spoiled_run_is_counted_under_its_code() -> None:
    class Spoiled:
        code = "trace_spoiled"

    bench = Bench()
    bench.go(Spoiled())  # type: ignore[arg-type]
    assert bench.ledger.runs == {("dropped", "trace_spoiled"): 1}


def _resolving(texts: dict[str, str]) -> Callable[[list[str]], dict[str, str]]:
    return lambda ids: {each: texts[each] for each in ids if each in texts}


BARE = replace(RUN, contexts=(Document(None, id="kb-1"), Document(None, id="kb-2")), skip_reason="context_text_missing")


def test_texts_are_resolved_before_the_run_is_judged() -> None:
    texts = {"kb-1": "The warranty lasts 24 months.", "kb-2": "Returns take 30 days."}
    (evaluation,) = Bench(resolve_documents=_resolving(texts)).go(BARE)
    assert isinstance(evaluation.outcome, Score)
    assert [each.text for each in evaluation.run.contexts or ()] == list(texts.values())


@pytest.mark.parametrize("texts", [{}, {"kb-1": "The warranty lasts 24 months."}])
def test_text_that_stays_missing_is_the_skip_of_the_scorer_that_needs_it(texts: dict[str, str]) -> None:
    bench = Bench(
        scorers=(as_scorer("faithfulness"), as_scorer("answer_relevancy")), resolve_documents=_resolving(texts)
    )
    outcomes = {item.outcome.scorer: item.outcome for item in bench.go(BARE)}
    assert outcomes["faithfulness"] == Skip(scorer="faithfulness", code="context_text_missing")
    assert isinstance(outcomes["answer_relevancy"], Score)
    assert bench.guard.counts == {"resolve_documents": 1}


GOLDEN = {RUN.query or "": "The warranty lasts 24 months."}
RATES = {"faithfulness": 0.2, "answer_relevancy": 0.5}
BOTH = (as_scorer("faithfulness"), as_scorer("answer_relevancy"))


def _asking(number: int, question: str | None = RUN.query) -> RagRun:
    return replace(_run(number), query=question)


def test_run_with_a_reference_is_judged_at_the_golden_rate_with_that_probability() -> None:
    runs = [_asking(number, RUN.query if number % 2 else "Something else?") for number in range(1, 101)]
    bench = Bench(scorers=BOTH, rates=RATES, lookup=GoldenSet(GOLDEN), golden_rate=1.0)
    evaluations = bench.go(*runs)
    golden = [item for item in evaluations if item.run.ground_truth is not None]
    others = [item for item in evaluations if item.run.ground_truth is None]
    assert len(golden) == 2 * 50
    assert {item.inclusion_probability for item in golden} == {1.0}
    hashes = {run.run_id: int(run.target.trace_id, 16) for run in runs if run.target}
    for item in others:
        assert item.inclusion_probability == RATES[item.outcome.scorer]
        assert taken(hashes[item.run.run_id], RATES[item.outcome.scorer])
    expected = sum(taken(hashes[run.run_id], rate) for run in runs if run.query != RUN.query for rate in RATES.values())
    assert len(others) == expected
    assert sum(bench.ledger.runs.values()) == 100


def test_golden_rate_never_lowers_a_rate() -> None:
    bench = Bench(scorers=BOTH, rates=RATES, lookup=GoldenSet(GOLDEN), golden_rate=0.3)
    evaluations = bench.go(*(_asking(number) for number in range(1, 101)))
    by_scorer = {item.outcome.scorer: item.inclusion_probability for item in evaluations}
    assert by_scorer == {"faithfulness": 0.3, "answer_relevancy": 0.5}


def test_golden_rate_below_one_keeps_the_choice_of_the_trace_id() -> None:
    bench = Bench(rates={"faithfulness": 0.0}, lookup=GoldenSet(GOLDEN), golden_rate=0.4)
    runs = [_asking(number) for number in range(1, 101)]
    evaluations = bench.go(*runs)
    expected = [run.run_id for run in runs if run.target and taken(int(run.target.trace_id, 16), 0.4)]
    assert sorted(item.run.run_id for item in evaluations) == sorted(expected)
    assert bench.ledger.runs == {("sampled", None): len(expected), ("not_sampled", None): 100 - len(expected)}


def test_reference_on_the_span_counts_for_the_golden_rate_without_a_lookup() -> None:
    bench = Bench(rates={"faithfulness": 0.0}, golden_rate=1.0)
    (evaluation,) = bench.go(replace(_asking(1), ground_truth="on the span"), _asking(2))
    assert (evaluation.run.ground_truth, evaluation.inclusion_probability) == ("on the span", 1.0)


def test_each_run_is_looked_up_once_at_most() -> None:
    asked: list[str] = []
    bench = Bench(scorers=BOTH, rates=RATES, lookup=reference_lookup(asked.append), golden_rate=1.0)
    bench.go(*(_asking(number, f"question {number}") for number in range(1, 51)))
    assert len(asked) == len(set(asked)) > 0


def test_undecided_runs_beyond_the_queue_are_left_out_and_counted() -> None:
    bench = Bench(rates={"faithfulness": 0.0}, lookup=GoldenSet(GOLDEN), golden_rate=1.0, queue_size=3)
    assert len(bench.go(*(_asking(number) for number in range(1, 6)))) == 3
    assert bench.ledger.runs == {("sampled", None): 3, ("dropped", "queue_full"): 2}


def test_runs_that_are_undecided_when_the_process_ends_are_dropped() -> None:
    bench = Bench(rates={"faithfulness": 0.0}, lookup=GoldenSet(GOLDEN), golden_rate=1.0)

    async def abandon(pipeline: Pipeline) -> None:
        assert pipeline.abandon("shutdown") == 2

    assert bench.go(_asking(1), _asking(2), then=abandon) == []
    assert bench.ledger.runs == {("dropped", "shutdown"): 2}


def test_match_goes_with_the_run() -> None:
    (evaluation,) = Bench(lookup=GoldenSet(GOLDEN)).go(replace(RUN, query="please, how long does the warranty last"))
    assert evaluation.run.golden is not None
    assert evaluation.run.golden.closeness == 1.0

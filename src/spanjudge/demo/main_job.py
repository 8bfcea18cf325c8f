"""The demo itself: serve questions, break the retriever, let the processor judge it all."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from spanjudge.demo.agent import ManualAgent
from spanjudge.demo.bm25 import Bm25
from spanjudge.demo.corpus import passages, read_topics
from spanjudge.demo.questions import read_questions
from spanjudge.demo.telemetry import telemetry
from spanjudge.detect.regression import RegressionDetector
from spanjudge.errors import InputError
from spanjudge.model import Failure, Score
from spanjudge.processor import JudgeSpanProcessor
from spanjudge.report.runs import judged_runs
from spanjudge.report.trail import follow
from spanjudge.settings import DEFAULT_SCORERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from opentelemetry.sdk.trace import ReadableSpan

    from spanjudge.demo.questions import Question
    from spanjudge.model import Evaluation
    from spanjudge.report.runs import JudgedRun
    from spanjudge.report.trail import Trail

Phase: TypeAlias = Literal["works", "broken"]

WORKING_RUNS: Final = 90
BROKEN_RUNS: Final = 40
BASELINE_RUNS: Final = 60
TOLERANCE: Final = 0.05
ALPHA: Final = 0.05
DROPPED_HITS: Final = 3
FAULT: Final = f"loses its {DROPPED_HITS} best hits"
WATCHED: Final = "context_recall"
SEED: Final = 7
CONCURRENCY: Final = 8
_PATIENCE_MS: Final = 1_800_000


@dataclass(frozen=True, slots=True)
class Demo:
    """All that came of it; ``moment`` is the position of the first run of the broken retriever."""

    runs: tuple[JudgedRun, ...]
    evaluations: tuple[Evaluation, ...]
    spans: tuple[ReadableSpan, ...]
    trail: Trail
    moment: int
    questions: int
    passages: int
    judge: str


class _Arrivals:
    """A sink that keeps evaluations and tells of each."""

    def __init__(self, arrived: Callable[[], None]) -> None:
        self.evaluations: list[Evaluation] = []
        self._arrived = arrived

    def emit(self, evaluation: Evaluation, /) -> None:
        self.evaluations.append(evaluation)
        self._arrived()


def expected_evaluations(phase: Phase) -> int:
    """Return how many evaluations a phase brings."""
    return len(DEFAULT_SCORERS) * (WORKING_RUNS if phase == "works" else BROKEN_RUNS)


def run_demo(
    judge: str = "embedded",
    collector: str | None = None,
    *,
    entered: Callable[[Phase], None] = lambda _: None,
    arrived: Callable[[], None] = lambda: None,
) -> Demo:
    """Serve questions with a retriever that works and then with one that is broken, and judge every run.

    Questions are drawn at random and independently, with repeats, as the evidence's promise asks for.

    Args:
        judge: A LiteLLM model name or ``"embedded"``.
        collector: Base URL of an OTLP/HTTP receiver that gets all signals.
        entered: Called when a phase begins.
        arrived: Called after each evaluation, on the worker's thread.

    Raises:
        InputError: Where the judge or the Collector cannot be used, in one sentence.
    """
    questions = read_questions()
    found = passages(read_topics())
    sink = _Arrivals(arrived)
    signals = telemetry(collector)
    processor = JudgeSpanProcessor(
        judge=judge,
        scorers=DEFAULT_SCORERS,
        sample_rate=1.0,
        ground_truth={question.text: question.ground_truth for question in questions},
        sinks=[sink],
        tracer_provider=signals.tracers,
        meter_provider=signals.meters,
        logger_provider=signals.loggers,
        linger_s=0.0,
        queue_size=WORKING_RUNS + BROKEN_RUNS,
        concurrency=CONCURRENCY,
        baseline_runs=BASELINE_RUNS,
        disabled=False,
    )
    signals.add(processor, collector)
    agent = ManualAgent(signals.tracers.get_tracer("manual_agent"), Bm25(found))
    try:
        traffic = _traffic(questions)
        entered("works")
        agent.ask(traffic[0].text)
        processor.force_flush(_PATIENCE_MS)
        _check(sink.evaluations, judge)
        _serve(agent, processor, traffic[1:WORKING_RUNS])
        entered("broken")
        agent.dropped_hits = DROPPED_HITS
        _serve(agent, processor, traffic[WORKING_RUNS:])
    finally:
        signals.shutdown()
    runs = judged_runs(sink.evaluations)
    detector = RegressionDetector(baseline_n=BASELINE_RUNS, tolerance=TOLERANCE, alpha=ALPHA)
    return Demo(
        runs=runs,
        evaluations=tuple(sink.evaluations),
        spans=signals.spans(),
        trail=follow(WATCHED, runs, detector),
        moment=WORKING_RUNS,
        questions=len(questions),
        passages=len(found),
        judge=sink.evaluations[0].judge_model,
    )


def _traffic(questions: tuple[Question, ...]) -> list[Question]:
    draw = random.Random(SEED)  # noqa: S311 - traffic that is the same on every machine
    return draw.choices(questions, k=WORKING_RUNS + BROKEN_RUNS)


def _serve(agent: ManualAgent, processor: JudgeSpanProcessor, questions: list[Question]) -> None:
    for question in questions:
        agent.ask(question.text)
    processor.force_flush(_PATIENCE_MS)


def _check(evaluations: list[Evaluation], judge: str) -> None:
    """Stop after the first run if its judging failed throughout: a wrong key would fail them all."""
    if any(isinstance(evaluation.outcome, Score) for evaluation in evaluations):
        return
    failures = [item.outcome for item in evaluations if isinstance(item.outcome, Failure)]
    reason = f"{failures[0].code}: {failures[0].detail}" if failures else "no evaluation came back"
    message = f"The judge {judge!r} (given as --judge) could not score the first run ({reason})."
    raise InputError(message)

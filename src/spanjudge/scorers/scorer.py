"""A scorer: four steps, a judge, and two ways to call it, on one engine."""

from __future__ import annotations

import asyncio
import contextvars
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from spanjudge.judge.ask import JudgeError
from spanjudge.model import Counts, Failure, Score, Skip, Usage, digest
from spanjudge.scorers.arithmetic import count, label_of, scaled
from spanjudge.scorers.case import called_case, captured_case
from spanjudge.scorers.contexts import ContextSource
from spanjudge.scorers.engine import Facts, Progress, blame, conduct
from spanjudge.scorers.result import WHY, ScorerError, ScorerResult
from spanjudge.scorers.steps import StepError, Steps
from spanjudge.semconv import BLOCKING_CODES, SKIP_CODES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanjudge.judge.ask import Judge
    from spanjudge.model import Outcome, RagRun
    from spanjudge.scorers.case import Case
    from spanjudge.semconv import SkipCode

Need: TypeAlias = Literal["query", "answer", "contexts", "ground_truth"]
MissingGroundTruth: TypeAlias = Literal["skip", "zero"]

# Where ``run`` gives 0 and says why, as the reference scorers do; anything else that is missing is an error there.
ZERO_IN_RUN: Final[frozenset[SkipCode]] = frozenset({"no_answer", "no_ground_truth", "no_claims"})


@dataclass(frozen=True, kw_only=True, eq=False)
class Scorer:
    """Scores one run with a judge. Made by the ``create_*`` functions of ``spanjudge.scorers``.

    ``model`` is a model name, a judge, or None for the processor's judge. ``material`` is every text that changes
    verdicts (instructions, answer models, options): part of the version. ``empty_context`` is ``"zero"`` where a
    retriever that returned nothing is a finding, ``"skip"`` where nothing is left to score, ``"ask"`` where it does
    not matter. ``asks`` is False for plain functions, which no judge can change.
    """

    id: str
    steps: Steps
    name: str = ""
    description: str = ""
    model: str | Judge | None = None
    scale: float = 1
    needs: frozenset[Need] = frozenset()
    contexts: ContextSource = field(default_factory=ContextSource)
    empty_context: Literal["zero", "skip", "ask"] = "ask"
    zero_in_run: frozenset[SkipCode] = ZERO_IN_RUN
    material: tuple[str, ...] = ()
    asks: bool = True

    @cached_property
    def judge(self) -> Judge | None:
        """The scorer's own judge, None where it takes the processor's."""
        return _judge_for(self.model) if isinstance(self.model, str) else self.model

    def judge_or(self, judge: Judge | None = None) -> Judge:
        """Return the judge that is asked: ``judge``, else the scorer's own, else the embedded one."""
        return judge or self.judge or _judge_for("embedded")

    def version(self, judge: Judge | None = None) -> str:
        """Return the evaluator version, 12 hex digits: scores of different versions are not comparable."""
        fingerprint = self.judge_or(judge).fingerprint if self.asks else ""
        return digest(self.id, *self.material, fingerprint)[:12]

    async def evaluate(
        self, run: RagRun, judge: Judge | None = None, *, missing_ground_truth: MissingGroundTruth = "skip"
    ) -> Outcome:
        """Score a captured run; whatever goes wrong is an outcome.

        Args:
            run: The run.
            judge: Asked instead of the scorer's own judge.
            missing_ground_truth: ``"zero"`` gives a run without ground truth the score 0, as the reference does.
        """
        return await self.evaluate_case(captured_case(run), judge, missing_ground_truth=missing_ground_truth)

    async def evaluate_case(
        self, case: Case, judge: Judge | None = None, *, missing_ground_truth: MissingGroundTruth = "skip"
    ) -> Outcome:
        """Score a case as ``evaluate`` scores a run."""
        outcome = await self._outcome(case, judge, Progress())
        if missing_ground_truth == "zero" and isinstance(outcome, Skip) and outcome.code == "no_ground_truth":
            return self._zero(outcome.code)
        return outcome

    async def run(
        self,
        *,
        input: object = None,  # noqa: A002 - the reference's name
        output: object = None,
        ground_truth: object = None,
        context: Sequence[str] | None = None,
        run_id: str | None = None,
    ) -> ScorerResult:
        """Score one call.

        Args:
            input: The question: text, a dict, or the agent's messages.
            output: The answer: text, a dict, or the agent's messages.
            ground_truth: Reference answer; what is no text is taken as JSON.
            context: Retrieved texts by rank; they win over the scorer's own source of contexts.
            run_id: Name of the call in the result; random where not given.

        Raises:
            ScorerError: Where no score can be given; it says which step failed and holds what the others gave.
        """
        try:
            case = called_case(input=input, output=output, ground_truth=ground_truth, context=context)
        except TypeError as error:
            raise ScorerError(code="scorer_error", message=f"{self.id}: {error}") from error
        progress = Progress()
        outcome = await self._outcome(case, None, progress)
        facts = self._facts(run_id or str(uuid.uuid4()), progress)
        if isinstance(outcome, Score):
            return ScorerResult(
                **facts, score=outcome.score, label=outcome.label, reason=outcome.reason, counts=outcome.counts
            )
        if isinstance(outcome, Failure):
            step = progress.step
            message = f"{self.id}: {outcome.detail} ({outcome.code})"
            raise ScorerError(outcome.code, message, step, facts) from progress.error
        # Whatever else is missing: the reference answers a call without ground truth with 0, not with an error.
        unlabelled = "ground_truth" in self.needs and _blank(case.run.ground_truth)
        code = "no_ground_truth" if unlabelled else outcome.code
        if code in self.zero_in_run or progress.skip:
            return ScorerResult(**facts, score=0.0, reason=WHY.get(code), skip_reason=code)
        raise ScorerError(code, f"{self.id} cannot score this call: {_advice(code)}", None, facts)

    def run_sync(
        self,
        *,
        input: object = None,  # noqa: A002 - the reference's name
        output: object = None,
        ground_truth: object = None,
        context: Sequence[str] | None = None,
        run_id: str | None = None,
    ) -> ScorerResult:
        """Score one call and wait for it, in a thread of its own: an event loop may be running in this one.

        Arguments and errors are those of ``run``.
        """
        scoring = self.run(input=input, output=output, ground_truth=ground_truth, context=context, run_id=run_id)
        with ThreadPoolExecutor(1, thread_name_prefix="spanjudge-run-sync") as pool:
            return pool.submit(contextvars.copy_context().run, asyncio.run, scoring).result()

    async def _outcome(self, case: Case, judge: Judge | None, progress: Progress) -> Outcome:
        try:
            contexts = await self._contexts(case)
            code = self._missing(case, contexts)
            if code:
                return Skip(scorer=self.id, code=code)
            if contexts == () and self.empty_context == "zero":
                return self._zero("empty_context")
            texts = None if isinstance(contexts, str) else contexts
            facts = Facts(case.run, texts, self.scale)
            await conduct(self.steps, facts, lambda: self.judge_or(judge), progress)
        except Exception as error:  # noqa: BLE001 - a scorer may be anybody's code; what it raises is an outcome
            progress.error = error
            code_of = error.code if isinstance(error, (JudgeError, StepError)) else "scorer_error"
            where = f"The {progress.step} step" if progress.step else "The context extractor"
            return Failure(scorer=self.id, code=code_of, detail=blame(error, where), usage=progress.usage)
        if progress.skip:
            return Skip(scorer=self.id, code=progress.skip, usage=progress.usage)
        return self._score(progress)

    async def _contexts(self, case: Case) -> tuple[str, ...] | SkipCode:
        # A user's extractor may search a database: not for a run that is skipped anyhow.
        if self.contexts.costly and case.given is None:
            code = self._missing(case, ("unknown",))
            if code:
                return code
        return await self.contexts.of(case)

    def _missing(self, case: Case, contexts: tuple[str, ...] | SkipCode) -> SkipCode | None:
        run = case.run
        if run.skip_reason in BLOCKING_CODES:
            return run.skip_reason
        missing: set[SkipCode] = set()
        if "query" in self.needs and _blank(run.query):
            missing.add("no_query")
        if "answer" in self.needs and _blank(run.answer):
            missing.add("no_answer")
        if "ground_truth" in self.needs and _blank(run.ground_truth):
            missing.add("no_ground_truth")
        if "contexts" in self.needs and isinstance(contexts, str):
            missing.add(contexts)
        if contexts == () and self.empty_context == "skip":
            missing.add("empty_context")
        return min(missing, key=SKIP_CODES.index, default=None)

    def _score(self, progress: Progress) -> Score:
        counts = count(progress.verdicts)
        share = progress.share or 0.0
        if progress.ready_made:
            return replace(progress.ready_made, scorer=self.id, usage=progress.usage + progress.ready_made.usage)
        return Score(
            scorer=self.id,
            share=share,
            score=scaled(share, self.scale),
            label=label_of(share),
            reason=progress.reason,
            counts=counts,
            verdicts=progress.verdicts,
            usage=progress.usage,
        )

    def _zero(self, code: SkipCode) -> Score:
        return Score(
            scorer=self.id, share=0.0, score=0.0, label="none", reason=WHY[code], counts=Counts(), usage=Usage()
        )

    def _facts(self, run_id: str, progress: Progress) -> dict[str, Any]:
        return {
            "run_id": run_id,
            "preprocess_step_result": progress.preprocess_step_result,
            "preprocess_prompt": progress.prompts.get("preprocess"),
            "analyze_step_result": progress.analyze_step_result,
            "analyze_prompt": progress.prompts.get("analyze"),
            "generate_reason_prompt": progress.prompts.get("generate_reason"),
            "version": self.version(),
            "usage": progress.usage,
            "cost": progress.usage.cost,
        }


def _blank(text: str | None) -> bool:
    return not (text or "").strip()


def _judge_for(name: str) -> Judge:
    from spanjudge.judge.select import judge_for  # noqa: PLC0415 - the client is loaded on first use

    return judge_for(name)


def _advice(code: SkipCode) -> str:
    advice = {
        "no_query": "Pass the question as `input` (text, or messages with a user message that has a text).",
        "no_context_captured": "Pass the retrieved texts as `context`.",
        "empty_context": "Pass at least one retrieved text that is not blank as `context`.",
    }
    return " ".join(part for part in (WHY.get(code, code), advice.get(code)) if part)

"""The marked trace's way, step by step, as what came out of it tells."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from spanjudge import semconv
from spanjudge.doctor.advice import DROPS, FAILURES, SKIPS
from spanjudge.doctor.step import Step
from spanjudge.model import Failure, Score, Skip

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from spanjudge.doctor.follow import Trail
    from spanjudge.doctor.step import StepName
    from spanjudge.model import Evaluation
    from spanjudge.semconv import DropCode, SkipCode
    from spanjudge.settings import Settings

_TAKEN: Final = "taken"
_OFF: Final = ("OTEL_SDK_DISABLED", "OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG")


@dataclass(frozen=True, slots=True)
class Way:
    """Reads the steps off a trail.

    Args:
        trail: What the marked trace left behind.
        settings: Those of the set-up.
        golden: Whether the marked question is one of a golden set.
    """

    trail: Trail
    settings: Settings
    golden: bool

    def steps(self) -> Iterator[Step]:
        """Yield the steps in their order, up to the first that loses the trace."""
        for step in self._steps():
            yield step
            if step.state == "lost":
                return

    def _steps(self) -> Iterator[Step]:
        yield self._recorded()
        yield self._taken()
        yield self._assembled()
        yield self._complete()
        yield self._sampled()
        if self.golden:
            yield self._reference()
        yield self._judged()
        yield from self._emitted()

    def _recorded(self) -> Step:
        context = self.trail.context
        marked = [span for span in self.trail.emitted.spans if semconv.DOCTOR_MARK in (span.attributes or {})]
        if marked:
            said = f"the SDK recorded {len(marked)} spans of trace {self.trail.trace_id}"
            return Step("recorded", "ok", said, facts={"trace_id": self.trail.trace_id, "spans": len(marked)})
        causes = [f"{name}={os.environ[name]}" for name in _OFF if name in os.environ]
        do = f"look at {', '.join(causes)}" if causes else "look at the OTEL_* variables and at how the SDK is set up"
        facts = {"trace_id": self.trail.trace_id if context.is_valid else None, "spans": 0}
        return Step("recorded", "lost", "the OpenTelemetry SDK recorded no span", do, facts)

    def _taken(self) -> Step:
        if self.trail.by_label(semconv.METRIC_TRACES, semconv.DECISION)[_TAKEN]:
            rates = sorted({self.settings.rate(name) for name in self.settings.scorers})
            share = " and ".join(f"{rate:g}" for rate in rates)
            return Step("taken", "ok", f"JudgeSpanProcessor took its trace (sampling is forced for it; set: {share})")
        if self.settings.disabled:
            return Step("taken", "lost", "spanjudge is switched off", "set disabled to false (SPANJUDGE_DISABLED)")
        return Step("taken", "lost", "sample_rate is 0, so no trace is ever taken", "set sample_rate above 0")

    def _assembled(self) -> Step:
        runs = self.trail.by_label(semconv.METRIC_RUNS, semconv.DECISION)
        code = self._run_code()
        if runs["dropped"]:
            return self._dropped("assembled", code)
        if not runs:
            if not self.trail.in_time:
                said = f"no run was put together within {self.trail.timeout_s:g} s"
                return Step("assembled", "lost", said, "look at the log: the worker's thread does not get on")
            said = "its spans were not put together to a run"
            return Step("assembled", "lost", said, "look at the log, and see that nothing rewrites spans before us")
        return Step("assembled", "ok", "its spans were put together to one run")

    def _complete(self) -> Step:
        if self.trail.by_label(semconv.METRIC_RUNS, semconv.DECISION)["incomplete"]:
            return self._incomplete(self._run_code())
        run = next((each.run for each in self.trail.evaluations), None)
        if run is not None and run.skip_reason:
            return self._incomplete(run.skip_reason)
        if run is None:
            return Step("complete", "ok", "nothing stops it from being judged")
        return Step("complete", "ok", f"question, {len(run.contexts or ())} documents and answer are there, uncut")

    def _sampled(self) -> Step:
        runs = self.trail.by_label(semconv.METRIC_RUNS, semconv.DECISION)
        if not runs["sampled"]:
            said = "no scorer takes it: their rates are 0, and no reference was found for which golden_rate would count"
            return Step("sampled", "lost", said, "set sample_rate above 0")
        never = [name for name in self.settings.scorers if not self.settings.rate(name)]
        if never and self.settings.golden_rate:
            said = f"as golden_rate is {self.settings.golden_rate:g} and this run has a reference, it is taken"
            do = f"without one {', '.join(never)} would never be asked, as the sampling rate is 0"
            return Step("sampled", "note", said, do)
        if never:
            said = f"the rate of {', '.join(never)} is 0, so it is never asked"
            return Step("sampled", "note", said, "set sample_rate above 0 for it, or leave it out of scorers")
        return Step("sampled", "ok", f"{self.trail.count(semconv.METRIC_CANDIDATES)} scorers take it")

    def _reference(self) -> Step:
        matches = [each.run.golden for each in self.trail.evaluations if each.run.golden]
        if matches:
            return Step("reference", "ok", f"its reference was found (closeness {matches[0].closeness:g})")
        if not self.trail.evaluations:
            return Step("reference", "note", "nothing was judged in time, so it cannot be said whether one was found")
        said = "its question is one of the golden set, but its reference was not found"
        return Step("reference", "lost", said, "look at the log, and raise lookup_timeout_s")

    def _judged(self) -> Step:
        found = {each.outcome.scorer: _outcome(each) for each in self.trail.evaluations}
        facts: Mapping[str, object] = {"scores": found}
        failures = [each.outcome for each in self.trail.evaluations if isinstance(each.outcome, Failure)]
        scores = [each.outcome for each in self.trail.evaluations if isinstance(each.outcome, Score)]
        skips = [each.outcome for each in self.trail.evaluations if isinstance(each.outcome, Skip)]
        if not self.trail.in_time:
            done = f"{len(found)} of {self.trail.count(semconv.METRIC_CANDIDATES)} scorers"
            said = f"only {done} were through within {self.trail.timeout_s:g} s"
            return Step("judged", "lost", said, FAILURES["judge_timeout"], facts)
        if failures:
            first = failures[0]
            said = f"{len(failures)} of {len(found)} scorers failed, {first.scorer} with {first.code}"
            detail = f" ({first.detail.rstrip('.')})" if first.detail else ""
            return Step("judged", "lost", said + detail, FAILURES[first.code], facts)
        if not scores:
            code = skips[0].code if skips else "no_claims"
            said = f"no scorer gave a score; {skips[0].scorer if skips else 'the first'}: {SKIPS[code].why} ({code})"
            return Step("judged", "lost", said, SKIPS[code].do, facts)
        told = ", ".join(f"{each.scorer} {each.score:.2f}" for each in scores)
        if skips:
            said = f"{told}; {skips[0].scorer} was skipped, because {SKIPS[skips[0].code].why}"
            return Step("judged", "note", said, SKIPS[skips[0].code].do, facts)
        return Step("judged", "ok", told, facts=facts)

    def _emitted(self) -> Iterator[Step]:
        scored = [each.outcome.scorer for each in self.trail.evaluations if isinstance(each.outcome, Score)]
        emitted = self.trail.emitted
        spans = {
            str((span.attributes or {}).get(semconv.EVALUATION_NAME))
            for span in emitted.spans
            if span.parent and span.parent.trace_id == self.trail.context.trace_id
        }
        logs = {
            str((each.log_record.attributes or {}).get(semconv.EVALUATION_NAME))
            for each in emitted.logs
            if each.log_record.trace_id == self.trail.context.trace_id
        }
        metrics = set(self.trail.by_label(semconv.METRIC_SCORE, semconv.EVALUATION_NAME))
        yield _of_signal("span", "evaluation span", "OTEL_TRACES_SAMPLER", scored, spans)
        yield _of_signal("log_event", "log event", "OTEL_SDK_DISABLED", scored, logs)
        yield _of_signal("metric", "metric", "OTEL_SDK_DISABLED", scored, metrics)

    def _run_code(self) -> str:
        codes = self.trail.by_label(semconv.METRIC_RUNS, semconv.REASON_CODE)
        return next((str(code) for code in codes if code), "")

    def _incomplete(self, code: str) -> Step:
        remedy = SKIPS[cast("SkipCode", code)]
        said = f"its run is not complete: {remedy.why} ({code})"
        return Step("complete", "lost", said, remedy.do, {"code": code})

    def _dropped(self, name: StepName, code: str) -> Step:
        remedy = DROPS[cast("DropCode", code)]
        return Step(name, "lost", f"its run was dropped: {remedy.why} ({code})", remedy.do, {"code": code})


def _of_signal(name: StepName, what: str, variable: str, scored: list[str], found: Container[object]) -> Step:
    missing = [scorer for scorer in scored if scorer not in found]
    facts = {"scorers": sorted(set(scored) - set(missing))}
    if missing:
        said = f"there is no {what} of {', '.join(missing)}"
        return Step(name, "lost", said, f"look at {variable} and the other OTEL_* variables, and at the log", facts)
    return Step(name, "ok", f"{len(scored)} scores came out as {what}s", facts=facts)


def _outcome(evaluation: Evaluation) -> dict[str, object]:
    outcome = evaluation.outcome
    if isinstance(outcome, Score):
        return {"outcome": "scored", "score": outcome.score, "reason_code": None}
    return {
        "outcome": "failed" if isinstance(outcome, Failure) else "skipped",
        "score": None,
        "reason_code": outcome.code,
    }

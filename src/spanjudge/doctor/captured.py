"""Captured traces explained: what was found in each, why it is not complete, and what to switch on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spanjudge.assembly import assemble
from spanjudge.doctor.advice import SKIPS
from spanjudge.doctor.instrumentations import INSTRUMENTATIONS
from spanjudge.semconv import BLOCKING_CODES, SKIP_CODES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spanjudge.doctor.instrumentations import Instrumentation
    from spanjudge.model import RagRun
    from spanjudge.semconv import SkipCode
    from spanjudge.sources.record import SpanRecord

COMPLETE: Final = "complete"
NO_RUN: Final = "no_run"
NO_RUN_WHY: Final = "none of its spans belongs to a RAG run that spanjudge knows"
NO_RUN_DO: Final = (
    "if one of them answers questions, instrument its framework, record it with record_retrieval and record_answer, or"
    " name its attributes in JudgeSpanProcessor(reading=Reading(plain=PlainMapping(...)))"
)


@dataclass(frozen=True, slots=True)
class Advised:
    """What to do about some codes; ``instrumentation`` is None where it holds for any."""

    codes: tuple[SkipCode, ...]
    instrumentation: str | None
    do: str


@dataclass(frozen=True, slots=True)
class Explained:
    """One run; ``why`` has the words for each code that holds, the first being the run's own."""

    run: RagRun
    why: tuple[tuple[SkipCode, str], ...]
    advice: tuple[Advised, ...]


@dataclass(frozen=True, slots=True)
class TraceFindings:
    """One trace: its spans, who made them, and its runs."""

    trace_id: str
    spans: int
    scopes: tuple[str, ...]
    runs: tuple[Explained, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    """All traces of some files."""

    traces: tuple[TraceFindings, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Runs by code, complete ones first; traces without a run as ``no_run``."""
        found: Counter[str] = Counter()
        for trace in self.traces:
            codes: list[str] = [each.run.skip_reason or COMPLETE for each in trace.runs]
            found.update(codes or [NO_RUN])
        order = (COMPLETE, *map(str, SKIP_CODES), NO_RUN)
        return {code: found[code] for code in order if found[code]}

    @property
    def well(self) -> bool:
        """Whether there are runs, and all are complete."""
        return set(self.counts) - {NO_RUN} == {COMPLETE}


def explain(spans: Sequence[SpanRecord]) -> Findings:
    """Assemble all runs and explain each.

    Args:
        spans: Ended spans of any number of traces.
    """
    members: dict[str, list[SpanRecord]] = {}
    for span in spans:
        members.setdefault(span.trace_id, []).append(span)
    runs: dict[str, list[RagRun]] = {}
    for run in assemble(spans):
        if run.target:
            runs.setdefault(run.target.trace_id, []).append(run)
    return Findings(tuple(_trace(trace_id, of, runs.get(trace_id, [])) for trace_id, of in members.items()))


def _trace(trace_id: str, members: Sequence[SpanRecord], runs: Sequence[RagRun]) -> TraceFindings:
    scopes = tuple(dict.fromkeys(span.scope for span in members))
    return TraceFindings(trace_id, len(members), scopes, tuple(explain_run(run, scopes) for run in runs))


def explain_run(run: RagRun, scopes: Sequence[str]) -> Explained:
    """Say why a run is not complete, and what to do for the instrumentations that made its trace.

    Args:
        run: The run.
        scopes: Names of the instrumentation scopes of its trace.
    """
    codes = _codes(run)
    told: dict[tuple[str | None, str], list[SkipCode]] = {}
    for code in codes:
        for whose, do in _advice(code, run, scopes):
            told.setdefault((whose, do), []).append(code)
    advice = tuple(Advised(tuple(of), whose, do) for (whose, do), of in told.items())
    return Explained(run, tuple((code, SKIPS[code].why) for code in codes), advice)


def _codes(run: RagRun) -> tuple[SkipCode, ...]:
    """All codes that hold and have a remedy of their own: what an error or a limit took away comes back with it."""
    first = run.skip_reason
    if first is None or first in BLOCKING_CODES:
        return () if first is None else (first,)
    documents = run.contexts
    holds: dict[SkipCode, bool] = {
        first: True,
        "no_query": not run.query,
        "no_answer": not run.answer,
        "no_context_captured": documents is None,
        "context_text_missing": any(document.text is None for document in documents or ()),
    }
    return tuple(code for code in SKIPS if holds.get(code))


def _advice(code: SkipCode, run: RagRun, scopes: Sequence[str]) -> Iterator[tuple[str | None, str]]:
    """What its instrumentations want, else what helps anywhere."""
    told: dict[str, str] = {}
    for row in _rows(code, run, scopes):
        told.setdefault(row.advice[code], row.name)
    yield from ((whose, do) for do, whose in told.items())
    if not told:
        yield None, SKIPS[code].do


def _rows(code: SkipCode, run: RagRun, scopes: Sequence[str]) -> list[Instrumentation]:
    rows = [row for row in INSTRUMENTATIONS if code in row.advice]
    by_scope = [found for scope in scopes if (found := next((row for row in rows if row.made(scope)), None))]
    return by_scope or [row for row in rows if not set(row.dialects).isdisjoint(run.dialects)][:1]

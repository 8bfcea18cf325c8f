"""Traces at random: captured ones and made ones, and the ways in which their spans may arrive."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from captures.corpus import FOLDER, bare_start, full_start, runs_only
from spanjudge.assembly import AssemblyLimits, Closed, OpenTraces
from spanjudge.sources.file import read_spans
from unit.assembly.tracing import Tracing, chain, llm, retriever

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Sequence

    from spanjudge.model import RagRun
    from spanjudge.sources.record import SpanRecord

FILES = sorted(
    str(path.relative_to(FOLDER))
    for path in FOLDER.rglob("*.json")
    if path.name != "expected.json" and path.stat().st_size
)
MOMENT = 0.0001


@cache
def captured(file: str) -> tuple[SpanRecord, ...]:
    return tuple(read_spans(FOLDER / file))


def moved(spans: Sequence[SpanRecord], number: int) -> list[SpanRecord]:
    """The same spans in traces of their own; span ids stay, as they are unique in a trace alone."""
    return [replace(span, trace_id=f"{number:04x}{span.trace_id[4:]}") for span in spans]


def shuffled(spans: Sequence[SpanRecord], chance: random.Random) -> list[SpanRecord]:
    return chance.sample(list(spans), len(spans))


def from_network(spans: Sequence[SpanRecord], chance: random.Random) -> list[RagRun]:
    """Ended spans alone, in any order, within the silence that closes a trace."""
    traces = OpenTraces(AssemblyLimits(silence_s=10.0))
    for place, span in enumerate(shuffled(spans, chance)):
        traces.ended(span, place * MOMENT)
    return _closed(traces)


def in_process(spans: Sequence[SpanRecord], chance: random.Random) -> list[RagRun]:
    """Starts and ends in any order that a process may have: a span starts before it ends, and while its parent runs."""
    traces = OpenTraces()
    start = chance.choice((full_start, bare_start))
    for place, (span, is_start) in enumerate(_history(spans, chance)):
        if is_start:
            traces.started(start(span), place * MOMENT)
        else:
            traces.ended(span, place * MOMENT)
    return _closed(traces)


def _history(spans: Sequence[SpanRecord], chance: random.Random) -> Iterator[tuple[SpanRecord, bool]]:
    key: Callable[[SpanRecord], tuple[str, str | None]] = lambda span: (span.trace_id, span.span_id)  # noqa: E731
    known = {key(span) for span in spans}
    unborn: dict[tuple[str, str | None], int] = {}
    for span in spans:
        parent = (span.trace_id, span.parent_id)
        unborn[parent] = unborn.get(parent, 0) + 1
    waiting = [(span, True) for span in spans if (span.trace_id, span.parent_id) not in known]
    ending: list[tuple[SpanRecord, bool]] = []
    while waiting or ending:
        ready = [*waiting, *(item for item in ending if not unborn.get(key(item[0])))]
        item = chance.choice(ready)
        yield item
        span, is_start = item
        if not is_start:
            ending.remove(item)
            continue
        waiting.remove(item)
        unborn[span.trace_id, span.parent_id] -= 1
        waiting += [(child, True) for child in spans if (child.trace_id, child.parent_id) == key(span)]
        ending.append((span, False))


def _closed(traces: OpenTraces) -> list[RagRun]:
    closed: list[Closed] = []
    while (deadline := traces.next_deadline()) is not None:
        closed += traces.due(deadline)
    assert (traces.open_count, traces.bytes) == (0, 0)
    return runs_only(closed)


@dataclass(frozen=True)
class Call:
    """A RAG call to be made up; all its texts bear its number, so that no two calls share one."""

    number: int
    searches: int
    documents: int
    wrapped: bool

    @property
    def question(self) -> str:
        return f"What is thing {self.number} made of?"

    @property
    def answer(self) -> str:
        return f"Thing {self.number} is made of stuff {self.number}."

    def texts(self, search: int) -> list[str]:
        return [f"Passage {search}.{rank} about thing {self.number}." for rank in range(self.documents)]

    @property
    def told(self) -> tuple[str, list[str], str]:
        texts = [text for search in range(self.searches) for text in self.texts(search)]
        return self.question, texts, self.answer

    def steps(self, tracing: Tracing, outer: SpanRecord | None) -> Iterator[None]:
        """Write the call's spans, a start or an end at a time."""
        root = tracing.span("chain", outer, attributes=chain(self.question, self.answer))
        yield
        inner = tracing.span("step", root) if self.wrapped else root
        for search in range(self.searches):
            given = retriever(
                *self.texts(search), ids=[f"{self.number}-{search}-{rank}" for rank in range(self.documents)]
            )
            found = tracing.span("retriever", inner, attributes=given)
            yield
            tracing.end(found)
            yield
        said = tracing.span("model", inner, attributes=llm(self.answer, self.question))
        yield
        tracing.end(said)
        yield
        if self.wrapped:
            tracing.end(inner)
            yield
        tracing.end(root)


def traced(calls: Sequence[Call], chance: random.Random, *, together: bool) -> list[SpanRecord]:
    """Let calls run at the same time, in one trace under one span of a server, or each in its own trace."""
    shared = Tracing()
    server: Any = shared.span("POST /ask", kind=2) if together else None
    tracings = [shared if together else Tracing(f"{call.number:032x}") for call in calls]
    running = [call.steps(tracing, server) for call, tracing in zip(calls, tracings, strict=True)]
    while running:
        one = chance.choice(running)
        if next(one, running) is running:
            running.remove(one)
    return [span for tracing in {id(each): each for each in tracings}.values() for span in tracing.done()]

"""Traces written by hand: spans in the order of their lines, each with a start and an end of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from spanjudge.sources.record import EventRecord, SpanRecord

if TYPE_CHECKING:
    from collections.abc import Sequence

MS = 1_000_000
TRACE = "0af7651916cd43dd8448eb211c80319c"
QUERY = "How long does the warranty last?"
ANSWER = "It lasts two years."
TEXTS = ("The warranty lasts two years.", "Returns are accepted within 30 days.")


class Tracing:
    """Writes spans; the clock goes one millisecond further with each start and each end."""

    def __init__(self, trace_id: str = TRACE, first: int = 1, prefix: str = "") -> None:
        self.trace_id = trace_id
        self.spans: list[SpanRecord] = []
        self._now = first * 1_000 * MS
        self._prefix = prefix

    def tick(self, ms: int = 1) -> int:
        self._now += ms * MS
        return self._now

    def span(self, name: str, parent: SpanRecord | None = None, **more: Any) -> SpanRecord:
        number = len(self.spans) + 1
        made = SpanRecord(
            trace_id=self.trace_id,
            span_id=self._prefix + f"{number:016x}"[len(self._prefix) :],
            parent_id=parent.span_id if parent else more.pop("parent_id", None),
            name=name,
            start_ns=self.tick(),
            end_ns=0,
            scope=more.pop("scope", "my-app"),
            **more,
        )
        self.spans.append(made)
        return made

    def end(self, span: SpanRecord, **changes: Any) -> SpanRecord:
        ended = replace(span, end_ns=self.tick(), **changes)
        self.spans[self.spans.index(span)] = ended
        return ended

    def done(self) -> list[SpanRecord]:
        """End what is still open, the last started first."""
        for span in [span for span in reversed(self.spans) if not span.end_ns]:
            self.end(span)
        return self.spans


def kind(word: str, **attributes: object) -> dict[str, object]:
    return {"openinference.span.kind": word} | {name.replace("__", "."): value for name, value in attributes.items()}


def chain(query: str = QUERY, answer: str | None = ANSWER) -> dict[str, object]:
    made = {"openinference.span.kind": "CHAIN", "input.value": query}
    return made if answer is None else made | {"output.value": answer}


def retriever(*texts: str, ids: Sequence[str] | None = None, query: str = QUERY) -> dict[str, object]:
    made: dict[str, object] = {"openinference.span.kind": "RETRIEVER", "input.value": query}
    if not texts:
        made["retrieval.documents"] = ()
    for rank, text in enumerate(texts):
        made[f"retrieval.documents.{rank}.document.content"] = text
        if ids is not None:
            made[f"retrieval.documents.{rank}.document.id"] = ids[rank]
    return made


def llm(answer: str | None = ANSWER, query: str = QUERY, **more: object) -> dict[str, object]:
    made: dict[str, object] = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "small-model",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": query,
    }
    if answer is not None:
        made |= {"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": answer}
    return made | more


def calling(name: str = "search", call_id: str = "call-1", query: str = QUERY) -> dict[str, object]:
    call = "llm.output_messages.0.message.tool_calls.0.tool_call"
    return llm(None, query) | {
        "llm.output_messages.0.message.role": "assistant",
        f"{call}.id": call_id,
        f"{call}.function.name": name,
        f"{call}.function.arguments": "{}",
    }


def tool(result: object, name: str = "search", **more: object) -> dict[str, object]:
    return {"openinference.span.kind": "TOOL", "tool.name": name, "output.value": result} | more


def exception(kind_of: str) -> tuple[EventRecord, ...]:
    return (EventRecord("exception", {"exception.type": kind_of}),)


def rag_trace(trace_id: str = TRACE, *, under: str | None = None, prefix: str = "", first: int = 1) -> list[SpanRecord]:
    """A chain with a retriever and a model, under a server's span if one is named."""
    tracing = Tracing(trace_id, first, prefix)
    server = tracing.span(under, kind=2) if under else None
    root = tracing.span("chain", server, attributes=chain())
    found = tracing.span("retriever", root, attributes=retriever(*TEXTS, ids=("a", "b")))
    tracing.end(found)
    tracing.span("model", root, attributes=llm())
    return tracing.done()

"""Input that nobody should send costs bounded time and memory, and never an exception."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanjudge.assembly import AssemblyLimits, OpenTraces, PlainMapping, Reading, assemble, capture_json
from spanjudge.sources.record import EventRecord, LogPart, SpanRecord

MARKS: dict[str, dict[str, object]] = {
    "openinference": {"openinference.span.kind": "CHAIN"},
    "otel_genai": {"gen_ai.operation.name": "chat"},
    "pydantic_ai": {"agent_name": "a"},
    "mastra": {"mastra.span.type": "agent_run"},
    "google_adk": {"gen_ai.system": "gcp.vertex.agent"},
    "traceloop": {"traceloop.span.kind": "task", "traceloop.entity.name": "VectorIndexRetriever.task"},
    "langfuse": {"langfuse.observation.type": "retriever"},
    "mlflow": {"mlflow.spanType": '"CHAT_MODEL"'},
    "haystack": {"haystack.component.type": "Retriever"},
    "vercel_ai": {"ai.operationId": "ai.rerank"},
    "spring_ai": {"spring.ai.kind": "vector_store"},
    "vector_store": {"db.system": "chroma", "db.operation": "query"},
    "plain": {"question": "How long?"},
}
CONTENT = (
    "input.value",
    "output.value",
    "retrieval.documents",
    "retrieval.documents.0.document.metadata",
    "llm.input_messages.0.message.content",
    "llm.input_messages.0.message.tool_calls.0.tool_call.function.arguments",
    "metadata",
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "gen_ai.retrieval.documents",
    "gen_ai.system_instructions",
    "gen_ai.tool.call.result",
    "gen_ai.prompt.0.content",
    "pydantic_ai.all_messages",
    "pydantic_ai.new_message_index",
    "final_result",
    "mastra.agent_run.input",
    "mastra.agent_run.output",
    "gcp.vertex.agent.llm_request",
    "gcp.vertex.agent.llm_response",
    "traceloop.entity.input",
    "traceloop.entity.output",
    "langfuse.observation.input",
    "langfuse.observation.output",
    "mlflow.spanInputs",
    "mlflow.spanOutputs",
    "haystack.component.output",
    "haystack.pipeline.input_data",
    "haystack.pipeline.output_data",
    "ai.prompt",
    "ai.documents",
    "ai.ranking",
    "db.vector.query.top_k",
    "rag.documents",
    "documents.0.text",
    "answer",
    "session.id",
)
NAMES = ("haystack.pipeline.run", "haystack.component.run", "haystack.agent.step.llm", "call_llm", "step")
SCOPES = ("my-app", "pydantic-ai", "mlflow.tracing.provider", "strands.telemetry", "semantic_kernel.x", "logfire")
READING = Reading(
    plain=PlainMapping(query="input.value.question", contexts="output.value.docs", answer="final_result"),
    context_patterns=(r"context: (.*)",),
    sub_runs=True,
    keep_attributes=("session.id",),
)
DEEP = 100_000
HOSTILE: dict[str, object] = {
    "deep list": "[" * DEEP + "]" * DEEP,
    "deep records": '{"documents":' * DEEP + "1" + "}" * DEEP,
    "json in json": '"' * 2 + "\\" * 10_000,
    "long number": '{"id": ' + "9" * 10_000 + ', "text": "a"}',
    "large float": '[{"id": 1e999, "score": 1e999, "text": "a"}]',
    "not a number": '[{"id": "a", "score": NaN, "text": "a"}]',
    "half a character": '[{"id": "\\ud800", "text": "a \\udfff b"}]',
    "nul": "\x00" * 1_000 + "[\x00]",
    "open brackets": "[" * 1_000_000,
    "open braces": '{"a":' * 200_000,
    "open quotes": '"' + "\\" * 200_001,
    "long repr": "Thing(a=" + "(" * 500_000,
    "many parentheses": "Thing(a=" + ") " * 200_000 + "x",
    "many messages": json.dumps([{"role": "user", "content": "a"}] * 3_000),
    "many documents": json.dumps([{"id": str(each), "text": "a"} for each in range(3_000)]),
    "one long text": "a" * 5_000_000,
    "a long list": tuple("a" for _ in range(20_000)),
    "records all the way": {"data": {"data": {"data": {"data": {"data": {"data": {"text": "a"}}}}}}},
    "true": True,
    "bytes": b"\xff\xfe",
    "infinite": float("inf"),
}


def span(attributes: dict[str, object], number: int = 1, **more: Any) -> SpanRecord:
    more = {"name": "step", "start_ns": 1, "end_ns": 2} | more
    return SpanRecord(trace_id="1" * 32, span_id=f"{number:016x}", attributes=attributes, **more)


def encodes(spans: list[SpanRecord]) -> int:
    """Assemble, and see that what comes out can leave the process."""
    runs = assemble(spans, reading=READING)
    for run in runs:
        json.dumps(capture_json(run), ensure_ascii=False, allow_nan=False).encode()
    return len(runs)


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_hostile_value_in_any_attribute_of_any_dialect_is_read_in_bounded_time(value: object) -> None:
    began = time.process_time()
    for mark in MARKS.values():
        encodes([span({**dict.fromkeys(CONTENT[number::4], value), **mark}, number + 1) for number in range(4)])
    assert time.process_time() - began < 60


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_hostile_value_in_events_and_log_records_is_read(value: object) -> None:
    names = ("gen_ai.user.message", "gen_ai.choice", "db.query.result", "document", "gen_ai.content.prompt", "")
    keys = ("content", "message", "db.query.result.document", "db.query.result.metadata", "text", "rank")
    events = tuple(EventRecord(name, dict.fromkeys(keys, value)) for name in names)
    logs = tuple(LogPart(name, value, dict.fromkeys(keys, value)) for name in names)
    logs += (LogPart("", f"Vector Store Query Response:\n{value!s}"),)
    for mark in MARKS.values():
        encodes([span(mark, events=events, logs=logs)])


def test_text_of_fifty_million_characters_is_read_once_and_dropped_from_open_traces() -> None:
    huge = "a b " * 12_500_000
    began = time.process_time()
    assert encodes([span({"openinference.span.kind": "CHAIN", "input.value": huge, "output.value": "[" + huge})]) == 1
    traces = OpenTraces(AssemblyLimits())
    traces.ended(span({"openinference.span.kind": "CHAIN", "input.value": huge}), 0.0)
    assert [type(each).__name__ for each in traces.due(10.0)] == ["Dropped"]
    assert traces.bytes == 0
    assert time.process_time() - began < 20


attributes = st.dictionaries(
    st.sampled_from((*CONTENT, *(key for mark in MARKS.values() for key in mark))),
    st.one_of(
        st.sampled_from([value for mark in MARKS.values() for value in mark.values()]),
        st.text(max_size=30),
        st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=8), st.lists, max_leaves=5),
        st.recursive(
            st.none() | st.integers() | st.floats() | st.text(max_size=8),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(
                        ("role", "content", "parts", "type", "text", "documents", "kwargs", "id", "data", "name")
                    ),
                    inner,
                    max_size=4,
                )
            ),
            max_leaves=12,
        ).map(json.dumps),
    ),
    max_size=8,
)
spans = st.builds(
    SpanRecord,
    trace_id=st.sampled_from(("1" * 32, "2" * 32)),
    span_id=st.integers(1, 6).map("{:016x}".format),
    parent_id=st.none() | st.integers(1, 7).map("{:016x}".format),
    name=st.sampled_from(NAMES),
    scope=st.sampled_from(SCOPES),
    start_ns=st.integers(-(10**20), 10**20),
    end_ns=st.integers(-(10**20), 10**20),
    error=st.booleans(),
    dropped_attributes=st.integers(0, 3),
    attributes=attributes,
)


@settings(max_examples=100, deadline=None)
@given(st.lists(spans, max_size=8))
def test_loops_repeated_ids_and_wrong_clocks_never_raise(given_spans: list[SpanRecord]) -> None:
    encodes(given_spans)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(spans, st.booleans()), max_size=8))
def test_spans_in_any_order_leave_nothing_open_in_the_end(given_spans: list[tuple[SpanRecord, bool]]) -> None:
    traces = OpenTraces(AssemblyLimits(max_age_s=60.0), reading=READING)
    for step, (each, starts) in enumerate(given_spans):
        (traces.started if starts else traces.ended)(each, float(step))
        traces.due(float(step))
    traces.due(1_000.0)
    traces.due(2_000.0)
    traces.abandon(3_000.0)
    assert (traces.open_count, traces.bytes) == (0, 0)


def test_a_thousand_spans_in_a_chain_and_side_by_side_are_put_together_in_bounded_time() -> None:
    mark: dict[str, object] = {
        "openinference.span.kind": "RETRIEVER",
        "input.value": "q",
        "retrieval.documents.0.document.content": "a",
    }
    chained = [span(mark, number, parent_id=f"{number - 1:016x}" if number > 1 else None) for number in range(1, 1_001)]
    beside = [span(mark, number, parent_id="f" * 16, start_ns=number, end_ns=number + 1) for number in range(1, 1_001)]
    began = time.process_time()
    assert encodes(chained) == 1
    assert encodes(beside) == 1
    assert time.process_time() - began < 20

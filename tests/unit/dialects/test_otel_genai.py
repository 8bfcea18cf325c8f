from __future__ import annotations

import json
from typing import Any

import pytest

from spanjudge.dialects import otel_genai
from spanjudge.dialects.facts import Facts
from spanjudge.sources.record import EventRecord, LogPart, SpanRecord

ASKED = [{"role": "user", "parts": [{"type": "text", "content": "How long?"}]}]
SAID = [{"role": "assistant", "parts": [{"type": "text", "content": "Two years."}], "finish_reason": "stop"}]


def span(operation: str, attributes: dict[str, Any] | None = None, **more: Any) -> SpanRecord:
    named = {f"gen_ai.{name}": value for name, value in (attributes or {}).items()}
    return SpanRecord(
        trace_id="1" * 32, span_id="2" * 16, attributes={"gen_ai.operation.name": operation} | named, **more
    )


def said(facts: Facts) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in (*facts.input_messages, *facts.output_messages)]


@pytest.mark.parametrize(
    ("operation", "kind"),
    [
        ("chat", "llm"),
        ("generate_content", "llm"),
        ("retrieval", "retriever"),
        ("invoke_agent", "agent"),
        ("invoke_workflow", "workflow"),
        ("execute_tool", "tool"),
        ("embeddings", "embedding"),
        ("something_new", None),
    ],
)
def test_kind_is_the_operation(operation: str, kind: str | None) -> None:
    assert otel_genai.read(span(operation)).kind == kind


@pytest.mark.parametrize("encode", [json.dumps, lambda value: value])
def test_messages_are_read_as_json_and_as_structure(encode: Any) -> None:
    facts = otel_genai.read(span("chat", {"input.messages": encode(ASKED), "output.messages": encode(SAID)}))
    assert said(facts) == [("user", "How long?"), ("assistant", "Two years.")]


def test_messages_on_events_and_log_records_are_read() -> None:
    content = {"gen_ai.input.messages": ASKED, "gen_ai.output.messages": SAID}
    name = "gen_ai.client.inference.operation.details"
    for place in ({"events": (EventRecord(name, content),)}, {"logs": (LogPart(name, None, content),)}):
        assert said(otel_genai.read(span("chat", **place))) == [("user", "How long?"), ("assistant", "Two years.")]


def test_content_on_the_span_goes_before_that_on_its_log_records() -> None:
    part = LogPart("gen_ai.client.inference.operation.details", None, {"gen_ai.input.messages": SAID})
    assert said(otel_genai.read(span("chat", {"input.messages": ASKED}, logs=(part,)))) == [("user", "How long?")]


def test_messages_of_the_older_conventions_are_read() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    parts = (
        LogPart("gen_ai.system.message", {"content": "Be brief."}),
        LogPart("gen_ai.user.message", {"content": "How long?"}),
        LogPart("gen_ai.assistant.message", {"tool_calls": (call,)}),
        LogPart("gen_ai.tool.message", {"content": '[{"id": "a", "text": "Two years."}]', "id": "c1"}),
        LogPart("gen_ai.choice", {"index": 0, "message": {"role": "assistant", "content": "Two years."}}),
    )
    facts = otel_genai.read(span("chat", logs=parts))
    assert [message.role for message in facts.input_messages] == ["system", "user", "assistant", "tool"]
    assert facts.input_messages[2].tool_invocations[0].name == "search"
    assert said(facts)[-1] == ("assistant", "Two years.")


def test_retrieval_has_ids_and_scores_without_texts() -> None:
    documents = json.dumps([{"id": "a", "score": 0.5}, {"id": "b", "score": None}])
    facts = otel_genai.read(span("retrieval", {"retrieval.query.text": "How long?", "retrieval.documents": documents}))
    assert facts.query == "How long?"
    assert [(each.id, each.text, each.score) for each in facts.documents or ()] == [("a", None, 0.5), ("b", None, None)]
    assert otel_genai.read(span("retrieval", {"retrieval.documents": "[]"})).documents == ()
    assert otel_genai.read(span("retrieval")).documents is None


def test_memory_records_carry_texts() -> None:
    facts = otel_genai.read(
        span("search_memory", {"memory.records": json.dumps([{"id": "m", "content": "Two years."}])})
    )
    assert [(each.id, each.text) for each in facts.documents or ()] == [("m", "Two years.")]


def test_names_and_ids_are_read() -> None:
    facts = otel_genai.read(
        span(
            "chat",
            {
                "conversation.id": "s",
                "agent.name": "support",
                "request.model": "asked-for",
                "response.model": "given",
                "response.id": "r",
                "data_source.id": "kb",
                "prompt.variable.context": "a text",
            },
        )
    )
    assert (facts.session, facts.agent, facts.model, facts.response_id, facts.data_source) == (
        "s",
        "support",
        "given",
        "r",
        "kb",
    )
    assert facts.variables == {"context": "a text"}


def test_only_a_tool_has_a_result() -> None:
    attributes = {
        "tool.name": "search",
        "tool.call.id": "c",
        "tool.call.arguments": '{"q": 1}',
        "tool.call.result": "[]",
    }
    facts = otel_genai.read(span("execute_tool", attributes))
    assert (facts.tool_name, facts.tool_call_id, facts.tool_args, facts.tool_result) == ("search", "c", {"q": 1}, [])


def test_other_log_records_and_our_own_event_are_no_marks() -> None:
    bare = SpanRecord(trace_id="1" * 32, span_id="2" * 16)
    for name, speaks in (("gen_ai.choice", True), ("gen_ai.evaluation.result", False), ("app.started", False)):
        record = SpanRecord(trace_id="1" * 32, span_id="2" * 16, logs=(LogPart(name),))
        assert otel_genai.speaks(record) is speaks
    assert not otel_genai.speaks(bare)

from __future__ import annotations

from spanjudge.dialects import litellm
from spanjudge.sources.record import LogPart
from unit.dialects.one_span import ANSWER, QUERY, contents, one


def prompt(role: str, content: str) -> LogPart:
    return LogPart("", {"role": role, "content": content}, {"event_name": "gen_ai.content.prompt"})


def completion(content: str) -> LogPart:
    body = {"index": 0, "message": {"role": "assistant", "content": content}}
    return LogPart("gen_ai.content.completion", body, {})


def test_call_is_told_by_log_records_on_a_span_that_is_not_its_own() -> None:
    facts = litellm.read(one(logs=(prompt("system", "Be short."), prompt("user", QUERY), completion(ANSWER))))
    assert facts.kind == "llm"
    assert contents(facts.input_messages) == [("system", "Be short."), ("user", QUERY)]
    assert contents(facts.output_messages) == [("assistant", ANSWER)]


def test_last_of_several_calls_on_one_span_counts() -> None:
    first = (prompt("user", "Rewrite it."), completion("warranty length"))
    facts = litellm.read(one(logs=(*first, prompt("user", QUERY), completion(ANSWER))))
    assert contents((*facts.input_messages, *facts.output_messages)) == [("user", QUERY), ("assistant", ANSWER)]


def test_raw_request_only_repeats_its_parent() -> None:
    raw = one({"litellm.call_id": "1", "llm.openai.messages": "[{'role': 'user'}]"}, name="raw_gen_ai_request")
    assert litellm.kind(raw) is None
    assert not litellm.speaks(raw)


def test_span_without_its_marks_is_left_alone() -> None:
    assert not litellm.speaks(one({"gen_ai.request.model": "m"}))
    assert litellm.kind(one({"litellm.call_id": "1"})) == "llm"


def test_placeholder_is_told() -> None:
    assert litellm.read(one(logs=(prompt("user", "__REDACTED__"),))).redacted

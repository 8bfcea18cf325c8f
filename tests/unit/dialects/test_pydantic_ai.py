from __future__ import annotations

from typing import Any

import pytest

from spanjudge.dialects import pydantic_ai
from unit.dialects.one_span import ANSWER, DOCUMENTS, QUERY, contents, one, text

MESSAGES = "pydantic_ai.all_messages"
SCOPE = "pydantic-ai"


def said(role: str, content: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": content}]}


FETCHED = {"role": "user", "parts": [{"type": "tool_call_response", "id": "c", "name": "search", "result": DOCUMENTS}]}
HISTORY = [said("user", "Hi"), said("assistant", "Hello.")]
TURN = [said("user", QUERY), FETCHED, said("assistant", ANSWER)]


def test_conversation_is_parted_after_the_present_question() -> None:
    facts = pydantic_ai.read(one({MESSAGES: text(HISTORY + TURN), "pydantic_ai.new_message_index": 2}, scope=SCOPE))
    assert contents(facts.input_messages) == [("user", "Hi"), ("assistant", "Hello."), ("user", QUERY)]
    assert [message.role for message in facts.output_messages] == ["tool", "assistant"]
    assert facts.output_messages[-1].content == ANSWER


def test_turn_without_a_question_of_its_own_begins_where_it_says() -> None:
    given = {MESSAGES: text([*HISTORY, said("assistant", ANSWER)]), "pydantic_ai.new_message_index": 2}
    facts = pydantic_ai.read(one(given, scope=SCOPE))
    assert contents(facts.output_messages) == [("assistant", ANSWER)]


@pytest.mark.parametrize(
    ("given", "name", "kind"),
    [
        ({"agent_name": "support"}, "agent run", "agent"),
        ({MESSAGES: "[]"}, "invoke_agent support", "agent"),
        ({"tool_response": "x"}, "running tool", "tool"),
        ({}, "running tool: search", "tool"),
        ({"events": "[]"}, "chat m", "llm"),
        ({}, "running 2 tools", None),
    ],
)
def test_kind_is_told_by_names_of_every_version(given: dict[str, object], name: str, kind: str | None) -> None:
    assert pydantic_ai.kind(one(given, name=name, scope=SCOPE)) == kind


def test_words_that_others_use_too_mean_nothing_elsewhere() -> None:
    assert pydantic_ai.kind(one({"agent_name": "x", "events": "[]", "tool_response": "y"})) is None


def test_tool_is_read_by_its_older_names() -> None:
    given = {"gen_ai.tool.name": "search", "tool_arguments": '{"q": "x"}', "tool_response": text(DOCUMENTS)}
    facts = pydantic_ai.read(one(given, name="running tool", scope=SCOPE))
    assert (facts.tool_name, facts.tool_args, facts.tool_result) == ("search", {"q": "x"}, DOCUMENTS)


def test_result_is_the_answer() -> None:
    assert pydantic_ai.read(one({MESSAGES: "[]", "final_result": ANSWER}, scope=SCOPE)).answer == ANSWER
    assert pydantic_ai.read(one({MESSAGES: "[]", "final_result": " "}, scope=SCOPE)).answer is None


def test_conversation_that_breaks_off_is_cut() -> None:
    assert pydantic_ai.read(one({MESSAGES: text(TURN)[:40]}, scope=SCOPE)).cut

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.dialects.messages import CALL_IDS, last_text, message_of, messages_in, this_turn

Q, A = "How long does it last?", "Two years."
ASKED = {"role": "user", "content": Q}

CONVERSATIONS: dict[str, object] = {
    "chat": [{"role": "system", "content": "s"}, ASKED, {"role": "assistant", "content": A}],
    "in a record": {"messages": [ASKED, {"role": "assistant", "content": A}], "k": 3},
    "content in parts": [
        {"role": "user", "content": [{"type": "text", "text": Q}, {"type": "image_url", "image_url": {}}]},
        {"role": "assistant", "content": [{"type": "output_text", "text": A}]},
    ],
    "parts": [
        {"role": "user", "parts": [{"type": "text", "content": Q}]},
        {"role": "assistant", "parts": [{"type": "reasoning", "content": "hm"}, {"type": "text", "content": A}]},
    ],
    "serialised with data": [{"type": "human", "data": {"content": Q}}, {"type": "ai", "data": {"content": A}}],
    "constructor form, in a list": [
        [
            {"lc": 1, "type": "constructor", "id": ["m", "HumanMessage"], "kwargs": {"content": Q, "type": "human"}},
            {"lc": 1, "type": "constructor", "id": ["m", "AIMessageChunk"], "kwargs": {"content": A}},
        ]
    ],
    "model as role": [{"role": "user", "parts": [{"text": Q}]}, {"role": "model", "parts": [{"text": A}]}],
    "blocks": [{"role": "user", "blocks": [{"text": Q}]}, {"role": "assistant", "blocks": [{"text": A}]}],
    "items of a response": [
        ASKED,
        {"type": "reasoning"},
        {"type": "message", "content": [{"type": "output_text", "text": A}]},
    ],
    "choices": [ASKED, {"index": 0, "message": {"role": "assistant", "content": A}}],
}


@pytest.mark.parametrize("name", CONVERSATIONS)
@pytest.mark.parametrize("encode", [lambda value: value, json.dumps])
def test_question_and_answer_are_found_in_every_shape(name: str, encode: Any) -> None:
    messages = messages_in(encode(CONVERSATIONS[name]))
    assert (last_text(messages, "user"), last_text(messages, "assistant")) == (Q, A)


CALLS: dict[str, dict[str, Any]] = {
    "tool calls": {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q": "x"}'}}],
    },
    "tool calls, short": {
        "type": "ai",
        "content": "",
        "tool_calls": [{"id": "c1", "name": "search", "args": {"q": "x"}}],
    },
    "part": {
        "role": "assistant",
        "parts": [{"type": "tool_call", "id": "c1", "name": "search", "arguments": {"q": "x"}}],
    },
    "use": {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "search", "input": {"q": "x"}}]},
    "wrapped use": {
        "role": "assistant",
        "content": [{"toolUse": {"toolUseId": "c1", "name": "search", "input": {"q": "x"}}}],
    },
    "function call": {
        "role": "model",
        "parts": [{"function_call": {"id": "c1", "name": "search", "args": {"q": "x"}}}],
    },
    "item": {"type": "function_call", "call_id": "c1", "name": "search", "arguments": '{"q": "x"}'},
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_of_tools_are_found_in_every_shape(name: str) -> None:
    message = message_of(CALLS[name])
    assert message is not None
    (call,) = message.tool_invocations
    assert (message.role, message.content) == ("assistant", "")
    assert (call.name, call.args, call.state, call.result) == ("search", {"q": "x"}, "call", None)
    assert message.metadata[CALL_IDS] == ("c1",)


RESULTS: dict[str, dict[str, Any]] = {
    "tool message": {"role": "tool", "tool_call_id": "c1", "content": "found"},
    "response": {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "found"}]},
    "result, as user": {"role": "user", "parts": [{"type": "tool_call_response", "id": "c1", "result": "found"}]},
    "result block": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "found"}]},
    "item": {"type": "function_call_output", "call_id": "c1", "output": "found"},
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_of_tools_are_found_in_every_shape(name: str) -> None:
    message = message_of(RESULTS[name])
    assert message is not None
    (call,) = message.tool_invocations
    assert (message.role, call.state, call.result, message.metadata[CALL_IDS]) == ("tool", "result", "found", ("c1",))


def test_search_that_the_provider_ran_keeps_its_results() -> None:
    results = [{"file_id": "a", "text": A}]
    part = {"type": "server_tool_call", "id": "f", "name": "file_search", "server_tool_call": {"results": results}}
    for item in (
        {"role": "assistant", "parts": [part]},
        {"type": "file_search_call", "id": "f", "queries": ["x"], "results": results},
    ):
        message = message_of(item)
        assert message is not None
        assert [(call.name, call.state, call.result) for call in message.tool_invocations] == [
            ("file_search", "result", results)
        ]


def test_this_turn_begins_after_the_last_user_message() -> None:
    messages = messages_in(
        [
            {"role": "user", "content": "earlier"},
            {"role": "tool", "content": "old"},
            {"role": "assistant", "content": A},
            ASKED,
            {"role": "tool", "content": "new"},
        ]
    )
    assert [message.content for message in this_turn(messages)] == ["new"]
    assert [message.content for message in this_turn(messages[4:])] == ["new"]


def test_messages_without_text_and_redacted_ones_are_no_answer() -> None:
    messages = messages_in(
        [{"role": "assistant", "content": A}, CALLS["part"], {"role": "assistant", "content": "__REDACTED__"}]
    )
    assert last_text(messages, "assistant") == A


@pytest.mark.parametrize(
    "value", [None, 7, "text", [], {}, ["a", "b"], [{"id": "a", "text": A}], {"type": "text", "text": A}]
)
def test_what_holds_no_messages_gives_none(value: object) -> None:
    assert messages_in(value) == ()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "role",
                    "type",
                    "content",
                    "parts",
                    "message",
                    "data",
                    "kwargs",
                    "tool_calls",
                    "function",
                    "id",
                    "result",
                    "text",
                    "messages",
                ]
            ),
            inner | st.sampled_from(["user", "assistant", "tool", "human", "tool_call", "message", "function_call"]),
            max_size=4,
        )
    ),
    max_leaves=16,
)


@given(json_values)
def test_any_value_is_taken(value: object) -> None:
    for message in messages_in(value):
        assert isinstance(message.content, str)


def parts(*texts: str) -> dict[str, Any]:
    return {
        "role": "tool",
        "tool_call_id": "call-2",
        "content": [{"message_content": {"text": text}} for text in texts],
    }


def test_structures_in_one_tool_message_are_results_of_several_calls_and_the_id_is_the_lasts() -> None:
    message = message_of(parts('[{"id": "a", "text": "Two years."}]', '{"time": "12:30"}'))
    assert message is not None
    assert [call.result for call in message.tool_invocations] == [
        [{"id": "a", "text": "Two years."}],
        {"time": "12:30"},
    ]
    assert message.metadata == {CALL_IDS: ("", "call-2")}


def test_texts_in_one_tool_message_are_one_result() -> None:
    message = message_of(parts("Two years.", '{"time": "12:30"}'))
    assert message is not None
    assert [call.result for call in message.tool_invocations] == [
        [{"text": "Two years."}, {"text": '{"time": "12:30"}'}]
    ]

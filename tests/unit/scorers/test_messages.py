from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.conversation import AgentInput, AgentOutput, Message, ToolInvocation
from spanjudge.scorers.messages import agent_input, agent_output, answer_of, as_json, question_of, tool_results

USER = {"role": "user", "content": "Why?"}


@pytest.mark.parametrize(
    "value",
    [
        "Why?",
        AgentInput([Message("system", "Be kind."), Message("user", "Why?"), Message("user", "And how?")]),
        [USER],
        [Message("user", "Why?")],
        {"input_messages": [USER]},
        {"inputMessages": [USER, {"role": "user", "content": "And how?"}]},
        SimpleNamespace(input_messages=[USER]),
        {"messages": [USER]},
        {"prompt": "Why?"},
        {"question": "Why?"},
        {"text": "Why?"},
        {"content": "Why?"},
        {"input": {"query": "Why?"}},
        {"user": "Why?"},
        [{"role": "user", "content": [{"type": "text", "text": "See below."}, {"type": "text", "text": "Why?"}]}],
        [{"role": "user", "content": {"format": 2, "content": "Why?", "parts": []}}],
        [{"role": "user", "content": {"parts": [{"type": "text", "text": "Why?"}]}}],
    ],
)
def test_question_is_found_in_every_shape_that_callers_use(value: object) -> None:
    assert question_of(value) == "Why?"


@pytest.mark.parametrize(
    "value",
    [
        "Because.",
        [
            Message("assistant", "Hm."),
            Message("tool", "raw"),
            Message("assistant", "Because."),
            Message("assistant", ""),
        ],
        [{"role": "assistant", "content": "Because."}],
        {"text": "Because."},
        {"content": "Because."},
        {"answer": "Because.", "contexts": ["x"]},
        {"output": {"text": "Because."}},
        {"messages": [USER, {"role": "assistant", "content": "Because."}]},
        SimpleNamespace(text="Because."),
        SimpleNamespace(content="Because.", run=lambda: None),
    ],
)
def test_answer_is_the_last_text_of_the_assistant(value: object) -> None:
    assert answer_of(value) == "Because."


@pytest.mark.parametrize("value", [None, 7, [], {}, {"text": 7}, [USER], object()])
def test_no_answer_is_none_and_not_a_guess(value: object) -> None:
    assert answer_of(value) is None


@pytest.mark.parametrize("value", ["Why?", {"text": "Why?"}, ["a", "b"], [], None, 7, [{"text": "no role"}]])
def test_what_is_no_list_of_messages_has_not_the_agents_shape(value: object) -> None:
    assert agent_input(value) is None
    assert agent_output(value) is None


def test_metadata_of_messages_and_output_is_kept() -> None:
    output = AgentOutput([Message("assistant", "Because.", metadata={"a": 1})], {"retrieved_context": ["x"]})
    assert agent_output(output) is output
    read = agent_output([{"role": "assistant", "content": "Because.", "metadata": {"a": 1}}])
    assert read is not None
    assert (read[0].metadata, read.metadata) == ({"a": 1}, {})


@pytest.mark.parametrize(
    "message",
    [
        {
            "role": "assistant",
            "content": "",
            "tool_invocations": [{"name": "t", "state": "result", "result": {"at": 10}}],
        },
        {
            "role": "assistant",
            "content": {"toolInvocations": [{"toolName": "t", "state": "result", "result": {"at": 10}}]},
        },
        {
            "role": "assistant",
            "content": {
                "parts": [{"type": "tool-invocation", "toolInvocation": {"state": "result", "result": {"at": 10}}}]
            },
        },
        {"role": "tool", "name": "t", "content": '{"at": 10}'},
        Message("assistant", "", [ToolInvocation("t", {}, "result", {"at": 10})]),
        {"role": "assistant", "tool_invocations": [ToolInvocation("t", {}, "result", {"at": 10})]},
    ],
)
def test_tool_results_are_found_wherever_they_are_kept(message: Any) -> None:
    assert tool_results(agent_output([message])) == ['{"at": 10}']


def test_tools_still_at_work_have_no_result() -> None:
    calls = [
        ToolInvocation("t", {}, "call"),
        ToolInvocation("t", {}, "call", "early"),
        ToolInvocation("u", {}, "result", "done"),
    ]
    assert tool_results(AgentOutput([Message("assistant", "", calls)])) == ["done"]
    assert tool_results(None) == []


def test_values_become_json_and_texts_stay_as_they_are() -> None:
    assert as_json("참") == "참"
    assert as_json({"a": "참"}) == '{"a": "참"}'


values = st.recursive(
    st.one_of(st.none(), st.text(max_size=5), st.integers(), st.floats()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                ["role", "content", "messages", "parts", "toolInvocations", "text", "input", "metadata", "state"]
            ),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=12,
)


@given(values)
def test_no_shape_makes_reading_fail(value: object) -> None:
    assert isinstance(question_of(value), str | None)
    assert isinstance(answer_of(value), str | None)
    assert isinstance(tool_results(agent_output(value)), list)


def test_value_that_holds_itself_is_given_up_on() -> None:
    loop: dict[str, Any] = {}
    loop["messages"] = loop
    assert question_of(loop) is None
    assert answer_of(loop) is None

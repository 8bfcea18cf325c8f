from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.dialects.texts import answered, asked

Q, A = "How long does it last?", "Two years."

QUESTIONS: list[object] = [
    Q,
    {"question": Q, "context": ["a text", "another text"]},
    {"Question": Q},
    {"query": Q, "top_k": 3},
    {"task": Q, "stream": False, "reset": True, "max_steps": None},
    {"input": Q, "chat_history": []},
    {"input": {"question": Q, "context": []}},
    {"args": [Q], "kwargs": {}},
    {"args": [], "kwargs": {"question": Q, "k": 3}},
    {
        "messages": [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "Hello"},
            {"role": "user", "content": Q},
        ]
    },
    [{"role": "user", "content": Q}],
    {"data": {"embedder": {"text": Q}, "prompt": {"question": Q}}},
    {"query_bundle": {"query_str": Q, "image_path": None}},
    {"frage": Q, "k": 3},
    [Q],
]


@pytest.mark.parametrize("value", QUESTIONS)
def test_question_is_found_in_every_shape(value: object) -> None:
    assert asked(value) == Q
    assert asked(json.dumps(value)) == (json.dumps(value) if isinstance(value, str) else Q)


ANSWERS: list[object] = [
    A,
    {"answer": A, "context": [{"page_content": "a text"}], "input": Q},
    {"reasoning": "Because the text says so.", "answer": A},
    {"messages": [{"type": "human", "data": {"content": Q}}, {"type": "ai", "data": {"content": A}}]},
    {"response": A, "sources": "[<Node object>]", "source_nodes": []},
    {"output": {"text": A}},
    {"outputs": A},
    {"choices": [{"index": 0, "message": {"role": "assistant", "content": A}}]},
    {"generations": [[{"text": A, "generation_info": {}}]]},
    [{"role": "assistant", "content": A}],
    [A],
    {"antwort": A, "n": 1},
]


@pytest.mark.parametrize("value", ANSWERS)
def test_answer_is_found_in_every_shape(value: object) -> None:
    assert answered(value) == A


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        7,
        {},
        [],
        {"user_id": 5, "filters": {"lang": "de"}},
        {
            "init_state": {"config": {"steps": {"a": {"accepted_events": ["<ToolCall(*, name: str) -> None>"]}}}},
            "start_event": "S()",
        },
        {
            "user_msg": None,
            "chat_history": ["ChatMessage(role=<R.S: 's'>, blocks=[TextBlock(text='t')])"],
            "tools": ["<T object>"],
        },
        "StopEvent(result=AgentOutput(text='a'))",
        {"first": "one text here", "second": "another text here"},
    ],
)
def test_nothing_is_found_where_nothing_is_said(value: object) -> None:
    assert asked(value) is None
    assert answered(value) is None


def test_generator_as_output_is_no_answer() -> None:
    assert answered({"response_gen": "<generator object>", "source_nodes": ["<N(node=T(id_=k), score=0.8)>"]}) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["question", "input", "args", "kwargs", "data", "messages", "answer", "output", "choices", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=16,
)


@given(json_values)
def test_any_value_gives_a_text_or_none(value: object) -> None:
    assert asked(value) is None or isinstance(asked(value), str)
    assert answered(value) is None or isinstance(answered(value), str)


@pytest.mark.parametrize("output", [{"query": Q, "documents": []}, [{"id": "a", "text": "A text."}], {"question": Q}])
def test_question_and_documents_in_an_output_are_no_answer(output: object) -> None:
    assert answered(output) is None

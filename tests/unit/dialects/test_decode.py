from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.dialects.decode import MAX_CHARS, REDACTED, decode, decode_fully, is_cut, is_repr, plain


@pytest.mark.parametrize(
    "text",
    [
        "How long?",
        "[kb-2] The warranty lasts two years.",
        "{'a': 1}",
        "__import__('os').system('true')",
        "{name}",
        "12",
        "true",
        '"quoted"',
        "[" * 100_000,
        "[" + "9" * 10_000 + "]",
        "",
    ],
)
def test_what_is_no_json_stays_a_text(text: str) -> None:
    assert decode(text) is text


def test_json_is_parsed_whatever_blanks_stand_before() -> None:
    assert decode(' \n{"a": [1, "b"]}') == {"a": [1, "b"]}
    assert decode(["native"]) == ["native"]


def test_quotes_are_taken_off_only_where_asked() -> None:
    assert decode('"a \\ud800"', quoted=True) == "a \ufffd"
    assert decode("\"He said 'no'\" loudly", quoted=True) == "\"He said 'no'\" loudly"


def test_json_in_json_is_parsed_up_to_four_levels() -> None:
    value: object = {"bottom": 1}
    for level in range(1, 7):
        value = json.dumps(value)
        assert (decode_fully(value) == {"bottom": 1}) is (level <= 4)


def test_texts_beyond_the_bound_are_not_parsed() -> None:
    huge = '["' + "a" * MAX_CHARS + '"]'
    assert decode(huge) is huge
    assert not is_cut(huge[:-1])


WHOLE = '[{"id": "kb-1", "text": "a \\u00e4 \\"b\\" {c}", "n": [1.5e3, true, null], "o": {}}]'


@pytest.mark.parametrize("length", range(1, len(WHOLE)))
def test_json_that_breaks_off_anywhere_is_cut(length: int) -> None:
    assert is_cut(WHOLE[:length])


@pytest.mark.parametrize(
    "text", [WHOLE, "[1] see page 3", "{'a': 1}", "{name}", "[kb-2] text", "(a", "", '{"a": 1} trailing']
)
def test_whole_json_and_plain_texts_are_not_cut(text: str) -> None:
    assert not is_cut(text)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=8))
def test_json_comes_back_as_it_was(value: object) -> None:
    text = json.dumps([value])
    assert decode(text) == [value] or any("\ud800" <= char <= "\udfff" for char in text)
    assert not is_cut(text)


@given(st.text())
def test_any_text_is_taken(text: str) -> None:
    decode(text, quoted=True)
    decode_fully(text)
    is_cut(text)
    is_repr(text)


@pytest.mark.parametrize(
    "text",
    [
        "<generator object RunnableSequence.stream at 0x7f>",
        "<async_generator object>",
        "StopEvent(result=AgentOutput(response=ChatMessage(role=<MessageRole.ASSISTANT: 'assistant'>)))",
        "AgentOutput(response=ChatMessage(blocks=[TextBlock(text='The warranty lasts 24 months and covers..",
        "ChatMessage(_role=<ChatRole.SYSTEM: 'system'>, _content=[TextContent(text='support')], _name=None)",
    ],
)
def test_reprs_are_no_texts(text: str) -> None:
    assert is_repr(text)
    assert plain(text) is None


@pytest.mark.parametrize(
    "text", ["Call f(x=1) to start.", "Is 2 < 3?", "<b>Two years.</b>", "Two years (from purchase)."]
)
def test_answers_about_code_are_texts(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize("value", ["", " \n", REDACTED, None, 7, ["a"]])
def test_blank_and_redacted_texts_say_nothing(value: object) -> None:
    assert plain(value) is None

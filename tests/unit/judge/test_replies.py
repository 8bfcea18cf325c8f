from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AliasChoices, BaseModel, Field, create_model

from spanjudge.judge.replies import Unreadable, list_field, read, read_text, without_thinking


class Verdict(BaseModel):
    index: int | None = None
    verdict: str


class Verdicts(BaseModel):
    verdicts: list[Verdict]


class Claims(BaseModel):
    claims: list[str]


class Both(BaseModel):
    claims: list[str]
    statements: list[str]


CLAIMS = '{"claims": ["a", "b"]}'


@pytest.mark.parametrize(
    "text",
    [
        CLAIMS,
        f"```json\n{CLAIMS}\n```",
        f"```\n{CLAIMS}\n```\nThat is all.",
        f"Here you are [0]:\n\n{CLAIMS}\n\nAnything else? [1]",
        f"<think>maybe {{}} or [1]</think>{CLAIMS}",
        f"<THINKING>\n{{'claims': no}}\n</THINKING>\n```json\n{CLAIMS}```",
        f"all this is thought</think>\n{CLAIMS}",
        '{"claims": ["a", "b",],}',
        'So: {"claims": [\n"a",\n"b",\n],\n} done',
        '["a", "b"]',
        'The list is ["a", "b"].',
        f"[{CLAIMS}]",
        f'{{"result": {CLAIMS}}}',
        f'{{"claims": ["first try"]}} no, wait: {CLAIMS}',
        f"{{broken {CLAIMS}",
        f'He said "{{ and then: {CLAIMS}',
    ],
)
def test_two_claims_are_read_from_all_manners_of_writing_them(text: str) -> None:
    value = read(text, Claims)
    assert isinstance(value, Claims)
    assert value.claims == ["a", "b"]


def test_line_breaks_inside_strings_are_forgiven() -> None:
    value = read('{"claims": ["two\nlines"]}', Claims)
    assert isinstance(value, Claims)
    assert value.claims == ["two\nlines"]


def test_a_comma_before_a_bracket_inside_a_string_stays() -> None:
    value = read('{"claims": ["a,]", "b,}",]}', Claims)
    assert isinstance(value, Claims)
    assert value.claims == ["a,]", "b,}"]


def test_a_closing_think_tag_inside_json_is_text() -> None:
    value = read('{"claims": ["it says </think> there"]}', Claims)
    assert isinstance(value, Claims)
    assert value.claims == ["it says </think> there"]


def test_a_cited_number_is_no_list_of_claims() -> None:
    assert isinstance(read("As [0] says, nothing.", Claims), Unreadable)


def test_a_bare_list_needs_a_model_with_one_list_field() -> None:
    assert isinstance(read('["a"]', Both), Unreadable)
    assert list_field(Both) is None
    assert list_field(Verdicts) == "verdicts"


@pytest.mark.parametrize(
    "names", [{"alias": "a"}, {"validation_alias": "a"}, {"validation_alias": AliasChoices("a", "b")}]
)
def test_a_bare_list_finds_a_field_by_its_alias(names: dict[str, Any]) -> None:
    model = create_model("Aliased", things=(list[int], Field(**names)))
    value = read("[1, 2]", model)
    assert isinstance(value, model)
    assert value.model_dump() == {"things": [1, 2]}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no JSON"),
        ("I cannot say.", "no JSON"),
        ("<think>for ever", "no JSON"),
        ("3", "no JSON"),
        ('{"statements": ["a"]}', "does not fit Claims (missing)"),
        ('{"claims": "a"}', "does not fit Claims (list_type)"),
        ('{"claims": ["a", ', "no JSON"),
    ],
)
def test_what_cannot_be_used_is_said_without_the_content(text: str, kind: str) -> None:
    value = read(text, Claims)
    assert isinstance(value, Unreadable)
    assert kind in value.summary


def test_the_problem_tells_the_judge_where_and_what() -> None:
    value = read('{"verdicts": [{"index": 0, "verdict": "yes"}, {"index": "x"}]}', Verdicts)
    assert isinstance(value, Unreadable)
    assert "verdicts.1.verdict: Field required" in value.problem
    assert "verdicts.1.index" in value.problem
    assert value.summary == "JSON that does not fit Verdicts (int_parsing, missing)"


def test_a_cut_reply_is_not_taken_for_its_first_item() -> None:
    class One(BaseModel):
        verdicts: list[Verdict]

    assert isinstance(read('{"verdicts": [{"index": 0, "verdict": "yes"}, {"index": 1, "ver', One), Unreadable)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It is so.", "It is so."),
        ('{"reason": "It is so."}', "It is so."),
        ('```json\n{"reason": " It is so. "}\n```', "It is so."),
        ("```\nIt is so.\n```", "It is so."),
        ('{"why": "It is so."}', "It is so."),
        ('{"score": 1, "explanation": "It is so."}', "It is so."),
        ("<think>hm</think> It is so.", "It is so."),
        ('{"a": 1, "b": 2}', '{"a": 1, "b": 2}'),
        ("{not json}", "{not json}"),
    ],
)
def test_a_reason_is_unwrapped(text: str, words: str) -> None:
    assert read_text(text) == words


@pytest.mark.parametrize("text", ["", "  \n", "<think>only this</think>", '{"reason": ""}'])
def test_an_empty_reason_is_unreadable(text: str) -> None:
    assert isinstance(read_text(text), Unreadable)


def test_thinking_in_the_middle_of_an_answer_stays() -> None:
    assert without_thinking("answer <think>x</think> more") == "answer <think>x</think> more"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
prose = st.text(st.characters(codec="utf-8", exclude_characters='{}[]"<`'), max_size=30)


@given(claims=st.lists(st.text(), max_size=4), before=prose, after=prose, fenced=st.booleans())
def test_whatever_stands_around_the_json_the_claims_come_out_whole(
    claims: list[str],
    before: str,
    after: str,
    fenced: bool,  # noqa: FBT001 - drawn
) -> None:
    body = json.dumps({"claims": claims}, ensure_ascii=False)
    body = f"```json\n{body}\n```" if fenced else body
    value = read(f"{before}{body}{after}", Claims)
    assert isinstance(value, Claims)
    assert value.claims == claims


@given(st.text() | json_values.map(json.dumps))
def test_no_reply_raises(text: str) -> None:
    assert isinstance(read(text, Verdicts), Verdicts | Unreadable)
    assert isinstance(read_text(text), str | Unreadable)


@given(json_values)
def test_a_summary_never_quotes_the_reply(value: object) -> None:
    marked = {"claims": [{"zq-content": value}], "zq-key": "zq-value"}
    result = read(json.dumps(marked), Claims)
    assert isinstance(result, Unreadable)
    assert "zq" not in result.summary


@pytest.mark.parametrize(
    "piece",
    ["[", "{", '{"a":', '["', "<think>", "</think>", "```\n", '"', '\\"', ",", ", ", "{},", "[0]", '[1,"', "\n"],
)
def test_hostile_repetition_costs_little(piece: str) -> None:
    started = time.process_time()
    read(piece * (400_000 // len(piece)), Claims)
    read_text(piece * (400_000 // len(piece)))
    assert time.process_time() - started < 3


@pytest.mark.parametrize("unit", ['"\\', '"\\"', "\\", '"', '","\\'])
def test_reply_of_endless_quotes_and_backslashes_is_read_in_one_pass(unit: str) -> None:
    assert isinstance(read(unit * 50_000, Claims), Unreadable)

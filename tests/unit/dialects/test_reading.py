from __future__ import annotations

import re

import pytest

from spanjudge.dialects.reading import AS_IT_STANDS, Reading
from spanjudge.errors import InputError


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(", "The context pattern '(' is no regular expression"),
        ("no group", "The context pattern 'no group' has 0 groups: give it exactly one"),
        ("(a)(b)", "The context pattern '(a)(b)' has 2 groups: give it exactly one"),
    ],
)
def test_pattern_that_cannot_be_used_is_refused_at_the_door(pattern: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        Reading(context_patterns=(pattern,))


def test_patterns_find_every_context_that_is_no_blank() -> None:
    reading = Reading(context_patterns=(r"<doc>(.*?)</doc>", re.compile(r"ctx: (.+)")))
    assert reading.found_in("<doc>a</doc><doc> </doc><doc>b</doc>\nctx: c") == ["a", "b", "c"]
    assert AS_IT_STANDS.found_in("ctx: c") == []


def test_one_pattern_or_name_need_not_stand_in_a_list() -> None:
    reading = Reading(context_patterns="(a)", retrieval_tools="search", keep_attributes="tenant")
    assert reading.found_in("a") == ["a"]
    assert reading.retrieval_tools == frozenset({"search"})
    assert reading.keep_attributes == frozenset({"tenant"})


@pytest.mark.parametrize(
    ("reading", "taken"),
    [
        (AS_IT_STANDS, {"search", "clock", None}),
        (Reading(retrieval_tools={"search"}), {"search"}),
        (Reading(ignored_tools={"clock"}), {"search", None}),
        (Reading(retrieval_tools={"search", "clock"}, ignored_tools={"clock"}), {"search"}),
    ],
)
def test_tools_are_taken_by_their_names(reading: Reading, taken: set[str | None]) -> None:
    assert {name for name in ("search", "clock", None) if reading.takes(name)} == taken


def test_readings_with_the_same_settings_are_equal() -> None:
    assert Reading(ignored_tools=["a"]) == Reading(ignored_tools={"a"})

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spanjudge.dialects.flat import MAX_LIST, nested, records


def test_records_stand_in_the_order_of_their_numbers() -> None:
    found, gap = records({f"d.{number}.x": number for number in (10, 2, 0, 1)}, "d")
    assert ([record["x"] for record in found or ()], gap) == ([0, 1, 2, 10], True)


def test_missing_list_and_empty_list_differ() -> None:
    assert records({"dx.0.a": 1, "d": None}, "d") == (None, False)
    assert records({"d": ()}, "d") == ([], False)


def test_names_that_are_no_numbers_are_left_alone() -> None:
    assert records({"d.x.a": 1, "d.-1.a": 1, "d.9999999.a": 1, "d.²": 1}, "d") == (None, False)


def test_lists_are_bounded() -> None:
    found, _ = records({f"d.{number}.x": 1 for number in range(MAX_LIST + 10)}, "d")
    assert len(found or ()) == MAX_LIST


@given(st.dictionaries(st.text("ab.01", max_size=10), st.integers(), max_size=8))
def test_any_names_are_taken(flat: dict[str, object]) -> None:
    nested(flat)
    records(flat, "a")

from __future__ import annotations

from spanjudge.dialects.attributes import any_cut, as_record, is_redacted, text


def test_first_text_with_anything_in_it_is_taken() -> None:
    assert text({"a": "", "b": 3, "c": "x"}, "a", "b", "c") == "x"
    assert text({}, "a") is None


def test_record_in_quotes_is_a_record() -> None:
    assert as_record('{"a": 1}') == {"a": 1}
    assert as_record("[1]") == {}


def test_placeholder_is_known_among_other_values() -> None:
    assert is_redacted([None, "__REDACTED__"])
    assert not is_redacted(["a __REDACTED__ part"])


def test_open_quotes_are_a_cut_only_where_every_text_stands_in_quotes() -> None:
    assert any_cut(['"a'], quoted=True)
    assert not any_cut(['"a'])
    assert not any_cut(['"a"', "plain"], quoted=True)

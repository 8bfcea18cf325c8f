import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.report.cut import cut


def test_short_text_stays_as_it_is() -> None:
    assert cut("as it is\n\tÄ 日本語", 100) == "as it is\n\tÄ 日本語"


def test_long_text_says_how_much_is_missing() -> None:
    assert cut("x" * 100_000, 2000) == "x" * 2000 + " [… 98,000 more characters]"


@pytest.mark.parametrize("unfit", ["\x00", "\x1b", "\x7f", "\ud800", "\u202e", "\u2066"])
def test_character_that_no_page_can_hold_is_shown_as_unknown(unfit: str) -> None:
    assert cut(f"a{unfit}b") == "a\ufffdb"


@given(st.text(), st.integers(1, 50))
def test_any_text_can_be_written_once_it_is_cut(text: str, most: int) -> None:
    shown = cut(text, most)
    assert shown.encode("utf-8").decode("utf-8") == shown
    assert len(shown) <= most + len(" [… 1,000,000 more characters]")

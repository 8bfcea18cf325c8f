from __future__ import annotations

from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.alerts.yaml_text import dump

TEXTS = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"], include_characters="\n"), max_size=120),
    st.sampled_from(
        ["yes", "no", "1h", "1e3", "null", "~", "a: b", "- a", "#x", "'", '"', '{"a"="b"}', "a:b", " x\ny"]
    ),
)
DATA: st.SearchStrategy[Any] = st.recursive(
    TEXTS | st.integers(-1000, 1000) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(TEXTS, DATA, max_size=4))
def test_what_is_written_is_read_back_by_a_yaml_parser(data: dict[str, Any]) -> None:
    assert yaml.safe_load(dump(data)) == data


def test_long_texts_stand_in_blocks_and_words_bare() -> None:
    text = dump({"alert": "TooLow", "expr": "a\n/\nb", "for": "5m"})
    assert text == 'alert: TooLow\nexpr: |-\n  a\n  /\n  b\nfor: "5m"\n'


def test_text_with_quotes_is_read_without_escapes() -> None:
    assert dump({"agent": '{{ index $labels "a" }}'}) == "agent: '{{ index $labels \"a\" }}'\n"

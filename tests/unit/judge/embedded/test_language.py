import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.judge.embedded.language import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The warranty lasts two years.", "en"),
        ("Die Garantie gilt zwei Jahre.", "en"),
        ("보증 기간은 2년입니다.", "ko"),
        ("iPhone의 보증 기간은 2년입니다.", "ko"),
        ("保修期为两年。", "zh"),
        ("RCEP成员国包括中国和日本。", "zh"),
        ("保証期間は2年です。", "ja"),
        ("The word 保修 means warranty in the manual of this phone.", "en"),
        ("2024", "en"),
        ("", "en"),
    ],
)
def test_language_is_told_by_script(text: str, language: str) -> None:
    assert language_of(text) == language


@given(st.text(max_size=100))
def test_any_text_has_a_language(text: str) -> None:
    assert language_of(text) in {"en", "ko", "zh", "ja"}

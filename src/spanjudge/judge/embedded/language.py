"""Which language to answer in, told by the script of a text."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from spanjudge.judge.embedded.tokens import HAN, HANGUL, KANA

Language: TypeAlias = Literal["en", "ko", "zh", "ja"]

_SAMPLE: Final = 4_000
_HANGUL: Final = re.compile(f"[{HANGUL}]")
_KANA: Final = re.compile(f"[{KANA}]")
_HAN: Final = re.compile(f"[{HAN}]")
_LATIN_WORD: Final = re.compile(r"[A-Za-z\u00c0-\u024f]+")


def language_of(text: str) -> Language:
    """Tell Korean, Chinese and Japanese by their scripts; all else is answered in English.

    >>> [language_of(text) for text in ("보증 기간은 2년", "保修期为两年", "保証は2年です", "two years")]
    ['ko', 'zh', 'ja', 'en']
    """
    sample = text[:_SAMPLE]
    hangul, kana, han = (len(script.findall(sample)) for script in (_HANGUL, _KANA, _HAN))
    # A Latin word weighs about as much as two characters of the other scripts.
    if hangul + kana + han <= 2 * len(_LATIN_WORD.findall(sample)):
        return "en"
    if hangul >= kana + han:
        return "ko"
    return "ja" if kana * 10 > han else "zh"

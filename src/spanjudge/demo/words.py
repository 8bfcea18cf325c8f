"""Words of a text as the demo's retriever and answerer see them."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"\w+")
_ENDINGS: Final = ("ing", "ed", "es", "s")
_LEAST_STEM: Final = 3
_COMMON: Final = """
a an and are as at be been but by can do does for from has have how if in into is it its may must of on or so that
the their them then there these they this to was what when where which while will with would
"""
STOP: Final = frozenset(_COMMON.split())


def words(text: str) -> list[str]:
    """Lower-case words without the commonest ones and without English endings.

    >>> words("Deleting the targets, it deletes __del__")
    ['delet', 'target', 'delet', '__del__']
    """
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in STOP]


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            return word[: -len(ending)]
    return word

"""Foreign texts made fit for a page: bounded, and free of what no page can hold."""

from __future__ import annotations

import re
from typing import Final

LONG: Final = 2000
SHORT: Final = 300
_UNFIT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


def cut(text: str, most: int = LONG) -> str:
    r"""Bound a text and say what was left out; control, direction and surrogate characters show as U+FFFD.

    >>> cut("abcdef", 4)
    'abcd [… 2 more characters]'

    Args:
        text: Any text.
        most: Characters kept, at least 1.
    """
    kept = _UNFIT.sub("\ufffd", text[:most])
    return f"{kept} [… {len(text) - most:,} more characters]" if len(text) > most else kept

"""Long texts in bites, so that work on them can pause, and the bound on how much is read at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_CHARACTERS: Final = 1_000_000
_PIECE: Final = 4_096
_ENDS: Final = ("\n", ". ", "。", " ")


def pieces(text: str) -> Iterator[str]:
    """Cut a text into pieces of at most 4,096 characters, where a line, a sentence or a word ends.

    >>> [len(piece) for piece in pieces("word " * 2400)]
    [4095, 4095, 3810]
    """
    start = 0
    while len(text) - start > _PIECE:
        limit = start + _PIECE
        cuts = (text.rfind(mark, start + _PIECE * 3 // 4, limit) + len(mark) for mark in _ENDS)
        end = next((cut for cut in cuts if cut > start + _PIECE // 2), limit)
        yield text[start:end]
        start = end
    yield text[start:]


def allowances(lengths: Sequence[int], most: int = MOST_CHARACTERS) -> list[int]:
    """Share out characters to texts: short ones whole, long ones what is left in equal parts.

    >>> allowances([10, 500, 500], most=410)
    [10, 200, 200]
    """
    allowed = [0] * len(lengths)
    left = most
    for done, at in enumerate(sorted(range(len(lengths)), key=lengths.__getitem__)):
        allowed[at] = min(lengths[at], left // (len(lengths) - done))
        left -= allowed[at]
    return allowed

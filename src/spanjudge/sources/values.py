"""Attribute values made safe: bounded in depth and number, free of lone surrogates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final

MAX_DEPTH: Final = 24
MAX_ITEMS: Final = 20_000


def clean_text(text: str) -> str:
    r"""Replace lone surrogates, which no encoder downstream takes.

    >>> clean_text("\ud83d\ude00 \ud800") == "\N{GRINNING FACE} \N{REPLACEMENT CHARACTER}"
    True
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def clean(value: object, depth: int = 0) -> object:
    """Copy a value into plain str, bool, int, float, bytes, None, tuples and dicts of them.

    Args:
        value: Whatever an instrumentation has set.
        depth: How deep this value stands; below 24 levels nothing is kept.
    """
    if value is None or isinstance(value, bool | int | float | bytes):
        return value
    if isinstance(value, str):
        return clean_text(value)
    if depth >= MAX_DEPTH:
        return None
    if isinstance(value, Mapping):
        return {clean_text(str(key)): clean(item, depth + 1) for key, item in islice(value.items(), MAX_ITEMS)}
    if isinstance(value, Sequence):
        return tuple(clean(item, depth + 1) for item in islice(value, MAX_ITEMS))
    return clean_text(str(value))

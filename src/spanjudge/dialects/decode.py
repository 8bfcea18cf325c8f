"""Telling structure from text: JSON in attributes, reprs, values cut short."""

from __future__ import annotations

import json
import re
from typing import Final

from spanjudge.sources.values import clean

MAX_LEVELS: Final = 4
MAX_CHARS: Final = 4_000_000
REDACTED: Final = "__REDACTED__"

_LITERALS: Final = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
_NUMBER_END: Final = re.compile(r"\.|[eE][+-]?")
# Escaped halves of characters: alone they are no text that any encoder takes.
_HALVES: Final = re.compile(r"\\u[dD][89a-fA-F]")
_SHORTEST_SENTENCE: Final = 6
_ESCAPE_CHARS: Final = 6
_REPR: Final = re.compile(
    r"\s*(?:<[\w.]+(?: object| generator|\(|\s*=)[^\n]*>?|[A-Za-z_][\w.]*\([A-Za-z_*]\w*=.*(?:\)|\.\.))\s*", re.DOTALL
)
_GENERATOR: Final = re.compile(r"\s*<(?:async_)?generator object[^\n]*>\s*")


def decode(value: object, *, quoted: bool = False) -> object:
    r"""Parse a text that holds JSON; anything else comes back as it is.

    Args:
        value: An attribute's value. A text is parsed only where it starts with ``[`` or ``{``, and holds less than
            4 million characters. Python reprs stay texts: nothing is ever evaluated.
        quoted: Whether a JSON string (``"\"a\""``) is unquoted as well.

    >>> decode('{"a": [1]}'), decode("[kb-1] a text"), decode("{'a': 1}"), decode('"a"', quoted=True)
    ({'a': [1]}, '[kb-1] a text', "{'a': 1}", 'a')
    """
    if not isinstance(value, str) or len(value) > MAX_CHARS:
        return value
    start = value.lstrip()[:1]
    if start not in ("[", "{") and not (quoted and start == '"'):
        return value
    try:
        found: object = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return clean(found) if _HALVES.search(value) and not _encodes(found) else found


def _encodes(value: object) -> bool:
    """Whether a value can leave this process: no text in it has half a character."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def decode_fully(value: object) -> object:
    """Parse JSON in JSON, up to 4 levels."""
    for _ in range(MAX_LEVELS):
        found = decode(value, quoted=True)
        if found is value or not isinstance(found, str):
            return found
        value = found
    return value


def is_cut(value: object) -> bool:
    """Whether a text is JSON that breaks off, as a limit on the length of values leaves it.

    >>> is_cut('{"a": "b'), is_cut('[{"a": tr'), is_cut("[1] see page 3"), is_cut("{'a': 1}"), is_cut("{name}")
    (True, True, False, False, False)
    """
    if not isinstance(value, str) or len(value) > MAX_CHARS or value.lstrip()[:1] not in ("[", "{"):
        return False
    text = value.rstrip()
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return _broke_off(error, text)
    except (ValueError, RecursionError):
        return False
    return False


def _broke_off(error: json.JSONDecodeError, text: str) -> bool:
    rest = text[error.pos :]
    if error.msg.startswith("Extra data"):
        return False
    if error.msg.startswith("Unterminated string"):
        return True
    if error.msg.startswith("Invalid \\u") and len(rest) <= _ESCAPE_CHARS:
        return True
    return (
        not rest
        or bool(_NUMBER_END.fullmatch(rest))
        or any(word.startswith(rest) and word != rest for word in _LITERALS)
    )


def is_repr(text: str) -> bool:
    """Whether a text is the repr of an object, which says nothing to a reader.

    >>> is_repr("<generator object f at 0x7f>"), is_repr("StopEvent(result=Output(text='a'))"), is_repr("f(x) is 1.")
    (True, True, False)
    """
    return bool(_GENERATOR.fullmatch(text) or _REPR.fullmatch(text))


def plain(value: object) -> str | None:
    """Return a text that a person may have written: no blank, no repr, nothing redacted."""
    if not isinstance(value, str) or not value.strip() or value.strip() == REDACTED or is_repr(value):
        return None
    return value


def is_prose(text: str) -> bool:
    """Whether a text may be a sentence, in languages with blanks between words and in those without.

    >>> is_prose("Two years."), is_prose("kb-1"), is_prose("电池保修期多久？")
    (True, False, True)
    """
    stripped = text.strip()
    return " " in stripped or (not stripped.isascii() and len(stripped) >= _SHORTEST_SENTENCE)

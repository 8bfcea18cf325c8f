"""Plain data as YAML that people read: blocks for long texts, no surprises from bare words."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_BARE: Final = re.compile(r"^[A-Za-z](?:[A-Za-z0-9_:-]*[A-Za-z0-9_])?$", re.ASCII)
_WORDS: Final = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_WIDE: Final = 90


def dump(data: object) -> str:
    """Return mappings, lists and texts as YAML.

    >>> print(dump({"groups": [{"name": "a", "rules": []}]}), end="")
    groups:
      - name: a
        rules: []
    """
    return "\n".join(_lines(data)) + "\n"


def _lines(data: object) -> Iterator[str]:
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from _entry(f"{_scalar(key)}:", value)
    elif isinstance(data, list) and data:
        for item in data:
            first, *rest = _lines(item)
            yield f"- {first}"
            yield from (f"  {line}" if line else "" for line in rest)
    else:
        yield _scalar(data)


def _entry(key: str, value: object) -> Iterator[str]:
    if isinstance(value, (dict, list)) and value:
        yield key
        yield from (f"  {line}" if line else "" for line in _lines(value))
    elif _is_block(value):
        yield f"{key} |-"
        yield from (f"  {line}" if line else "" for line in str(value).split("\n"))
    else:
        yield f"{key} {_scalar(value)}"


def _is_block(value: object) -> bool:
    if not isinstance(value, str) or not value.replace("\n", "").isprintable():
        return False
    lines = value.split("\n")
    # A block's indent is its first line's, and blank lines at its ends are lost.
    return (
        lines[0].strip() != ""
        and lines[0][0] != " "
        and lines[-1].strip() != ""
        and (len(lines) > 1 or len(value) > _WIDE)
    )


def _scalar(value: object) -> str:
    if isinstance(value, str) and _BARE.match(value) and value.lower() not in _WORDS:
        return value
    if isinstance(value, str) and '"' in value and "'" not in value and value.isprintable():
        return f"'{value}'"
    return json.dumps(value, ensure_ascii=False)

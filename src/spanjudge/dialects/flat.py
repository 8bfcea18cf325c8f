"""Attributes that spell lists and records in their names: ``a.0.b``, ``a.1.b``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from spanjudge.dialects.decode import decode

if TYPE_CHECKING:
    from spanjudge.sources.record import Attributes

MAX_LIST: Final = 2_000
MAX_NAME_PARTS: Final = 16
_MAX_DIGITS: Final = 6


def records(attributes: Attributes, prefix: str) -> tuple[list[dict[str, object]] | None, bool]:
    """Collect the records of a list, in the order of their numbers.

    Args:
        attributes: Attributes of a span.
        prefix: Name of the list. It may also stand under this name as a native list or as JSON.

    Returns:
        Its records, each with the rest of the names as keys, or None where there is no such list of records;
        and whether numbers are missing.

    >>> records({"d.10.id": "k", "d.0.id": "a", "d.0.m.x": 1}, "d")
    ([{'id': 'a', 'm.x': 1}, {'id': 'k'}], True)
    """
    whole = decode(attributes.get(prefix))
    if isinstance(whole, Sequence) and not isinstance(whole, str | bytes):
        listed = [flattened(item) for item in whole[:MAX_LIST] if isinstance(item, Mapping)]
        return (listed if listed or not whole else None), False
    found: dict[int, dict[str, object]] = {}
    start = prefix + "."
    for name, value in attributes.items():
        if not name.startswith(start):
            continue
        number, _, rest = name[len(start) :].partition(".")
        if number.isascii() and number.isdigit() and len(number) <= _MAX_DIGITS:
            found.setdefault(int(number), {})[rest] = value
    if not found:
        return None, False
    numbers = sorted(found)[:MAX_LIST]
    return [found[number] for number in numbers], numbers != list(range(len(numbers)))


def flattened(record: Mapping[str, object], prefix: str = "", depth: int = 0) -> dict[str, object]:
    """Spell a nested record in names.

    >>> flattened({"document": {"id": "a", "metadata": {"x": 1}}})
    {'document.id': 'a', 'document.metadata.x': 1}
    """
    flat: dict[str, object] = {}
    for key, value in record.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping) and depth < _MAX_DIGITS:
            flat |= flattened(value, f"{name}.", depth + 1)
        else:
            flat[name] = value
    return flat


def nested(flat: Mapping[str, object]) -> dict[str, object]:
    """Undo the spelling of records in names, lists among them.

    >>> nested({"m.role": "user", "m.parts.0.text": "a", "m.parts.1.text": "b"})
    {'m': {'role': 'user', 'parts': [{'text': 'a'}, {'text': 'b'}]}}
    """
    tree: dict[str, object] = {}
    for name, value in flat.items():
        place = tree
        *way, last = name.split(".", MAX_NAME_PARTS)
        for part in way:
            below = place.get(part)
            if not isinstance(below, dict):
                below = {}
                place[part] = below
            place = below
        place.setdefault(last, value)
    return {key: _listed(value) for key, value in tree.items()}


def _listed(value: object) -> object:
    if not isinstance(value, dict):
        return value
    items = {key: _listed(item) for key, item in value.items()}
    if items and all(key.isascii() and key.isdigit() and len(key) <= _MAX_DIGITS for key in items):
        return [items[key] for key in sorted(items, key=int)]
    return items

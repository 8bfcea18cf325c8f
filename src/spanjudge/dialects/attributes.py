"""Single attributes, read with care."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from spanjudge.dialects.decode import REDACTED, decode, is_cut

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spanjudge.sources.record import Attributes


def text(given: Attributes, *names: str) -> str | None:
    """Return the first of some attributes that is a text with anything in it."""
    return next((value for name in names if isinstance(value := given.get(name), str) and value), None)


def as_record(value: object) -> Mapping[str, object]:
    """Decode a record; an empty one where the value is none.

    >>> as_record('{"a": 1}'), as_record("plain"), as_record(None)
    ({'a': 1}, {}, {})
    """
    found = decode(value, quoted=True)
    return found if isinstance(found, Mapping) else {}


def is_redacted(values: Iterable[object]) -> bool:
    """Whether one of some values was replaced by the placeholder for what must not be told."""
    return any(value == REDACTED for value in values)


def any_cut(values: Iterable[object], *, quoted: bool = False) -> bool:
    """Whether one of some values breaks off.

    Args:
        values: Attribute values as they are.
        quoted: Whether every text should be JSON, so that one in quotes which do not close has broken off.

    >>> any_cut(['{"a": 1', "b"]), any_cut(['"How lo'], quoted=True), any_cut(['"quoted" at first'])
    (True, True, False)
    """
    return any(is_cut(value) or (quoted and _open_quote(value)) for value in values)


def _open_quote(value: object) -> bool:
    return isinstance(value, str) and value.startswith('"') and decode(value, quoted=True) is value

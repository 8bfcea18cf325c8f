"""Reading saved state back, with a sentence for what is no such state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST: Final = 1e300


def numbers(data: Mapping[str, object], key: str, count: int = 1) -> tuple[float, ...]:
    """Read ``count`` finite numbers: one bare, several in a list.

    Raises:
        ValueError: Where they are not there.
    """
    value = data.get(key)
    values = value if isinstance(value, (list, tuple)) else [value]
    read = tuple(number for number in map(_number, values) if number is not None)
    if len(values) != count or len(read) != count:
        raise _unfit(key, f"{count} finite number(s)", value)
    return read


def whole(data: Mapping[str, object], key: str) -> int:
    """Read a whole number of at least 0.

    Raises:
        ValueError: Where it is not there.
    """
    value = data.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _unfit(key, "a whole number of at least 0", value)
    return value


def rows(data: Mapping[str, object], key: str) -> tuple[tuple[float, float], ...]:
    """Read a list of pairs of finite numbers.

    Raises:
        ValueError: Where it is not there.
    """
    value = data.get(key)
    if not isinstance(value, (list, tuple)):
        raise _unfit(key, "a list of pairs", value)
    pairs = [numbers({key: item}, key, 2) for item in value]
    return tuple((first, second) for first, second in pairs)


def part(data: Mapping[str, object], key: str) -> Mapping[str, object]:
    """Read a mapping.

    Raises:
        ValueError: Where it is not there.
    """
    value = data.get(key)
    if not isinstance(value, dict):
        raise _unfit(key, "a mapping", value)
    return value


def text(data: Mapping[str, object], key: str) -> str:
    """Read a text.

    Raises:
        ValueError: Where it is not there.
    """
    value = data.get(key)
    if not isinstance(value, str):
        raise _unfit(key, "a text", value)
    return value


def _number(value: object) -> float | None:
    # No number of ours comes near the bound; a whole number beyond it would not fit a float.
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < MOST:
        return float(value)
    return None


def _unfit(key: str, wanted: str, value: object) -> ValueError:
    return ValueError(f'Saved detector state: "{key}" must hold {wanted}, not {value!r:.80}: start anew without it.')

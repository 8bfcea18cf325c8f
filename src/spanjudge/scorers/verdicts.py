"""From a judge's reply to one verdict per item: by echoed index, with one more ask for what cannot be read."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from spanjudge.judge.ask import JudgeError
from spanjudge.model import Verdict
from spanjudge.scorers.answers import VerdictsAnswer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from typing import TypeAlias

    from pydantic import BaseModel

    from spanjudge.judge.ask import Ask
    from spanjudge.model import VerdictWord
    from spanjudge.scorers.answers import Row

    Subset: TypeAlias = Callable[[Ask, Sequence[int]], Ask]

BINARY: Final[tuple[VerdictWord, ...]] = ("yes", "no")
TERNARY: Final[tuple[VerdictWord, ...]] = ("yes", "unsure", "no")
# Judges lose verdicts at the end of long lists, and long replies are cut.
MOST_ITEMS: Final = 50
WORST: Final[VerdictWord] = "no"

# The leading word, free of quotes and emphasis; "yes/no" is no answer.
_LEADING = re.compile(r"^[\W_]*([^\W\d_]+)(?!\s*[/|]|['’]?[^\W_])")


@dataclass(frozen=True, slots=True)
class Reading:
    """A readable verdict on one item."""

    word: VerdictWord
    reason: str


def read_word(text: str, vocabulary: Sequence[VerdictWord] = TERNARY) -> VerdictWord | None:
    """Read a verdict word, None where it is not of the vocabulary.

    >>> read_word(' **Yes** - stated in [0]'), read_word("partial"), read_word("unsure", BINARY)
    ('yes', None, None)
    """
    found = _LEADING.match(text)
    if not found:
        return None
    word = found.group(1).lower()
    return next((known for known in vocabulary if known == word), None)


def match(rows: Sequence[Row], count: int, vocabulary: Sequence[VerdictWord]) -> list[Reading | None]:
    """Put rows to their items: by echoed index, else by order where there are as many rows as items.

    The first readable row of an index wins; indexes outside the items are ignored; a set that counts from 1 is
    shifted.
    """
    matched: list[Reading | None] = [None] * count
    indexes = {row.index for row in rows if row.index is not None}
    if not indexes:
        return _in_order(rows, count, vocabulary) if len(rows) == count else matched
    shift = 1 if count in indexes and 0 not in indexes and max(indexes) == count else 0
    for row in rows:
        position = -1 if row.index is None else row.index - shift
        if 0 <= position < count and matched[position] is None:
            matched[position] = _reading(row, vocabulary)
    return matched


async def collect(
    ask: Ask,
    put: Callable[[Ask], Awaitable[BaseModel | str]],
    *,
    items: Sequence[str],
    vocabulary: Sequence[VerdictWord],
    subset: Subset | None = None,
) -> tuple[Verdict, ...]:
    """Get one verdict per item, in several asks where there are many.

    What cannot be read is asked again once, alone; then it takes the worst verdict at its own place and is marked
    missing.

    Args:
        ask: The question about all items.
        put: Asks the judge.
        items: What each verdict is about, for the record.
        vocabulary: Words that count as readable.
        subset: Makes the ask for the items at some positions. None: items of the ask, whose order does not matter to
            the score, so that a reply that is short and without indexes may still be read in order.

    Raises:
        JudgeError: ``judge_parse_error`` where not one verdict was readable; any other code as the judge raised it.
    """
    readings: list[Reading | None] = []
    for start in range(0, len(items), MOST_ITEMS):
        positions = range(start, min(start + MOST_ITEMS, len(items)))
        part = ask if len(positions) == len(items) else (subset or _some_items)(ask, positions)
        readings += await _readings(part, put, len(positions), vocabulary, subset)
    if items and not any(readings):
        detail = f"The judge gave no readable verdict on any of {len(items)} items."
        raise JudgeError(code="judge_parse_error", detail=detail)
    return tuple(_verdict(item, reading) for item, reading in zip(items, readings, strict=True))


async def _readings(
    ask: Ask,
    put: Callable[[Ask], Awaitable[BaseModel | str]],
    count: int,
    vocabulary: Sequence[VerdictWord],
    subset: Subset | None,
) -> list[Reading | None]:
    rows = _rows(await put(ask))
    readings = match(rows, count, vocabulary)
    unread = [position for position, reading in enumerate(readings) if reading is None]
    if not unread:
        return readings
    try:
        more = _rows(await put((subset or _some_items)(ask, unread)))
    except JudgeError as error:
        if error.code != "judge_parse_error":
            raise
        more = []
    for position, reading in zip(unread, match(more, len(unread), vocabulary), strict=True):
        readings[position] = reading
    if subset is None and not any(readings):
        return _in_order(max(rows, more, key=len), count, vocabulary)
    return readings


def _in_order(rows: Sequence[Row], count: int, vocabulary: Sequence[VerdictWord]) -> list[Reading | None]:
    unnumbered = [_reading(row, vocabulary) for row in rows if row.index is None][:count]
    return unnumbered + [None] * (count - len(unnumbered))


def _some_items(ask: Ask, positions: Sequence[int]) -> Ask:
    return replace(ask, items=tuple(ask.items[position] for position in positions))


def _rows(value: BaseModel | str) -> Sequence[Row]:
    if isinstance(value, VerdictsAnswer):
        return value.rows()
    detail = f"The judge answered with {type(value).__name__} where verdicts were asked for."
    raise JudgeError(code="judge_parse_error", detail=detail)


def _reading(row: Row, vocabulary: Sequence[VerdictWord]) -> Reading | None:
    word = read_word(row.word, vocabulary)
    return None if word is None else Reading(word, row.reason.strip())


def _verdict(item: str, reading: Reading | None) -> Verdict:
    if reading is None:
        return Verdict(item, WORST, "", missing=True)
    return Verdict(item, reading.word, reading.reason)

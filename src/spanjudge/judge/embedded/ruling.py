"""A verdict with its reason, and the words that reasons quote."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spanjudge.judge.embedded.tokens import HANGUL

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from spanjudge.judge.embedded.evidence import Item
    from spanjudge.judge.embedded.phrases import Phrases
    from spanjudge.model import VerdictWord

EVEN: Final = 0.5
_MOST_PHRASES: Final = 4
_LONGEST_PHRASE: Final = 40
_NEIGHBOURS: Final = 12
_ENDING: Final = re.compile(f"[{HANGUL}]{{1,8}}")


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict, its reason, and the support in 0..1 that it was made of: .5 is the even point."""

    verdict: VerdictWord
    support: float
    reason: str


def quoted(item: Item, keys: AbstractSet[str], phrases: Phrases) -> str:
    """Quote the words of an item that have these keys, neighbours joined, as the item writes them; four at most."""
    spans: list[tuple[int, int]] = []
    joins = False
    for token in item.tokens:
        if token.key not in keys:
            joins = False
            continue
        end = _word_end(item.text, token.end) if token.kind == "pair" else token.end
        if joins and token.start - spans[-1][1] <= _NEIGHBOURS:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((token.start, end))
            joins = True
    return listed(dict.fromkeys(" ".join(item.text[start:end].split()) for start, end in spans), phrases)


def listed(words: Iterable[str], phrases: Phrases) -> str:
    """List words in quotation marks, four at most, long ones cut."""
    shown = [word if len(word) <= _LONGEST_PHRASE else f"{word[:_LONGEST_PHRASE]}…" for word in words]
    return phrases.comma.join(phrases.quote.format(word) for word in shown[:_MOST_PHRASES])


def _word_end(text: str, end: int) -> int:
    """End of the word in Korean, whose endings are no tokens."""
    ending = _ENDING.match(text, end)
    return ending.end() if ending else end

"""Ranking passages by a query: BM25 (Robertson and Zaragoza 2009, section 3.5)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spanjudge.demo.words import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanjudge.demo.corpus import Passage

K1: Final = 1.2
B: Final = 0.75


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found, and how well it fits."""

    passage: Passage
    score: float


class Bm25:
    """An inverted index over passages.

    Args:
        passages: What can be found.
    """

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
        lengths: list[int] = []
        for position, passage in enumerate(passages):
            found = words(passage.text)
            lengths.append(len(found))
            for word, count in Counter(found).items():
                self._counts[word][position] = count
        mean = sum(lengths) / len(lengths) if lengths else 1.0
        self._damping = [K1 * (1 - B + B * length / mean) for length in lengths]

    def search(self, query: str, most: int) -> list[Hit]:
        """Return the best passages, best first.

        Args:
            query: Words to look for.
            most: Hits wanted, 0 or more.
        """
        scores: defaultdict[int, float] = defaultdict(float)
        for word in set(words(query)):
            holders = self._counts.get(word, {})
            rarity = math.log(1 + (len(self._passages) - len(holders) + 0.5) / (len(holders) + 0.5))
            for position, count in holders.items():
                scores[position] += rarity * count * (K1 + 1) / (count + self._damping[position])
        best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:most]
        return [Hit(self._passages[position], score) for position, score in best]

"""Questions with their references, found by the same question or by one that is close."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from spanjudge.dataset import GoldenItem
from spanjudge.errors import InputError
from spanjudge.golden.wording import closeness, wording
from spanjudge.model import GoldenMatch, digest

if TYPE_CHECKING:
    from spanjudge.golden.wording import Wording
    from spanjudge.user_code import UserCode

# The lowest that takes no question for another: benchmarks/golden_match.py.
DEFAULT_THRESHOLD: Final = 0.95


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference answer, and the golden question that it belongs to where there is one."""

    text: str
    match: GoldenMatch | None = None


def normalised(question: str) -> str:
    r"""Bring a question to the form in which equal ones meet: NFKC, case folded, white space joined.

    >>> normalised("  What is\tＲＡＧ? ") == normalised("what is rag?")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", question).casefold().split())


class GoldenSet:
    """Questions with their references.

    Args:
        items: The questions, or a mapping from question to reference. Of questions that are equal after normalisation
            the last counts.
        threshold: How close by its words another question must be to have the same reference, 0..1. Where two
            references are equally close there is none.
    """

    def __init__(self, items: Mapping[str, str] | Sequence[GoldenItem], threshold: float = DEFAULT_THRESHOLD) -> None:
        given = _from_mapping(items) if isinstance(items, Mapping) else items
        self.items = {normalised(item.question): item for item in given}
        self._threshold = threshold
        self._wordings: dict[str, Wording] = {key: wording(item.question) for key, item in self.items.items()}
        self._having: defaultdict[str, list[str]] = defaultdict(list)
        for key, each in self._wordings.items():
            for word in each.word_set:
                self._having[word].append(key)

    def __len__(self) -> int:
        """Return how many questions have a reference."""
        return len(self.items)

    def exact(self, question: str) -> Reference | None:
        """Find the reference of an equal question."""
        key = normalised(question)
        return self.reference(key, 1.0) if key in self.items else None

    def near(self, question: str) -> Reference | None:
        """Find the reference of the question that is closest by its words, if it is close enough."""
        asked = wording(question)
        shared = Counter(key for word in asked.word_set for key in self._having.get(word, ()))
        found = [
            (close, key)
            for key, number in shared.items()
            # One of the two holds all words of the other, or they are not close at all.
            if number in (len(asked.word_set), len(self._wordings[key].word_set))
            and (close := closeness(asked, self._wordings[key])) >= self._threshold
        ]
        return self.best(found)

    def best(self, found: list[tuple[float, str]]) -> Reference | None:
        """Choose the closest question; None where equally close ones have different references."""
        if not found:
            return None
        most = max(close for close, _ in found)
        keys = [key for close, key in found if close == most]
        references = {self.items[key].ground_truth for key in keys}
        return self.reference(keys[0], most) if len(references) == 1 else None

    def reference(self, key: str, close: float) -> Reference:
        """Return the reference of a question of this set, named by its normalised form."""
        item = self.items[key]
        return Reference(item.ground_truth, GoldenMatch(question=digest(key), closeness=close, ids=item.ids))

    async def find(self, question: str, caller: UserCode) -> Reference | None:
        """Find the reference of an equal question, else of a close one."""
        del caller
        return self.exact(question) or self.near(question)


def _from_mapping(references: Mapping[Any, Any]) -> Iterator[GoldenItem]:
    for question, reference in references.items():
        if not isinstance(question, str) or not isinstance(reference, str):
            message = f'"ground_truth" must map questions to texts, not {question!r} to {type(reference).__name__}.'
            raise InputError(message)
        yield GoldenItem(question, reference)

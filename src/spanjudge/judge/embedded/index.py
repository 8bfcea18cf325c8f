"""The contexts of an ask, cut into sentences and tokens once, so that many items are looked up fast."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from spanjudge.judge.embedded.rarity import rarity
from spanjudge.judge.embedded.sentences import split_sentences
from spanjudge.judge.embedded.tokens import tokenise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WINDOW: Final = 3
_LONGEST_SENTENCE: Final = 60
_MOST_PLACES: Final = 200
_MOST_SENTENCES: Final = 20_000


class Sentence(NamedTuple):
    """One sentence of one context: its tokens in order, and what of them is numbers and names."""

    context: int
    text: str
    keys: tuple[str, ...]
    numbers: frozenset[str]
    names: frozenset[str]
    negated: frozenset[str]
    mass: float


@dataclass(frozen=True, slots=True)
class Window:
    """Up to three neighbouring sentences of one context, and the rarity of the item's tokens that stand in them."""

    context: int
    sentences: tuple[Sentence, ...]
    found: float


class Index:
    """Sentences by token. Filled piece by piece with ``add``; then only read."""

    def __init__(self) -> None:
        self.sentences: list[Sentence] = []
        self._places: defaultdict[str, list[int]] = defaultdict(list)

    @property
    def full(self) -> bool:
        """Whether no more is to be added: so many sentences that looking them over would stall the process."""
        return len(self.sentences) >= _MOST_SENTENCES

    def add(self, context: int, text: str) -> None:
        """Add one piece of the context with this number."""
        for sentence in split_sentences(text):
            tokens = tokenise(sentence)
            for start in range(0, len(tokens), _LONGEST_SENTENCE):
                part = tokens[start : start + _LONGEST_SENTENCE]
                keys = tuple(token.key for token in part)
                unique = frozenset(keys)
                place = len(self.sentences)
                for key in unique:
                    self._places[key].append(place)
                self.sentences.append(
                    Sentence(
                        context,
                        sentence,
                        keys,
                        frozenset(token.key for token in part if token.kind == "number"),
                        frozenset(token.key for token in part if token.kind == "name"),
                        frozenset(token.key for token in part if token.negated),
                        sum(map(rarity, unique)),
                    )
                )

    def best_window(self, weights: Mapping[str, float]) -> Window | None:
        """Find the sentences that hold most of the weight; None where no token stands anywhere.

        A token that stands in very many sentences is counted only where a rarer one stands too: work stays linear.
        """
        starts: defaultdict[int, float] = defaultdict(float)
        common: list[str] = []
        for key, weight in weights.items():
            places = self._places.get(key, ())
            if len(places) > _MOST_PLACES:
                common.append(key)
                continue
            for start in self._starts(places):
                starts[start] += weight
        if not starts:
            for key in common[:1]:
                starts.update(dict.fromkeys(self._starts(self._places[key][:_MOST_PLACES]), 0.0))
        best: tuple[float, int] | None = None
        for start, found in starts.items():
            total = found + self._weight_of(common, start, weights)
            if best is None or (total, -start) > best:
                best = (total, -start)
        if best is None:
            return None
        sentences = self._window(-best[1])
        return Window(sentences[0].context, sentences, best[0])

    def _starts(self, places: Sequence[int]) -> set[int]:
        """First sentences of the windows that hold one of these places."""
        starts: set[int] = set()
        for place in places:
            context = self.sentences[place].context
            for start in range(max(0, place - WINDOW + 1), place + 1):
                if self.sentences[start].context == context:
                    starts.add(start)
        return starts

    def _weight_of(self, common: list[str], start: int, weights: Mapping[str, float]) -> float:
        if not common:
            return 0.0
        held = {key for sentence in self._window(start) for key in sentence.keys}
        return sum(weights[key] for key in common if key in held)

    def _window(self, start: int) -> tuple[Sentence, ...]:
        context = self.sentences[start].context
        return tuple(s for s in self.sentences[start : start + WINDOW] if s.context == context)

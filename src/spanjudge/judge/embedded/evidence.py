"""What speaks for and against an item in the contexts: the numbers that a verdict is made of."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from spanjudge.judge.embedded.rarity import RAREST, rarity
from spanjudge.judge.embedded.tokens import Kind, Token, tokenise

if TYPE_CHECKING:
    from collections.abc import Container
    from collections.abc import Set as AbstractSet

    from spanjudge.judge.embedded.index import Index, Sentence, Window

FEATURES: Final = ("window", "closeness", "bigram", "names", "rarest", "numbers", "kin")
_MOST_TOKENS: Final = 200
_LONGEST_ITEM: Final = 4_000
# An item whose other words stand in one sentence to this share speaks of the same thing as that sentence.
_SAME_MATTER: Final = 0.75
# Negation tells only where the sentence says little else: it may belong to another clause. Shares found of the item,
# and of item and sentence together; in pairs of characters an ending counts as something else.
_SAME_STATEMENT_WORDS: Final = (0.75, 0.5)
_SAME_STATEMENT_PAIRS: Final = (0.7, 0.45)
_KIN: Final = 4
_ROOT: Final = 5


@dataclass(frozen=True, slots=True)
class Item:
    """A claim, statement, question or answer sentence, with the rarity of each of its tokens."""

    text: str
    tokens: tuple[Token, ...]
    weights: dict[str, float]

    @property
    def total(self) -> float:
        """Rarity of all tokens together."""
        return sum(self.weights.values())

    @property
    def in_pairs(self) -> bool:
        """Whether most of it is pairs of characters: Korean, Chinese, Japanese."""
        return bool(self.tokens) and 2 * sum(token.kind == "pair" for token in self.tokens) >= len(self.tokens)

    def keys(self, kind: Kind) -> set[str]:
        """Keys of the tokens of one kind."""
        return {token.key for token in self.tokens if token.kind == kind}


@dataclass(frozen=True, slots=True)
class Evidence:
    """How far the best window of three sentences holds an item. Shares are of rarity, in 0..1.

    Attributes:
        window: Share of the item found in the window.
        closeness: Rarity found over the rarity of item and best sentence together.
        bigram: Share of the item's neighbouring pairs that are neighbours in the window.
        names: Share of the item that is capitalised words missing from the window.
        rarest: Rarity of the rarest missing token, as a share of the greatest rarity there is.
        numbers: 1 where a number of the item is missing from the window.
        kin: Share of the item that is missing from the window, while a word of the same first five letters is there.
        negation: 1 where the best sentence says the same, but one of the two denies it.
        found: Keys found.
        place: The window, None where nothing was found.
        rivals: Numbers of the best sentence in the place of missing ones, else names beside the same word.
    """

    window: float = 0.0
    closeness: float = 0.0
    bigram: float = 0.0
    names: float = 0.0
    rarest: float = 0.0
    numbers: float = 0.0
    kin: float = 0.0
    negation: float = 0.0
    found: frozenset[str] = frozenset()
    place: Window | None = None
    rivals: tuple[str, ...] = ()

    @property
    def context(self) -> int:
        """Number of the context that holds the window; 0 where there is none."""
        return self.place.context if self.place else 0


def read_item(text: str) -> Item:
    """Take a text as an item; of a very long one only the first 200 tokens."""
    tokens = tuple(tokenise(text[:_LONGEST_ITEM])[:_MOST_TOKENS])
    return Item(text, tokens, {token.key: rarity(token.key) for token in tokens})


def features(evidence: Evidence) -> dict[str, float]:
    """The numbers of the evidence by name, as the models take them."""
    return {name: getattr(evidence, name) for name in FEATURES}


def weigh(item: Item, index: Index) -> Evidence:
    """Look an item up in the contexts."""
    total = item.total
    place = index.best_window(item.weights)
    names, numbers = item.keys("name"), item.keys("number")
    if place is None or not total:
        lost = sum(item.weights[key] for key in names)
        rarest = max(item.weights.values(), default=0.0) / RAREST
        return Evidence(names=lost / total if total else 0.0, rarest=rarest, numbers=float(bool(numbers)))
    held = {key for sentence in place.sentences for key in sentence.keys}
    found = item.weights.keys() & held
    missing = item.weights.keys() - held
    mass = sum(item.weights[key] for key in found)
    best = max(place.sentences, key=lambda sentence: _shared(item, sentence))
    shared = _shared(item, best)
    union = total + best.mass - shared
    mine = set(pairwise(token.key for token in item.tokens))
    theirs = {pair for sentence in place.sentences for pair in pairwise(sentence.keys)}
    roots = {key[:_ROOT] for key in held if len(key) >= _ROOT}
    rest = total - sum(item.weights[key] for key in missing & (names | numbers))
    same_matter = bool(rest) and shared / rest >= _SAME_MATTER and len(found) > 1
    return Evidence(
        window=mass / total,
        closeness=mass / union,
        bigram=len(mine & theirs) / len(mine) if mine else mass / total,
        names=sum(item.weights[key] for key in names & missing) / total,
        rarest=max((item.weights[key] for key in missing), default=0.0) / RAREST,
        numbers=float(bool(numbers & missing)),
        kin=sum(item.weights[key] for key in missing if key[:_ROOT] in roots) / total,
        negation=float(_denies(item, best)),
        found=frozenset(found),
        place=place,
        rivals=_rivals(item, best, missing) if same_matter else (),
    )


def share(item: Item, keys: AbstractSet[str], held: Container[str]) -> float:
    """Share, by rarity, of some keys of an item that are held; 0 where there are none."""
    total = sum(item.weights[key] for key in keys)
    return sum(item.weights[key] for key in keys if key in held) / total if total else 0.0


def _shared(item: Item, sentence: Sentence) -> float:
    return sum(item.weights[key] for key in item.weights.keys() & set(sentence.keys))


def _denies(item: Item, sentence: Sentence) -> bool:
    """Tell whether item and sentence say the same, and just one of the two negates something in it."""
    shared = _shared(item, sentence)
    part, whole = _SAME_STATEMENT_PAIRS if item.in_pairs else _SAME_STATEMENT_WORDS
    if shared < part * item.total or shared < whole * (item.total + sentence.mass - shared):
        return False
    mine = {token.key for token in item.tokens if token.negated}
    if bool(mine) == bool(sentence.negated):
        return False
    return bool((mine | sentence.negated) & item.weights.keys() & set(sentence.keys))


def _rivals(item: Item, sentence: Sentence, missing: AbstractSet[str]) -> tuple[str, ...]:
    """Numbers, else names, that the sentence has in the place of missing ones, as it writes them."""
    tokens = tokenise(sentence.text)
    if numbers := missing & item.keys("number"):
        others = [token for token in tokens if token.key in sentence.numbers - item.keys("number")]
        lengths = {len(key) for key in numbers}
        alike = [token for token in others if len(token.key) in lengths]
        return tuple(sentence.text[token.start : token.end] for token in alike or others)
    names = missing & item.keys("name")
    beside = {
        (side, neighbour)
        for left, right in pairwise(item.tokens)
        for side, token, neighbour in ((1, right, left.key), (0, left, right.key))
        if token.key in names and neighbour not in missing
    }
    kin = {key[:_KIN] for key in missing}
    if any(item.text[token.start : token.end].isupper() for token in item.tokens if token.key in names):
        return ()  # An abbreviation may stand for the name that the sentence writes out.
    return tuple(
        dict.fromkeys(
            sentence.text[token.start : token.end]
            for left, right in pairwise(tokens)
            for side, token, neighbour in ((1, right, left.key), (0, left, right.key))
            if token.kind == "name"
            and token.key not in item.weights
            and token.key[:_KIN] not in kin
            and (side, neighbour) in beside
        )
    )

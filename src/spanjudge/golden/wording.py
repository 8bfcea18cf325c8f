"""How close two questions are by their words; whether they may mean the same at all."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from spanjudge.judge.embedded.tokens import HAN, HANGUL, KANA, stem
from spanjudge.judge.embedded.words import EMPTY_PAIRS

_FILLER_WORDS: Final = """
a an the of for in on at is are was were be been am being do does did done doing have has had i me my mine we us our you
your yours their it its this that these those there here please kindly can could would should will shall may might tell
know explain say let need want like help so well ok okay hi hello hey thanks thank just really actually exactly
currently basically simply precisely quickly also then now and um uh
"""
_NEGATIONS: Final = "no not never none neither nor without cannot nothing nobody except unless"
_TURNING_WORDS: Final = """
what who whom whose when where why which how to from into onto before after until till since during by via per than
versus vs against between among through over under above below up down off out with within beyond if or only both either
each every all any some most more less least fewer few many much long often far soon first last next previous same other
else again still yet
"""
# Words that change nothing about what is asked, where they are written small.
_FILLERS: Final = frozenset(_FILLER_WORDS.split())
_NEGATORS: Final = frozenset(_NEGATIONS.split())
# Words any of which turns a question into another one.
_TURNS: Final = frozenset(_TURNING_WORDS.split())
_SCAN: Final = re.compile(
    rf"(?P<cjk>[{HAN}{KANA}]+)|(?P<hangul>[{HANGUL}]+)|(?P<sign>[<>=±%$€£¥₩])"
    rf"|(?P<number>(?<![\w.])[-−]?\d+(?:[.,:/-]\d+)*[^\W_{HAN}{KANA}{HANGUL}]*)"
    rf"|(?P<word>[^\W_{HAN}{KANA}{HANGUL}]+(?:['’.-][^\W_{HAN}{KANA}{HANGUL}]+)*[+#]*)"
)
_LONGEST: Final = 2_000
_I: Final = frozenset({"I", "I'm", "I've", "I'd", "I'll"})
_DENIED: Final = re.compile(r"n['’]t$")
_SHORTENED: Final = re.compile(r"['’](?:s|re|ve|ll|d|m)$")
_THOUSANDS: Final = re.compile(r",(?=\d{3}(?!\d))")


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a question that tell what is asked, in their order.

    ``facts`` are numbers, names and negations among them, ``turns`` question words, directions and the like.
    """

    words: tuple[str, ...]
    facts: frozenset[str]
    turns: frozenset[str]

    @property
    def word_set(self) -> frozenset[str]:
        """Its words without their order."""
        return frozenset(self.words)


def wording(question: str) -> Wording:
    """Read the words of a question.

    >>> wording("Could you tell me how long the Batteries last in 2024?").words
    ('how', 'long', 'battery', 'last', '2024')
    """
    text = unicodedata.normalize("NFKC", question[:_LONGEST])
    words: list[str] = []
    facts: set[str] = set()
    turns: set[str] = set()
    for position, match in enumerate(_SCAN.finditer(text)):
        surface, kind = match.group(), match.lastgroup
        if kind in ("cjk", "hangul"):
            words += _pairs(surface)
            continue
        named = kind == "word" and position > 0 and surface[0].isupper() and surface not in _I
        key = _key(surface, named=named) if kind == "word" else _THOUSANDS.sub("", surface.casefold()).replace("−", "-")
        if not key or (key == "to" and words[-1:] == ["how"]):  # how to do: how do I do
            continue
        words.append(key)
        coded = kind == "sign" or len(key) == 1 or any(each.isdigit() for each in key)
        if named or coded or key in _NEGATORS:
            facts.add(key)
        elif key in _TURNS:
            turns.add(key)
    return Wording(tuple(words), frozenset(facts), frozenset(turns))


def _key(surface: str, *, named: bool) -> str:
    """Level a word: no inflection, nothing of a filler. Plan A is no plan, and the US are not us."""
    word = surface.casefold()
    word = "not" if _DENIED.search(word) else _SHORTENED.sub("", word)
    if word in _FILLERS and not named:
        return ""
    return word if word in _TURNS or word in _NEGATORS else stem(word) or word


def closeness(one: Wording, two: Wording) -> float:
    """How close two questions are, 0..1; 0 wherever they may ask for different things.

    It is the Jaccard index of their sets of words (Jaccard 1912), times the share of their common words that stand in
    the same order. Fillers do not count, and inflections are levelled. They may ask for different things where a
    number, a name, a negation, a question word or a direction differs, or where each has a word that the other lacks.

    >>> close = lambda a, b: closeness(wording(a), wording(b))
    >>> close("How long is the battery warranty?", "Please, how long is your battery warranty")
    1.0
    >>> close("Revenue in 2023?", "Revenue in 2024?"), close("Fly from Oslo to Rome", "Fly from Rome to Oslo") < 0.8
    (0.0, True)
    """
    first, second = one.word_set, two.word_set
    common = first & second
    differing = first ^ second
    if not common or not same_facts(one, two) or not differing.isdisjoint(one.turns | two.turns):
        return 0.0
    if first - second and second - first:
        return 0.0
    in_order = _longest_common([word for word in one.words if word in common], [w for w in two.words if w in common])
    longest = max(sum(word in common for word in each.words) for each in (one, two))
    return len(common) / len(first | second) * in_order / longest


def same_facts(one: Wording, two: Wording) -> bool:
    """Whether no number, name or negation stands in one of two questions alone."""
    return (one.word_set ^ two.word_set).isdisjoint(one.facts | two.facts)


def _pairs(run: str) -> list[str]:
    if len(run) == 1:
        return [run]
    return [run[at : at + 2] for at in range(len(run) - 1) if run[at : at + 2] not in EMPTY_PAIRS]


def _longest_common(one: list[str], two: list[str]) -> int:
    """Length of the longest common subsequence (Wagner and Fischer 1974)."""
    row = [0] * (len(two) + 1)
    for word in one:
        diagonal = 0
        for place, other in enumerate(two, start=1):
            above = row[place]
            row[place] = diagonal + 1 if word == other else max(above, row[place - 1])
            diagonal = above
    return row[-1]

"""Verdicts of the embedded judge: on a claim, on a context, on a statement."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spanjudge.judge.embedded import asked, coefficients
from spanjudge.judge.embedded.evidence import SAME_SENTENCE, Evidence, Item, features, read_item, share, weigh
from spanjudge.judge.embedded.sentences import extract_statements
from spanjudge.judge.embedded.tokens import HANGUL

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from spanjudge.judge.embedded.coefficients import Model
    from spanjudge.judge.embedded.index import Index
    from spanjudge.judge.embedded.phrases import Phrases
    from spanjudge.model import VerdictWord

_MOST_TARGETS: Final = 30
_MOST_PHRASES: Final = 4
_LONGEST_PHRASE: Final = 40
_NEIGHBOURS: Final = 12
_SHORT_TOKENS: Final = 4
_SHORT_LENGTH: Final = 40
_FEW_WORDS: Final = 3
_KIN: Final = 4
_ENDING: Final = re.compile(f"[{HANGUL}]{{1,8}}")


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict, its reason, and the support in 0..1 that it was made of: .5 is the even point."""

    verdict: VerdictWord
    support: float
    reason: str


@dataclass(frozen=True, slots=True)
class Target:
    """What contexts are to be useful for: the question and the sentences of the expected answer, none where unknown."""

    question: Item
    sentences: tuple[Item, ...]


def judge_claim(item: Item, index: Index, phrases: Phrases, *, model: Model | None = None) -> Ruling:
    """Judge a claim against the contexts: yes where they hold it, no where they contradict it, else unsure.

    Contradiction is a sentence on the same matter that has another number, or another name in the same place, or that
    differs by a negation.
    """
    if not item.tokens:
        return Ruling("unsure", 0.0, phrases.empty)
    evidence = weigh(item, index)
    support = (model or _attribution_model(item)).support(features(evidence))
    contradicted = _contradiction(item, evidence, phrases, support)
    if contradicted is not None:
        return Ruling("no", min(support, 0.1), contradicted)
    return Ruling("yes" if support >= coefficients.EVEN else "unsure", support, _grounds(item, evidence, phrases))


def read_target(question: str, expected: str) -> Target:
    """Take question and expected answer apart; of a long answer only the first 30 sentences."""
    sentences = (read_item(text) for text in extract_statements(expected)[:_MOST_TARGETS])
    return Target(read_item(question), tuple(item for item in sentences if item.tokens))


def judge_context(
    target: Target, index: Index, phrases: Phrases, *, number: int = 0, model: Model | None = None
) -> Ruling:
    """Judge one context, alone in its index: yes where it holds what one sentence of the expected answer adds."""
    if not target.sentences:
        return _judge_by_question(target, index, phrases, number, model)
    best: tuple[float, Item, Evidence] | None = None
    for item in target.sentences:
        evidence = weigh(item, index)
        chosen = model or (coefficients.USEFULNESS_PAIRS if _in_pairs(item) else coefficients.USEFULNESS_WORDS)
        support = chosen.support(usefulness_features(target, item, evidence))
        if best is None or support > best[0]:
            best = (support, item, evidence)
    support, item, evidence = best if best is not None else (0.0, target.question, Evidence())
    words = _phrases_of(item, evidence.found)
    reason = phrases.useful if words else phrases.useless
    reason = reason.format(n=number, words=_listed(words, phrases))
    return Ruling("yes" if support >= coefficients.EVEN else "no", support, reason)


def usefulness_features(target: Target, item: Item, evidence: Evidence) -> dict[str, float]:
    """Evidence for one sentence of the expected answer, and ``fresh``: the share found of what the question lacks."""
    fresh = item.weights.keys() - target.question.weights.keys()
    return {**features(evidence), "fresh": share(item, fresh, evidence.found) if fresh else evidence.window}


def judge_statement(
    question: Item, text: str, phrases: Phrases, *, alone: bool = False, model: Model | None = None
) -> Ruling:
    """Judge whether a statement answers the question; ``alone`` where it is the whole answer.

    A short whole answer shares no words with its question, so its kind decides: a number for "how many", a name for
    "who".
    """
    item = read_item(text)
    if asked.is_no_answer(text):
        return Ruling("no", 0.0, phrases.no_answer)
    if alone and _is_short_answer(question, item):
        return Ruling("yes", 1.0, phrases.short)
    if not item.tokens:
        return Ruling("no", 0.0, phrases.empty)
    common = relevant_keys(question, item)
    support = (model or coefficients.RELEVANCY).support(relevancy_features(question, common))
    if asked.is_question(text):
        return Ruling("unsure" if support >= coefficients.EVEN else "no", support / 2, phrases.asks_back)
    words = _phrases_of(question, common)
    reason = phrases.shares.format(words=_listed(words, phrases)) if words else phrases.unrelated
    if support >= coefficients.RELEVANT:
        return Ruling("yes", support, reason)
    return Ruling("unsure" if support >= coefficients.UNSURE else "no", support, reason)


def relevant_keys(question: Item, item: Item) -> set[str]:
    """Tokens of the question that the statement takes up, or a word of the same first four letters."""
    kin = {key[:_KIN] for key in item.weights if len(key) >= _KIN}
    return {key for key in question.weights if key in item.weights or key[:_KIN] in kin}


def relevancy_features(question: Item, common: AbstractSet[str]) -> dict[str, float]:
    """Share of the question that is taken up, and how much that is, up to about three rare words."""
    mass = sum(question.weights[key] for key in common)
    return {"recall": share(question, question.weights.keys(), common), "mass": min(mass, 20.0) / 20.0}


def _judge_by_question(target: Target, index: Index, phrases: Phrases, number: int, model: Model | None) -> Ruling:
    if not target.question.tokens:
        return Ruling("no", 0.0, phrases.empty)
    evidence = weigh(target.question, index)
    support = (model or coefficients.USEFULNESS_QUESTION).support(features(evidence))
    words = _phrases_of(target.question, evidence.found)
    reason = (phrases.topical if words else phrases.offtopic).format(n=number, words=_listed(words, phrases))
    return Ruling("yes" if support >= coefficients.EVEN else "no", support, reason)


def _attribution_model(item: Item) -> Model:
    return coefficients.ATTRIBUTION_PAIRS if _in_pairs(item) else coefficients.ATTRIBUTION_WORDS


def _in_pairs(item: Item) -> bool:
    return bool(item.tokens) and 2 * sum(token.kind == "pair" for token in item.tokens) >= len(item.tokens)


def _contradiction(item: Item, evidence: Evidence, phrases: Phrases, support: float) -> str | None:
    if evidence.place is None:
        return None
    number = evidence.context
    if evidence.negation:
        return phrases.denied.format(n=number)
    if not evidence.rivals:
        return None
    if not evidence.numbers and support >= coefficients.EVEN and evidence.closeness < SAME_SENTENCE:
        return None
    kind = "number" if evidence.numbers else "name"
    mine = _phrases_of(item, item.keys(kind) - evidence.found)
    template = phrases.number if evidence.numbers else phrases.name
    theirs = _listed(evidence.rivals[:_MOST_PHRASES], phrases)
    return template.format(n=number, theirs=theirs, mine=_listed(mine, phrases))


def _grounds(item: Item, evidence: Evidence, phrases: Phrases) -> str:
    found = _phrases_of(item, evidence.found)
    if not found:
        return phrases.nothing
    parts = [phrases.found.format(n=evidence.context, words=_listed(found, phrases))]
    missing = _phrases_of(item, item.weights.keys() - evidence.found)
    if missing:
        parts.append(phrases.missing.format(words=_listed(missing, phrases)))
    return phrases.semicolon.join(parts)


def _phrases_of(item: Item, keys: AbstractSet[str]) -> list[str]:
    """Words of the item that have these keys, neighbours joined, as the item writes them."""
    spans: list[tuple[int, int]] = []
    joins = False
    for token in item.tokens:
        if token.key not in keys:
            joins = False
        elif joins and token.start - spans[-1][1] <= _NEIGHBOURS:
            spans[-1] = (spans[-1][0], token.end)
        else:
            spans.append((token.start, token.end))
            joins = True
    unique = dict.fromkeys(" ".join(item.text[start : _word_end(item.text, end)].split()) for start, end in spans)
    return list(unique)[:_MOST_PHRASES]


def _word_end(text: str, end: int) -> int:
    """End of the word in Korean, whose endings are no tokens."""
    ending = _ENDING.match(text, end)
    return ending.end() if ending else end


def _listed(words: Iterable[str], phrases: Phrases) -> str:
    shown = (word if len(word) <= _LONGEST_PHRASE else f"{word[:_LONGEST_PHRASE]}…" for word in words)
    return phrases.comma.join(phrases.quote.format(word) for word in shown)


def _is_short_answer(question: Item, item: Item) -> bool:
    kind = asked.kind_asked(question.text)
    if kind == "choice":
        return asked.is_yes_or_no(item.text)
    short = bool(item.tokens) and len(item.text) <= _SHORT_LENGTH
    if not short or (len(item.tokens) > _SHORT_TOKENS and not _in_pairs(item)) or asked.is_question(item.text):
        return False
    if kind == "number":
        return bool(item.keys("number"))
    if kind == "name":
        return _in_pairs(item) or bool(item.keys("name"))
    brief = _in_pairs(item) or len(item.text.split()) <= _FEW_WORDS
    return brief and asked.wants_fact(question.text) and not item.weights.keys() <= question.weights.keys()

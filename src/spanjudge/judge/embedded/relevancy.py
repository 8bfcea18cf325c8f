"""Verdicts on statements: whether they answer the question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spanjudge.judge.embedded import asked, coefficients
from spanjudge.judge.embedded.evidence import Item, read_item, share
from spanjudge.judge.embedded.ruling import EVEN, Ruling, quoted

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from spanjudge.judge.embedded.coefficients import Model
    from spanjudge.judge.embedded.phrases import Phrases

_KIN: Final = 4
_MOST_MASS: Final = 20.0
_SHORT_TOKENS: Final = 4
_SHORT_LENGTH: Final = 40
_FEW_WORDS: Final = 3


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
    if not question.tokens:
        return Ruling("unsure", coefficients.UNSURE, phrases.unrelated)
    return _by_words(question, item, phrases, model or coefficients.RELEVANCY)


def relevant_keys(question: Item, item: Item) -> set[str]:
    """Tokens of the question that the statement takes up, or a word of the same first four letters."""
    kin = {key[:_KIN] for key in item.weights if len(key) >= _KIN}
    return {key for key in question.weights if key in item.weights or key[:_KIN] in kin}


def relevancy_features(question: Item, common: AbstractSet[str]) -> dict[str, float]:
    """Share of the question that is taken up, and how much that is, up to about three rare words."""
    mass = sum(question.weights[key] for key in common)
    return {"recall": share(question, question.weights.keys(), common), "mass": min(mass, _MOST_MASS) / _MOST_MASS}


def _by_words(question: Item, item: Item, phrases: Phrases, model: Model) -> Ruling:
    common = relevant_keys(question, item)
    support = model.support(relevancy_features(question, common))
    if asked.is_question(item.text):
        return Ruling("unsure" if support >= EVEN else "no", support / 2, phrases.asks_back)
    words = quoted(question, common, phrases)
    reason = phrases.shares.format(words=words) if words else phrases.unrelated
    if support >= coefficients.RELEVANT:
        return Ruling("yes", support, reason)
    return Ruling("unsure" if support >= coefficients.UNSURE else "no", support, reason)


def _is_short_answer(question: Item, item: Item) -> bool:
    kind = asked.kind_asked(question.text)
    if kind == "choice":
        return asked.is_yes_or_no(item.text)
    short = bool(item.tokens) and len(item.text) <= _SHORT_LENGTH
    if not short or (len(item.tokens) > _SHORT_TOKENS and not item.in_pairs) or asked.is_question(item.text):
        return False
    if kind == "number":
        return bool(item.keys("number"))
    if kind == "name":
        return item.in_pairs or bool(item.keys("name"))
    brief = item.in_pairs or len(item.text.split()) <= _FEW_WORDS
    return brief and asked.wants_fact(question.text) and not item.weights.keys() <= question.weights.keys()

"""Verdicts on contexts: whether one is of use for the expected answer, or for the question where none is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spanjudge.judge.embedded import coefficients
from spanjudge.judge.embedded.evidence import Evidence, Item, features, read_item, share, weigh
from spanjudge.judge.embedded.ruling import EVEN, Ruling, quoted
from spanjudge.judge.embedded.sentences import extract_statements

if TYPE_CHECKING:
    from spanjudge.judge.embedded.coefficients import Model
    from spanjudge.judge.embedded.index import Index
    from spanjudge.judge.embedded.phrases import Phrases

_MOST_SENTENCES: Final = 30
_LONGEST_ANSWER: Final = 20_000


@dataclass(frozen=True, slots=True)
class Target:
    """What contexts are to be useful for: the question and the sentences of the expected answer, none where unknown."""

    question: Item
    sentences: tuple[Item, ...]


def read_target(question: str, expected: str) -> Target:
    """Take question and expected answer apart; of a long answer only the first 30 sentences."""
    sentences = (read_item(text) for text in extract_statements(expected[:_LONGEST_ANSWER])[:_MOST_SENTENCES])
    return Target(read_item(question), tuple(item for item in sentences if item.tokens))


def judge_context(
    target: Target, index: Index, phrases: Phrases, *, number: int = 0, model: Model | None = None
) -> Ruling:
    """Judge one context, alone in its index: yes where it holds what one sentence of the expected answer adds."""
    if not target.sentences:
        return _judge_by_question(target.question, index, phrases, number, model)
    weighed = [(item, weigh(item, index)) for item in target.sentences]
    supports = [_support(target, item, evidence, model) for item, evidence in weighed]
    best = max(range(len(weighed)), key=supports.__getitem__)
    item, evidence = weighed[best]
    template = phrases.useful if evidence.found else phrases.useless
    return _ruling(supports[best], template.format(n=number, words=quoted(item, evidence.found, phrases)))


def usefulness_features(target: Target, item: Item, evidence: Evidence) -> dict[str, float]:
    """Evidence for one sentence of the expected answer, and ``fresh``: the share found of what the question lacks."""
    fresh = item.weights.keys() - target.question.weights.keys()
    return {**features(evidence), "fresh": share(item, fresh, evidence.found) if fresh else evidence.window}


def _support(target: Target, item: Item, evidence: Evidence, model: Model | None) -> float:
    chosen = coefficients.USEFULNESS_PAIRS if item.in_pairs else coefficients.USEFULNESS_WORDS
    return (model or chosen).support(usefulness_features(target, item, evidence))


def _judge_by_question(question: Item, index: Index, phrases: Phrases, number: int, model: Model | None) -> Ruling:
    if not question.tokens:
        return Ruling("no", 0.0, phrases.empty)
    evidence = weigh(question, index)
    support = (model or coefficients.USEFULNESS_QUESTION).support(features(evidence))
    template = phrases.topical if evidence.found else phrases.offtopic
    return _ruling(support, template.format(n=number, words=quoted(question, evidence.found, phrases)))


def _ruling(support: float, reason: str) -> Ruling:
    return Ruling("yes" if support >= EVEN else "no", support, reason)

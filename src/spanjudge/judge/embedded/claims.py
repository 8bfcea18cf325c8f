"""Verdicts on claims: whether the contexts hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spanjudge.judge.embedded import coefficients
from spanjudge.judge.embedded.evidence import Evidence, Item, features, weigh
from spanjudge.judge.embedded.ruling import EVEN, Ruling, listed, quoted

if TYPE_CHECKING:
    from spanjudge.judge.embedded.coefficients import Model
    from spanjudge.judge.embedded.index import Index
    from spanjudge.judge.embedded.phrases import Phrases

# A contradiction outweighs what else speaks for the claim.
_CONTRADICTED: Final = 0.1
# Closeness from which a sentence says little but what the claim says.
_SAME_SENTENCE: Final = 0.5


def judge_claim(item: Item, index: Index, phrases: Phrases, *, model: Model | None = None) -> Ruling:
    """Judge a claim against the contexts: yes where they hold it, no where they contradict it, else unsure.

    Contradiction is a sentence on the same matter that has another number, or another name in the same place, or that
    differs by a negation.
    """
    if not item.tokens:
        return Ruling("unsure", 0.0, phrases.empty)
    evidence = weigh(item, index)
    chosen = coefficients.ATTRIBUTION_PAIRS if item.in_pairs else coefficients.ATTRIBUTION_WORDS
    support = (model or chosen).support(features(evidence))
    contradiction = _contradiction(item, evidence, phrases, support)
    if contradiction is not None:
        return Ruling("no", min(support, _CONTRADICTED), contradiction)
    return Ruling("yes" if support >= EVEN else "unsure", support, _grounds(item, evidence, phrases))


def _contradiction(item: Item, evidence: Evidence, phrases: Phrases, support: float) -> str | None:
    number = evidence.context
    if evidence.negation:
        return phrases.denied.format(n=number)
    if not evidence.rivals:
        return None
    theirs = listed(evidence.rivals, phrases)
    if evidence.numbers:
        mine = quoted(item, item.keys("number") - evidence.found, phrases)
        return phrases.number.format(n=number, theirs=theirs, mine=mine)
    # Names differ for many reasons: against a supported claim they count only where the sentence says little else.
    if support >= EVEN and evidence.closeness < _SAME_SENTENCE:
        return None
    mine = quoted(item, item.keys("name") - evidence.found, phrases)
    return phrases.name.format(n=number, theirs=theirs, mine=mine)


def _grounds(item: Item, evidence: Evidence, phrases: Phrases) -> str:
    if not evidence.found:
        return phrases.nothing
    found = phrases.found.format(n=evidence.context, words=quoted(item, evidence.found, phrases))
    missing = quoted(item, item.weights.keys() - evidence.found, phrases)
    return phrases.semicolon.join([found, phrases.missing.format(words=missing)]) if missing else found

"""Answering from passages alone: the sentences that share most with the question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from spanjudge.demo.words import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanjudge.demo.corpus import Passage

SENTENCES: Final = 2
_END: Final = re.compile(r"(?<=[.!?])\s+(?=[\"“A-Z*_])")
_LEAST_WORDS: Final = 4
_RANK_DISCOUNT: Final = 0.15
NOTHING: Final = "The manual says nothing about this."


def answer(question: str, passages: Sequence[Passage]) -> str:
    """Return the best sentences of the passages in the order in which they stand.

    Args:
        question: What was asked.
        passages: What was retrieved, best first: a better rank counts for more.
    """
    wanted = set(words(question))
    rated: list[tuple[float, int, str]] = []
    for rank, passage in enumerate(passages):
        for sentence in _sentences(passage):
            found = set(words(sentence))
            if len(found) >= _LEAST_WORDS and wanted & found:
                share = len(wanted & found) / (len(wanted) + 0.25 * len(found))
                rated.append((share * (1 - _RANK_DISCOUNT * rank), len(rated), sentence))
    best = sorted(sorted(rated, key=lambda item: (-item[0], item[1]))[:SENTENCES], key=lambda item: item[1])
    return " ".join(sentence for _, _, sentence in best) or NOTHING


def _sentences(passage: Passage) -> list[str]:
    body = passage.text.removeprefix(passage.heading)
    prose = [block for block in body.split("\n\n") if "::=" not in block and ">>>" not in block]
    found = [" ".join(sentence.split()) for block in prose for sentence in _END.split(block)]
    return [sentence for sentence in found if sentence.endswith((".", ")", ".*"))]

"""What the demo's users ask, and answers that the manual gives on every Python from 3.10 to 3.13."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True, slots=True)
class Fact:
    """One claim of a ground truth, and the words of the manual that make it true."""

    claim: str
    quote: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the facts that a full answer rests on."""

    text: str
    facts: tuple[Fact, ...]

    @property
    def ground_truth(self) -> str:
        """The claims as one text."""
        return " ".join(fact.claim for fact in self.facts)


def read_questions() -> tuple[Question, ...]:
    """Return the questions that lie beside this file, one a line.

    >>> question = read_questions()[0]
    >>> question.text
    'What happens to assert statements when optimization is requested with -O?'
    """
    lines = resources.files("spanjudge.demo").joinpath("questions.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(
        Question(row["question"], tuple(Fact(fact["claim"], fact["quote"]) for fact in row["facts"]))
        for row in map(json.loads, lines)
    )

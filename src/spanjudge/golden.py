"""References for runs whose trace carries none: a golden set, or the user's function."""

from __future__ import annotations

import inspect
import unicodedata
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

Lookup: TypeAlias = Callable[[str], "str | Awaitable[str | None] | None"]


def normalised(question: str) -> str:
    r"""Bring a question to the form in which equal ones meet: NFKC, case folded, white space joined.

    >>> normalised("  What is\tＲＡＧ? ") == normalised("what is rag?")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", question).casefold().split())


class GoldenSet:
    """Questions with their references, found by exact match after normalisation.

    Args:
        references: Question -> reference. Of two questions that are equal after normalisation the later counts.
    """

    def __init__(self, references: Mapping[str, str]) -> None:
        self._references = {normalised(question): reference for question, reference in references.items()}

    def __call__(self, question: str) -> str | None:
        """Return the reference of a question, None where there is none."""
        return self._references.get(normalised(question))

    def __len__(self) -> int:
        """Return how many questions have a reference."""
        return len(self._references)


async def find(lookup: Lookup | None, question: str | None) -> str | None:
    """Look a question's reference up; the lookup may be a coroutine function."""
    if lookup is None or question is None:
        return None
    found = lookup(question)
    return await found if inspect.isawaitable(found) else found

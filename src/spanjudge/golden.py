"""References for runs whose trace carries none: a golden set, or the user's function."""

from __future__ import annotations

import inspect
import os
import unicodedata
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeAlias, cast

from spanjudge.dataset import read_references
from spanjudge.errors import InputError

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


def reference_lookup(ground_truth: object) -> Lookup | None:
    """Make a look-up of a file, a mapping or a function.

    Raises:
        InputError: Where the file cannot be read, naming its line; or where it is none of the three.
    """
    if ground_truth is None:
        return None
    if isinstance(ground_truth, (str, os.PathLike)):
        return GoldenSet(read_references(Path(ground_truth)))
    if isinstance(ground_truth, Mapping):
        return GoldenSet(ground_truth)
    if callable(ground_truth):
        return cast("Lookup", ground_truth)
    message = f'"ground_truth" must be a path, a mapping or a function, not {ground_truth!r} (given as argument).'
    raise InputError(message)


async def find(lookup: Lookup | None, question: str | None) -> str | None:
    """Look a question's reference up; the lookup may be a coroutine function."""
    if lookup is None or question is None:
        return None
    found = lookup(question)
    return await found if inspect.isawaitable(found) else found

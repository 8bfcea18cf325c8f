"""Where the reference of a question may come from: a golden set first, then what the user's function says."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

from spanjudge.errors import InputError
from spanjudge.golden.file import GoldenFile
from spanjudge.golden.golden_set import DEFAULT_THRESHOLD, GoldenSet, Reference

if TYPE_CHECKING:
    from spanjudge.golden.embedding import Embeddings
    from spanjudge.guard import Guard
    from spanjudge.user_code import UserCode

ReferenceFunction: TypeAlias = Callable[[str], "str | Awaitable[str | None] | None"]


class Lookup(Protocol):
    """Whoever knows references."""

    async def find(self, question: str, caller: UserCode) -> Reference | None:
        """Find the reference of a question."""
        ...


class _Function:
    """The user's function."""

    def __init__(self, function: ReferenceFunction) -> None:
        self._function = function

    async def find(self, question: str, caller: UserCode) -> Reference | None:
        """Ask the function.

        Raises:
            InputError: Where it returns anything but a text or None.
        """
        found: object = await caller.call(self._function, question)
        if found is None:
            return None
        if not isinstance(found, str):
            message = f"The `ground_truth` function must return a text or None, not {type(found).__name__}."
            raise InputError(message)
        return Reference(found) if found.strip() else None


class _ByMeaning:
    """A golden set that is searched by words first and then by vectors."""

    def __init__(self, golden: GoldenSet | GoldenFile, embeddings: Embeddings) -> None:
        self._golden = golden
        self._embeddings = embeddings

    async def find(self, question: str, caller: UserCode) -> Reference | None:
        """Find the reference of an equal question, of a close one, of one that means the same."""
        found = await self._golden.find(question, caller)
        current = self._golden.current if isinstance(self._golden, GoldenFile) else self._golden
        return found or await self._embeddings.near(current, question, caller)


class _InTurn:
    """Several look-ups, the first that knows."""

    def __init__(self, lookups: list[Lookup]) -> None:
        self._lookups = lookups

    async def find(self, question: str, caller: UserCode) -> Reference | None:
        """Ask one after another."""
        for lookup in self._lookups:
            found = await lookup.find(question, caller)
            if found is not None:
                return found
        return None


def reference_lookup(
    ground_truth: object,
    *,
    threshold: float = DEFAULT_THRESHOLD,
    embeddings: Embeddings | None = None,
    guard: Guard | None = None,
) -> Lookup | None:
    """Make a look-up of what the user gave as ``ground_truth``.

    Args:
        ground_truth: A file, a mapping from question to reference, a function of the question, or a list of these that
            are asked in turn.
        threshold: How close by its words a golden question must be, 0..1.
        embeddings: Finds golden questions by meaning where words do not.
        guard: Where a file that has changed and cannot be read is told of.

    Raises:
        InputError: Where the file cannot be read, naming its line; or where it is none of these.
    """
    if ground_truth is None:
        return None
    if isinstance(ground_truth, (list, tuple)):
        given = [
            reference_lookup(each, threshold=threshold, embeddings=embeddings, guard=guard) for each in ground_truth
        ]
        return _InTurn([lookup for lookup in given if lookup is not None])
    golden: GoldenSet | GoldenFile
    if isinstance(ground_truth, (str, os.PathLike)):
        golden = GoldenFile(Path(ground_truth), threshold, guard)
    elif isinstance(ground_truth, Mapping):
        golden = GoldenSet(cast("Mapping[str, str]", ground_truth), threshold)
    elif callable(ground_truth):
        return _Function(cast("ReferenceFunction", ground_truth))
    else:
        message = f'"ground_truth" must be a path, a mapping or a function, not {ground_truth!r} (given as argument).'
        raise InputError(message)
    return _ByMeaning(golden, embeddings) if embeddings else golden

"""Golden questions that mean the same as another question, by the user's embedding function."""

from __future__ import annotations

import asyncio
import math
import os
import time
from typing import TYPE_CHECKING, Final

from spanjudge.errors import InputError
from spanjudge.golden.wording import same_facts, wording

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanjudge.golden.golden_set import GoldenSet, Reference
    from spanjudge.settings import EmbedFunction
    from spanjudge.user_code import UserCode

DEFAULT_COSINE: Final = 0.92
_BATCH: Final = 128
_PAUSE_S: Final = 60.0


class Embeddings:
    """Finds the golden question whose vector is nearest; the set's own vectors are made when they are first wanted.

    Numbers, names and negations must still agree: vectors hardly tell 2023 from 2024.

    Args:
        embed: Gives each text of a list a vector, sync or async.
        threshold: Least cosine of the two vectors, 0..1.
        monotonic: Seconds on some clock: after a failure the function is left alone for a minute.
    """

    def __init__(
        self,
        embed: EmbedFunction,
        threshold: float = DEFAULT_COSINE,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._embed = embed
        self._threshold = threshold
        self._monotonic = monotonic
        self._resting_until = -math.inf
        self._of: GoldenSet | None = None
        self._vectors: dict[str, tuple[float, ...]] = {}
        self._process = 0
        self._lock = asyncio.Lock()

    async def near(self, golden: GoldenSet, question: str, caller: UserCode) -> Reference | None:
        """Find the reference of the golden question that means the same, if there is one.

        Raises:
            InputError: Where the function gives anything but one vector of numbers for each text.
        """
        if self._monotonic() < self._resting_until:
            return None
        try:
            vectors = await self._vectors_of(golden, caller)
            (asked,) = await self._embedded([question], caller)
        except BaseException:
            self._resting_until = self._monotonic() + _PAUSE_S
            raise
        words = wording(question)
        found = [
            (close, key)
            for key, vector in vectors.items()
            if (close := _cosine(asked, vector)) >= self._threshold
            and same_facts(words, wording(golden.items[key].question))
        ]
        return golden.best(found)

    async def _vectors_of(self, golden: GoldenSet, caller: UserCode) -> dict[str, tuple[float, ...]]:
        if self._process != os.getpid():  # a fork may have left the lock held by nobody
            self._process, self._lock = os.getpid(), asyncio.Lock()
        async with self._lock:
            if self._of is not golden:
                keys = list(golden.items)
                vectors: dict[str, tuple[float, ...]] = {}
                for at in range(0, len(keys), _BATCH):
                    batch = keys[at : at + _BATCH]
                    texts = [golden.items[key].question for key in batch]
                    vectors |= zip(batch, await self._embedded(texts, caller), strict=True)
                self._of, self._vectors = golden, vectors
            return self._vectors

    async def _embedded(self, texts: list[str], caller: UserCode) -> list[tuple[float, ...]]:
        found = await caller.call(self._embed, texts)
        try:
            vectors = [_unit(tuple(map(float, vector))) for vector in found]
        except (TypeError, ValueError):
            vectors = []
        if len(vectors) != len(texts):
            message = f"embed_questions must give one vector of numbers for each of {len(texts)} texts."
            raise InputError(message)
        return vectors


def _unit(vector: tuple[float, ...]) -> tuple[float, ...]:
    length = math.sqrt(sum(number * number for number in vector))
    return tuple(number / length for number in vector) if length else vector


def _cosine(one: tuple[float, ...], two: tuple[float, ...]) -> float:
    return sum(map(float.__mul__, one, two)) if len(one) == len(two) else 0.0

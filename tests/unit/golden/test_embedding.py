"""Golden questions are found by meaning where the user gives an embedding, never across facts that differ."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

import pytest

from spanjudge.errors import InputError
from spanjudge.golden import Embeddings, GoldenSet, reference_lookup
from spanjudge.golden.lookup import Lookup
from spanjudge.testing import ManualClock
from spanjudge.user_code import UserCode

GOLDEN = {"How long is the guarantee?": "24 months", "Do you ship to Norway?": "Yes"}


def _direction(texts: list[str]) -> list[list[float]]:
    """Vectors that tell shipping from anything else."""
    return [[0.1, 1.0] if "ship" in text.lower() else [1.0, 0.1] for text in texts]


def _lookup(embed: Callable[[list[str]], object], clock: ManualClock | None = None, threshold: float = 0.9) -> Lookup:
    embeddings = Embeddings(embed, threshold, (clock or ManualClock()).monotonic)  # type: ignore[arg-type]
    found = reference_lookup(GOLDEN, embeddings=embeddings)
    assert found is not None
    return found


def _find(lookup: Lookup, question: str) -> str | None:
    found = asyncio.run(lookup.find(question, UserCode(5.0)))
    return found.text if found else None


def test_question_in_other_words_is_found_by_its_vector() -> None:
    found = asyncio.run(_lookup(_direction).find("What is the warranty period?", UserCode(5.0)))
    assert found is not None
    assert found.text == "24 months"
    assert found.match is not None
    assert found.match.closeness == pytest.approx(1.0)


def test_embedding_may_be_a_coroutine_function() -> None:
    async def embed(texts: list[str]) -> list[list[float]]:
        await asyncio.sleep(0)
        return _direction(texts)

    assert _find(_lookup(embed), "What is the warranty period?") == "24 months"


@pytest.mark.parametrize("question", ["Do you ship to Chile?", "Is it shipped in 2024?", "Why not ship there?"])
def test_facts_that_differ_keep_near_vectors_apart(question: str) -> None:
    assert _find(_lookup(_direction), question) is None


def test_vector_that_is_not_near_enough_is_no_match() -> None:
    assert _find(_lookup(lambda texts: [[float(len(text)), 9.0] for text in texts], threshold=0.999), "Why?") is None


def test_vectors_of_the_set_are_made_once_and_in_batches() -> None:
    sizes: list[int] = []

    def embed(texts: list[str]) -> list[list[float]]:
        sizes.append(len(texts))
        return [[1.0, 0.0] for _ in texts]

    golden = GoldenSet({f"question about {'x' * number}": "same" for number in range(1, 301)})
    embeddings = Embeddings(embed)

    async def ask() -> None:
        for _ in range(2):
            await embeddings.near(golden, "another thing", UserCode(5.0))

    asyncio.run(ask())
    assert sizes == [128, 128, 44, 1, 1]


@pytest.mark.parametrize("returned", [[], [[1.0]] * 5, "ab", [["a"], ["b"]], 7])
def test_anything_but_a_vector_for_each_text_is_told(returned: object) -> None:
    with pytest.raises(InputError, match="must give one vector of numbers for each of 2 texts"):
        _find(_lookup(lambda _: returned), "What is the warranty period?")


def test_function_that_fails_is_left_alone_for_a_minute() -> None:
    clock, calls = ManualClock(), []

    def embed(texts: list[str]) -> list[list[float]]:
        calls.append(texts)
        if len(calls) == 1:
            message = "the model is loading"
            raise OSError(message)
        return _direction(texts)

    lookup = _lookup(embed, clock)
    with pytest.raises(OSError, match="loading"):
        _find(lookup, "What is the warranty period?")
    assert _find(lookup, "What is the warranty period?") is None
    assert len(calls) == 1
    clock.advance(61)
    assert _find(lookup, "What is the warranty period?") == "24 months"


def test_forked_child_does_not_wait_for_its_parents_lock() -> None:
    golden, embeddings = GoldenSet(GOLDEN), Embeddings(_direction)

    async def stuck() -> None:
        await embeddings._lock.acquire()
        embeddings._process = os.getpid() + 1
        found = await embeddings.near(golden, "What is the warranty period?", UserCode(5.0))
        assert found is not None

    asyncio.run(stuck())

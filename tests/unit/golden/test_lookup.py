"""A reference comes from a file, a mapping, a function, or the first of several that knows."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from spanjudge.errors import InputError
from spanjudge.golden import reference_lookup
from spanjudge.user_code import UserCode


def _find(ground_truth: Any, question: str = "How long?") -> str | None:
    lookup = reference_lookup(ground_truth)
    assert lookup is not None
    found = asyncio.run(lookup.find(question, UserCode(5.0)))
    return found.text if found else None


def test_nothing_given_is_no_lookup() -> None:
    assert reference_lookup(None) is None


def test_file_mapping_and_function_all_do(tmp_path: Path) -> None:
    path = tmp_path / "golden.csv"
    path.write_text("question,ground_truth\nHow long?,24 months\n", encoding="utf-8")
    assert _find(path) == _find(str(path)) == _find({"How long?": "24 months"}) == _find(lambda _: "24 months")


def test_function_may_be_a_coroutine_function_or_return_nothing() -> None:
    async def lookup(question: str) -> str | None:
        await asyncio.sleep(0)
        return question.upper() if question == "abc" else None

    assert (_find(lookup, "abc"), _find(lookup, "x"), _find(lambda _: " ")) == ("ABC", None, None)


def test_golden_set_goes_before_the_function_that_stands_behind_it() -> None:
    asked: list[str] = []

    def fall_back(question: str) -> str:
        asked.append(question)
        return "from the function"

    given = [{"How long?": "from the set"}, fall_back]
    assert (_find(given, "how long?"), _find(given, "Why?"), asked) == ("from the set", "from the function", ["Why?"])


def test_function_that_returns_no_text_is_told() -> None:
    with pytest.raises(InputError, match="`ground_truth` function must return a text or None, not int"):
        _find(lambda _: 7)


@pytest.mark.parametrize("given", [7, [7]])
def test_anything_else_is_refused(given: Any) -> None:
    with pytest.raises(InputError, match='"ground_truth" must be a path, a mapping or a function, not 7'):
        reference_lookup(given)

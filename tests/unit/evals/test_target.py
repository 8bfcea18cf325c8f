from __future__ import annotations

from types import SimpleNamespace

import pytest

from spanjudge.evals.target import contexts_of


@pytest.mark.parametrize(
    "output",
    [
        {"contexts": ["a", "b"]},
        {"context": ("a", "b")},
        {"retrieved_contexts": ["a", "b"]},
        SimpleNamespace(contexts=["a", "b"]),
    ],
)
def test_contexts_that_an_output_names_are_found(output: object) -> None:
    assert contexts_of(output) == ("a", "b")


@pytest.mark.parametrize(
    "output", [None, "text", {}, {"context": "one text"}, {"contexts": [1]}, ["a"], SimpleNamespace()]
)
def test_anything_else_names_none(output: object) -> None:
    assert contexts_of(output) is None


def test_empty_list_is_an_empty_context_and_not_an_unknown_one() -> None:
    assert contexts_of({"contexts": []}) == ()

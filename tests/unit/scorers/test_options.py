from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest

from spanjudge.errors import InputError
from spanjudge.scorers import (
    create_answer_relevancy_scorer,
    create_context_precision_scorer,
    create_context_recall_scorer,
    create_faithfulness_scorer,
)
from spanjudge.testing import FakeJudge

WITH_CONTEXT = [create_context_recall_scorer, create_context_precision_scorer]
ALL = [*WITH_CONTEXT, create_answer_relevancy_scorer, create_faithfulness_scorer]


def _make(factory: Any, **options: Any) -> Any:
    needed = {"context": ["c"]} if factory in WITH_CONTEXT else {}
    return factory(**{"model": FakeJudge(), **needed, **options})


@pytest.mark.parametrize("factory", WITH_CONTEXT)
@pytest.mark.parametrize("options", [{}, {"context": None}, {"options": {}}, {"options": {"scale": 2}}])
def test_neither_context_nor_extractor_names_both(factory: Any, options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="either `context` or `context_extractor` is required"):
        factory(model=FakeJudge(), **options)


@pytest.mark.parametrize("factory", WITH_CONTEXT)
@pytest.mark.parametrize("context", [[], [""], [" ", "\n"]])
def test_static_context_cannot_be_empty(factory: Any, context: list[str]) -> None:
    with pytest.raises(InputError, match="`context` cannot be empty"):
        factory(model=FakeJudge(), context=context)


def test_faithfulness_may_be_held_against_an_empty_context() -> None:
    assert create_faithfulness_scorer(model=FakeJudge(), context=[]).id == "faithfulness"


@pytest.mark.parametrize("factory", ALL)
@pytest.mark.parametrize("scale", [0, -1, float("nan"), float("inf"), "1", None, True])
def test_scale_must_be_above_0(factory: Any, scale: Any) -> None:
    with pytest.raises(InputError, match="`scale` must be a number above 0, not"):
        _make(factory, scale=scale)


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan"), "0.3"])
def test_uncertainty_weight_must_be_within_0_and_1(weight: Any) -> None:
    with pytest.raises(InputError, match="`uncertainty_weight` must be a number from 0 to 1, not"):
        create_answer_relevancy_scorer(model=FakeJudge(), uncertainty_weight=weight)


@pytest.mark.parametrize("factory", ALL)
def test_option_given_both_ways_is_an_error(factory: Any) -> None:
    with pytest.raises(InputError, match="`scale` is given twice"):
        _make(factory, scale=1, options={"scale": 1})


@pytest.mark.parametrize("factory", ALL)
def test_options_as_a_dict_do_what_keywords_do(factory: Any) -> None:
    assert _make(factory, options={"scale": 5, "include_reason": False}).scale == 5


@pytest.mark.parametrize(
    ("name", "hint"),
    [("contextExtractor", "context_extractor"), ("uncertaintyWeight", "uncertainty_weight"), ("scal", "scale")],
)
def test_unknown_option_names_the_one_that_was_meant(name: str, hint: str) -> None:
    factory = create_answer_relevancy_scorer if "Weight" in name else create_context_recall_scorer
    with pytest.raises(InputError, match=f"unknown option '{name}'; did you mean `{hint}`"):
        factory(model=FakeJudge(), options={name: 1})


def test_unknown_option_without_a_likeness_lists_the_known() -> None:
    with pytest.raises(InputError, match="it takes `context`, `scale`, `include_reason`"):
        create_faithfulness_scorer(model=FakeJudge(), options={"zzz": 1})


@pytest.mark.parametrize("factory", ALL)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"options": ["scale"]}, "`options` must be a dict, not list"),
        ({"include_reason": "no"}, "`include_reason` must be True or False"),
        ({"model": 7}, "`model` must be a model name or a judge, not int"),
        ({"model": FakeJudge}, "`model` must be a model name or a judge"),
    ],
)
def test_option_of_the_wrong_type_is_told_so(factory: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        _make(factory, **options)


def test_wrong_types_of_contexts_are_told_so() -> None:
    with pytest.raises(TypeError, match="`context` must be a list of strings, not str"):
        create_context_recall_scorer(model=FakeJudge(), context="text")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`context_extractor` must be a function of"):
        create_context_recall_scorer(model=FakeJudge(), context_extractor=["text"])  # type: ignore[arg-type]


def test_blank_model_names_what_to_give() -> None:
    with pytest.raises(InputError, match="`model` is blank; name a LiteLLM model"):
        create_faithfulness_scorer(model=" ")


def test_expected_is_a_closed_set() -> None:
    with pytest.raises(InputError, match="`expected` must be 'output' or 'ground_truth', not 'answer'"):
        create_context_precision_scorer(model=FakeJudge(), context=["c"], expected="answer")  # type: ignore[arg-type]


def test_precision_can_be_held_against_the_ground_truth() -> None:
    judge = FakeJudge.always("yes")
    scorer = create_context_precision_scorer(model=judge, context=["c"], expected="ground_truth")
    asyncio.run(scorer.run(input="q", output="o", ground_truth="g"))
    assert (judge.asks[0].answer, judge.asks[0].reference) == (None, "g")
    assert asyncio.run(scorer.run(input="q", output="o")).skip_reason == "no_ground_truth"


@pytest.mark.parametrize("factory", ALL)
def test_signature_shows_what_may_be_left_out(factory: Any) -> None:
    parameters = inspect.signature(factory).parameters
    assert parameters["model"].default is inspect.Parameter.empty
    assert repr(parameters["scale"].default) == "..."
    assert all(parameter.kind is inspect.Parameter.KEYWORD_ONLY for parameter in parameters.values())

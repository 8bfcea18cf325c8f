from __future__ import annotations

from typing import Any

import pytest

from spanjudge.errors import InputError
from spanjudge.model import RagRun
from spanjudge.scorers import DEFAULT_SCORERS, as_scorer
from spanjudge.settings import DEFAULT_SCORERS as SETTINGS_SCORERS
from spanjudge.testing import FakeJudge


def test_four_scorers_have_their_ids_as_names() -> None:
    assert list(DEFAULT_SCORERS) == ["context_recall", "context_precision", "answer_relevancy", "faithfulness"]
    assert [as_scorer(name).id for name in DEFAULT_SCORERS] == list(DEFAULT_SCORERS)
    assert all(as_scorer(name).name and as_scorer(name).description for name in DEFAULT_SCORERS)


def test_every_scorer_that_settings_name_is_known() -> None:
    assert set(SETTINGS_SCORERS) <= set(DEFAULT_SCORERS)


def test_scorer_object_is_itself() -> None:
    scorer = as_scorer("faithfulness")
    assert as_scorer(scorer) is scorer


def test_model_given_with_a_name_is_the_scorers_own() -> None:
    judge = FakeJudge()
    assert as_scorer("faithfulness", model=judge).judge is judge


@pytest.mark.parametrize(("name", "hint"), [("context-recall", "context_recall"), ("faithfullness", "faithfulness")])
def test_unknown_name_is_told_the_nearest_and_all_known(name: str, hint: str) -> None:
    known = "context_recall, context_precision, answer_relevancy, faithfulness"
    with pytest.raises(InputError, match=rf"Unknown scorer '{name}'\. Did you mean '{hint}'\? Known are {known}\."):
        as_scorer(name)


def test_name_like_no_other_gets_no_hint() -> None:
    with pytest.raises(InputError, match=r"Unknown scorer 'zzz'\. Known are"):
        as_scorer("zzz")


@pytest.mark.parametrize("thing", [None, 7, RagRun, ["faithfulness"]])
def test_anything_else_is_no_scorer(thing: Any) -> None:
    with pytest.raises(TypeError, match="A scorer is a name, a Scorer or a function of the run, not"):
        as_scorer(thing)

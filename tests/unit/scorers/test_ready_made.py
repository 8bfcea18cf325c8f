"""What a user's function hands over as an outcome is checked before it counts."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from spanjudge.model import Failure, RagRun, Score, Skip
from spanjudge.scorers import as_scorer

RUN = RagRun(query="Why?", answer="So.")


def _outcome(given: Any) -> Any:
    def mine(run: RagRun) -> Any:
        del run
        return given

    return asyncio.run(as_scorer(mine).evaluate(RUN))


def _score(share: Any, score: Any = 0.9, label: Any = "excellent") -> Score:
    return Score(scorer="other", share=share, score=score, label=label)


def test_score_and_label_follow_from_the_share() -> None:
    outcome = _outcome(_score(0.2))
    assert (outcome.scorer, outcome.share, outcome.score, outcome.label) == ("mine", 0.2, 0.2, "poor")


@pytest.mark.parametrize("share", [float("nan"), float("inf"), -0.1, 1.1, "0.5", None])
def test_share_that_is_none_is_a_failure(share: Any) -> None:
    outcome = _outcome(_score(share))
    assert isinstance(outcome, Failure)
    assert outcome.code == "scorer_error"


@pytest.mark.parametrize("code", ["user 17", ["a"], None])
def test_code_outside_the_closed_set_is_a_failure(code: Any) -> None:
    for given in (Skip(scorer="mine", code=code), Failure(scorer="mine", code=code)):
        outcome = _outcome(given)
        assert isinstance(outcome, Failure)
        assert outcome.code == "scorer_error"


def test_known_codes_are_kept() -> None:
    assert _outcome(Skip(scorer="mine", code="no_claims")) == Skip(scorer="mine", code="no_claims")
    assert _outcome(Failure(scorer="mine", code="judge_refused", detail="No.")).code == "judge_refused"

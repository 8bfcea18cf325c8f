from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.evals.summary import LEAST_SCORES, counted_score, summarise
from spanjudge.model import Failure, Outcome, Score, Skip


def _score(share: float, scale: float = 1) -> Score:
    return Score(scorer="s", share=share, score=share * scale, label="fair")


def _skip(code: str = "no_ground_truth") -> Skip:
    return Skip(scorer="s", code=code)  # type: ignore[arg-type]


FAILURE = Failure(scorer="s", code="judge_timeout")


def test_what_has_no_score_is_left_out_and_counted_by_reason() -> None:
    summary = summarise([_score(1.0), _skip(), _score(0.5), FAILURE, _skip(), _skip("no_claims")])
    assert (summary.mean, summary.n) == (0.75, 2)
    assert summary.left_out == {"no_ground_truth": 2, "judge_timeout": 1, "no_claims": 1}


def test_no_score_at_all_has_no_mean_and_never_a_0() -> None:
    summary = summarise([FAILURE, _skip()])
    assert (summary.mean, summary.low, summary.high, summary.n, summary.method) == (None, None, None, 0, None)


def test_missing_as_zero_counts_named_skips_and_never_a_failure() -> None:
    outcomes: list[Outcome] = [_score(1.0), _skip(), _skip("no_query"), FAILURE]
    summary = summarise(outcomes, zeros={"no_ground_truth"}, missing="zero")
    assert (summary.mean, summary.n) == (0.5, 2)
    assert summary.left_out == {"no_query": 1, "judge_timeout": 1}
    assert counted_score(FAILURE, {"no_ground_truth"}, "zero") is None


@pytest.mark.parametrize("count", range(LEAST_SCORES))
def test_few_scores_have_no_interval(count: int) -> None:
    summary = summarise([_score(0.5)] * count)
    assert (summary.low, summary.high, summary.method) == (None, None, None)


def test_scores_of_0_and_1_have_wilsons_interval() -> None:
    # Newcombe 1998, Statistics in Medicine 17, table I: 81 of 263 and 15 of 148, method 3.
    for yes, total, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605)):
        summary = summarise([_score(1.0)] * yes + [_score(0.0)] * (total - yes))
        assert summary.method == "wilson"
        assert (round(summary.low or 0, 4), round(summary.high or 0, 4)) == (low, high)


def test_perfect_scores_still_leave_doubt() -> None:
    summary = summarise([_score(1.0)] * 10)
    assert (summary.mean, summary.high) == (1.0, 1.0)
    assert summary.low is not None
    assert 0.6 < summary.low < 0.8


def test_method_follows_the_number_of_scores() -> None:
    few = summarise([_score(0.25), _score(0.75)] * 10)
    many = summarise([_score(0.25), _score(0.75)] * 50)
    assert (few.method, many.method) == ("betting", "normal")
    assert few.low is not None
    assert few.high is not None
    assert many.low is not None
    assert few.low < many.low < 0.5 < few.high


@given(
    st.lists(st.sampled_from([0.0, 0.25, 0.5, 2 / 3, 1.0]), min_size=LEAST_SCORES, max_size=30),
    st.sampled_from([1, 5, 10.0]),
)
def test_interval_lies_within_the_scale_around_the_mean(shares: list[float], scale: float) -> None:
    summary = summarise([_score(share, scale) for share in shares], scale=scale)
    assert summary.mean is not None
    assert summary.low is not None
    assert summary.high is not None
    assert 0 <= summary.low <= summary.mean + 1e-9
    assert summary.mean - 1e-9 <= summary.high <= scale

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.detect.betting import gain, log_mean, log_sum, lower_bound, mean_interval

LOGS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8)


@given(st.lists(st.floats(-300, 300), min_size=1, max_size=8))
def test_log_sum_is_the_log_of_the_sum(logs: list[float]) -> None:
    assert log_sum(logs) == pytest.approx(math.log(math.fsum(map(math.exp, logs))), abs=1e-9)


@given(LOGS)
def test_log_mean_lies_between_the_least_and_the_greatest(logs: list[float]) -> None:
    assert min(logs) - 1e-6 <= log_mean(logs) <= max(logs) + 1e-6


@given(st.floats(0, 1), st.floats(0.001, 1), st.floats(0, 0.999999), st.floats(1, 1000))
def test_no_score_ruins_a_bet(x: float, share: float, mu0: float, most: float) -> None:
    assert gain(x, share * most, mu0, most) >= -1.0 - 1e-9


@given(st.integers(1, 99), st.integers(1, 60))
def test_bets_are_fair_at_the_claimed_mean(zeros: int, ones: int) -> None:
    mu0 = ones / (ones + zeros)
    total = ones * gain(1.0, 1.0, mu0, 1.0) + zeros * gain(0.0, 1.0, mu0, 1.0)
    assert total / (ones + zeros) == pytest.approx(0.0, abs=1e-9)


def test_bound_lies_under_the_mean_and_rises_with_the_units() -> None:
    bounds = [lower_bound([(0.7, 1.0), (0.9, 1.0)] * n, alpha=0.025) for n in (5, 50, 500)]
    assert bounds == sorted(bounds)
    assert 0.3 < bounds[0] < 0.8
    assert 0.78 < bounds[2] < 0.8


def test_bound_of_zeros_is_zero() -> None:
    assert lower_bound([(0.0, 1.0)] * 100, alpha=0.05) == pytest.approx(0.0, abs=1e-9)


def test_bound_of_nothing_is_zero() -> None:
    assert lower_bound([], alpha=0.05) == pytest.approx(0.0, abs=1e-9)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0.1, 5)), min_size=1, max_size=30))
def test_bound_never_exceeds_the_greatest_score(units: list[tuple[float, float]]) -> None:
    bound = lower_bound(units, alpha=0.05, max_weight=5.0)
    assert 0.0 <= bound <= max(x for x, _ in units) + 1e-9


def test_bound_depends_on_the_ratio_of_weights_alone() -> None:
    units = [(0.9, 1.0), (0.5, 0.5), (0.8, 1.0)] * 20
    scaled = [(x, weight * 40) for x, weight in units]
    assert lower_bound(scaled, 0.05, max_weight=40.0) == pytest.approx(lower_bound(units, 0.05, max_weight=1.0))


@pytest.mark.parametrize("mean", [0.5, 0.8, 0.95, 0.99])
def test_bound_misses_the_mean_no_more_often_than_promised(mean: float, rng: random.Random) -> None:
    missed = sum(lower_bound([(float(rng.random() < mean), 1.0) for _ in range(60)], 0.1) > mean for _ in range(200))
    # 33 of 200 is three standard errors above a rate of 0.1.
    assert missed <= 33


def test_weight_above_the_announced_one_is_refused() -> None:
    with pytest.raises(ValueError, match="above the greatest announced"):
        lower_bound([(0.5, 3.0)], 0.05, max_weight=2.0)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_interval_is_the_same_seen_from_either_end(scores: list[float]) -> None:
    seen = mean_interval([(x, 1.0) for x in scores])
    turned = mean_interval([(1.0 - x, 1.0) for x in scores])
    assert seen.low == pytest.approx(1.0 - turned.high, abs=1e-6)
    assert 0.0 <= seen.low <= seen.high <= 1.0


def test_interval_of_nothing_says_nothing() -> None:
    interval = mean_interval([])
    assert (interval.low, interval.high) == pytest.approx((0.0, 1.0))


def test_interval_covers_few_extreme_shares(rng: random.Random) -> None:
    held = 0
    for _ in range(200):
        units = [(sum(rng.random() < 0.95 for _ in range(3)) / 3, 1.0) for _ in range(20)]
        interval = mean_interval(units)
        held += interval.low <= 0.95 <= interval.high
    assert held >= 181  # three standard errors below 95 %

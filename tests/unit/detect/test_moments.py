import math
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.detect.moments import Interval, Moments, of_unit

SCORES = st.floats(0, 1)
UNITS = st.lists(st.tuples(SCORES, st.floats(0.5, 50)), min_size=2, max_size=40)


def sums(units: list[tuple[float, float]]) -> Moments:
    total = Moments()
    for x, weight in units:
        total = total.add(x, weight)
    return total


def test_no_units_have_no_mean_and_no_error() -> None:
    assert Moments().mean is None
    assert Moments().standard_error is None
    assert Moments().interval() is None


def test_one_unit_has_a_mean_but_no_error() -> None:
    moments = Moments().add(0.4)
    assert moments.mean == pytest.approx(0.4)
    assert moments.standard_error is None


def test_counters_of_one_unit_are_the_five_products() -> None:
    assert of_unit(0.5, 4.0) == Moments(n=1, w=4.0, wx=2.0, ww=16.0, wwx=8.0, wwxx=4.0)


@given(st.lists(SCORES, min_size=2, max_size=50))
def test_equal_weights_give_the_plain_mean_and_its_error(scores: list[float]) -> None:
    moments = sums([(x, 7.0) for x in scores])
    assert moments.mean == pytest.approx(fmean(scores), abs=1e-9)
    expected = stdev(scores) * math.sqrt((len(scores) - 1) / len(scores)) / math.sqrt(len(scores))
    assert moments.standard_error == pytest.approx(expected, abs=1e-6)


@given(UNITS)
def test_error_is_that_of_the_linearised_ratio(units: list[tuple[float, float]]) -> None:
    moments = sums(units)
    total = sum(weight for _, weight in units)
    mean = sum(weight * x for x, weight in units) / total
    expected = math.sqrt(sum((weight * (x - mean)) ** 2 for x, weight in units)) / total
    assert moments.mean == pytest.approx(mean, abs=1e-9)
    assert moments.standard_error == pytest.approx(expected, abs=1e-6)


@given(UNITS, UNITS)
def test_sums_of_two_windows_are_the_sums_of_their_union(
    left: list[tuple[float, float]], right: list[tuple[float, float]]
) -> None:
    joined, together = sums(left) + sums(right), sums(left + right)
    assert joined.n == together.n
    assert joined.mean == pytest.approx(together.mean)
    assert joined.wwxx == pytest.approx(together.wwxx)


@given(UNITS, st.floats(0.1, 100))
def test_mean_and_error_do_not_depend_on_the_scale_of_weights(units: list[tuple[float, float]], factor: float) -> None:
    plain, scaled = sums(units), sums([(x, weight * factor) for x, weight in units])
    assert scaled.mean == pytest.approx(plain.mean, abs=1e-9)
    assert scaled.standard_error == pytest.approx(plain.standard_error, abs=1e-6)


def test_binary_scores_have_wilsons_interval() -> None:
    # 95 of 100: Wilson's interval at 95 % is 0.8882..0.9785 (statsmodels, proportion_confint).
    moments = sums([(1.0, 1.0)] * 95 + [(0.0, 1.0)] * 5)
    interval = moments.interval()
    assert interval is not None
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.8882, 0.9785)


def test_all_ones_have_an_interval_that_still_leaves_room_below() -> None:
    interval = sums([(1.0, 2.0)] * 10).interval()
    assert interval is not None
    assert interval.low == pytest.approx(10 / (10 + 1.959964**2), abs=1e-6)
    assert interval.high == 1.0


def test_weighted_binary_scores_count_for_fewer_units_than_there_are() -> None:
    plain = sums([(1.0, 1.0)] * 30 + [(0.0, 1.0)] * 10).interval()
    weighted = sums([(1.0, 1.0), (1.0, 9.0)] * 15 + [(0.0, 1.0), (0.0, 9.0)] * 5).interval()
    assert plain is not None
    assert weighted is not None
    assert weighted.low < plain.low < plain.high < weighted.high


def test_few_shares_have_no_interval_and_enough_have_the_normal_one() -> None:
    few, enough = sums([(0.4, 1.0), (0.6, 1.0)] * 49), sums([(0.4, 1.0), (0.6, 1.0)] * 50)
    assert few.interval() is None
    interval = enough.interval()
    assert interval is not None
    assert interval.low == pytest.approx(0.5 - 1.959964 * 0.01, abs=1e-6)


@given(UNITS, st.floats(0.5, 0.999))
def test_interval_holds_the_mean_and_stays_inside_0_and_1(units: list[tuple[float, float]], level: float) -> None:
    moments = sums(units)
    interval, mean = moments.interval(level, least_n=2), moments.mean
    assert isinstance(interval, Interval)
    assert mean is not None
    assert 0.0 <= interval.low <= mean + 1e-9
    assert mean - 1e-9 <= interval.high <= 1.0


@pytest.mark.parametrize("x", [-0.01, 1.01, math.nan, 10.0])
def test_score_outside_0_and_1_is_refused(x: float) -> None:
    with pytest.raises(ValueError, match="share from 0 to 1"):
        Moments().add(x)


@pytest.mark.parametrize("weight", [0.0, -1.0, math.inf, math.nan])
def test_weight_that_is_no_positive_number_is_refused(weight: float) -> None:
    with pytest.raises(ValueError, match="finite number above 0"):
        Moments().add(0.5, weight)


def test_level_outside_0_and_1_is_refused() -> None:
    with pytest.raises(ValueError, match='"level" must be above 0 and below 1'):
        Moments().add(0.5).add(0.6).interval(level=95)

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judged import RECALL, failed, run_number, scored, series
from spanjudge.detect.regression import RegressionDetector
from spanjudge.report.distribution_chart import distribution_chart
from spanjudge.report.evidence_chart import evidence_chart
from spanjudge.report.frame import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, across, run_ticks, upwards
from spanjudge.report.runs import JudgedRun, judged_runs
from spanjudge.report.score_chart import MOST_DOTS, ScoreChart, score_chart
from spanjudge.report.summary import parts
from spanjudge.report.trail import follow

SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=60)


def drawn(runs: tuple[JudgedRun, ...], moment: int | None = None) -> ScoreChart:
    return score_chart(RECALL, runs, parts(RECALL, runs, moment), moment)


def points(line: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in line.split())]


def inside(x: float, y: float) -> bool:
    return LEFT <= x <= WIDTH - RIGHT and TOP <= y <= HEIGHT - BOTTOM


def test_scale_places_ends_at_the_edges_and_what_is_outside_too() -> None:
    x, y = across(0, 10), upwards(0, 1)
    assert (x(0), x(10), x(-5), x(50)) == (LEFT, WIDTH - RIGHT, LEFT, WIDTH - RIGHT)
    assert (y(0), y(1)) == (HEIGHT - BOTTOM, TOP)


def test_scale_of_one_value_places_it_in_the_middle() -> None:
    assert across(3, 3)(3) == (LEFT + WIDTH - RIGHT) / 2


@given(st.integers(1, 200_000))
def test_run_axis_has_a_few_labels_from_the_first_to_the_last(count: int) -> None:
    labels = [int(tick.label) for tick in run_ticks(across(0, max(1, count - 1)), count)]
    assert labels == sorted(set(labels))
    assert (labels[0], labels[-1]) == (1, count)
    assert len(labels) <= 25


@given(SHARES, st.integers(1, 59))
def test_everything_drawn_of_scores_lies_inside_the_frame(shares: list[float], moment: int) -> None:
    chart = drawn(judged_runs(series(shares)), moment if moment < len(shares) else None)
    assert all(inside(dot.x, dot.y) for dot in chart.dots)
    assert all(inside(*point) for point in points(chart.rolling))
    for band in chart.bands:
        assert inside(band.x1, band.top)
        assert inside(band.x2, band.top + band.height)
        assert band.top - 0.2 <= band.y <= band.top + band.height + 0.2


def test_dots_tell_run_and_score_and_side_of_the_moment() -> None:
    chart = drawn(judged_runs(series([1.0, 0.5, 0.25])), moment=2)
    assert [(dot.title, dot.after) for dot in chart.dots] == [
        ("run 1: 1.00", False),
        ("run 2: 0.50", False),
        ("run 3: 0.25", True),
    ]
    assert chart.moment_x is not None
    assert chart.dots[1].x < chart.moment_x < chart.dots[2].x


def test_rolling_mean_begins_with_its_tenth_score() -> None:
    assert drawn(judged_runs(series([1.0] * 9))).rolling == ""
    ten = points(drawn(judged_runs(series([1.0] * 5 + [0.0] * 5))).rolling)
    assert ten == [(WIDTH - RIGHT, upwards(0, 1)(0.5))]


def test_very_many_runs_become_dots_of_several() -> None:
    chart = drawn(judged_runs(series([0.5] * 1000)))
    assert len(chart.dots) <= MOST_DOTS
    assert chart.runs_per_dot == 3
    assert chart.dots[0].title == "runs 1 to 3: 0.50"


def test_runs_without_a_score_leave_a_gap() -> None:
    runs = judged_runs([scored(run_number(0), 1.0), failed(run_number(1)), scored(run_number(2), 1.0)])
    assert [dot.title for dot in drawn(runs).dots] == ["run 1: 1.00", "run 3: 1.00"]


def test_part_without_scores_has_no_band() -> None:
    runs = judged_runs([scored(run_number(0), 1.0), failed(run_number(1))])
    assert [band.after for band in drawn(runs, moment=1).bands] == [False]


def test_distribution_counts_shares_of_runs_by_tenths() -> None:
    chart = distribution_chart(RECALL, judged_runs(series([0.0, 0.05, 0.7, 1.0])))
    assert [bar.title for bar in chart.bars] == [
        "0.0 to 0.1: 50% of runs",
        "0.7 to 0.8: 25% of runs",
        "0.9 to 1.0: 25% of runs",
    ]
    assert [tick.label for tick in chart.yticks] == ["0%", "30%", "60%"]


def test_distribution_sets_before_and_after_side_by_side() -> None:
    chart = distribution_chart(RECALL, judged_runs(series([1.0, 1.0, 0.95, 0.0])), moment=2)
    before, after = [bar for bar in chart.bars if bar.title.startswith("0.9")]
    assert (before.after, after.after) == (False, True)
    assert before.x + before.width == pytest.approx(after.x)


@given(SHARES)
def test_bars_of_one_part_add_up_to_all_runs(shares: list[float]) -> None:
    chart = distribution_chart(RECALL, judged_runs(series(shares)))
    top = float(chart.yticks[-1].label.rstrip("%")) / 100
    total = sum(bar.height for bar in chart.bars) / (HEIGHT - BOTTOM - TOP) * top
    assert total == pytest.approx(1.0, abs=0.01)


def test_nothing_scored_has_no_bars() -> None:
    assert distribution_chart(RECALL, judged_runs([failed(run_number(0))])).bars == ()


def test_evidence_crosses_its_threshold_at_the_alarm() -> None:
    runs = judged_runs(series([0.9] * 40 + [0.1] * 20))
    trail = follow(RECALL, runs, RegressionDetector(baseline_n=30))
    chart = evidence_chart(trail, len(runs), moment=40)
    assert chart.alarm is not None
    assert chart.alarm[1] <= chart.threshold_y
    assert chart.moment_x is not None
    assert chart.moment_x < chart.alarm[0]
    heights = [y for _, y in points(chart.maximum)]
    assert heights == sorted(heights, reverse=True)
    assert all(inside(*point) for point in points(chart.current) + points(chart.maximum))


@pytest.mark.parametrize("count", [1, 5])
def test_evidence_without_a_baseline_draws_no_line(count: int) -> None:
    runs = judged_runs(series([0.9] * count))
    chart = evidence_chart(follow(RECALL, runs, RegressionDetector(baseline_n=30)), count)
    assert (chart.current, chart.maximum, chart.alarm) == ("", "", None)
    assert chart.baseline_x == across(0, max(1, count - 1))(count - 1)


def test_a_long_trail_is_thinned_but_keeps_its_alarm() -> None:
    runs = judged_runs(series([0.9] * 2500 + [0.1] * 500))
    trail = follow(RECALL, runs, RegressionDetector(baseline_n=30))
    chart = evidence_chart(trail, len(runs))
    assert len(points(chart.maximum)) <= 1001
    assert chart.alarm is not None
    assert chart.alarm in points(chart.maximum)


def test_labels_of_evidence_are_few_and_finite() -> None:
    runs = judged_runs(series([1.0] * 30 + [0.0] * 400))
    chart = evidence_chart(follow(RECALL, runs, RegressionDetector(baseline_n=30)), len(runs))
    assert 2 <= len(chart.yticks) <= 6
    assert all(math.isfinite(float(tick.label)) for tick in chart.yticks)

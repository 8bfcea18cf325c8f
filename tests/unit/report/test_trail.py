from judged import RECALL, failed, run_number, scored, series
from spanjudge.detect.regression import RegressionDetector
from spanjudge.report.runs import judged_runs
from spanjudge.report.trail import follow


def test_trail_tells_the_run_that_raised_the_alarm() -> None:
    runs = judged_runs(series([0.9] * 50 + [0.1] * 20))
    trail = follow(RECALL, runs, RegressionDetector(baseline_n=40))
    assert trail.alarm is not None
    assert 50 < trail.alarm < 65
    assert trail.steps[trail.alarm].evidence.crossed
    assert not trail.steps[trail.alarm - 1].evidence.crossed


def test_calm_series_has_no_alarm() -> None:
    assert follow(RECALL, judged_runs(series([0.9] * 80)), RegressionDetector(baseline_n=40)).alarm is None


def test_runs_without_a_score_are_no_steps_but_keep_their_positions() -> None:
    runs = judged_runs([scored(run_number(0), 1.0), failed(run_number(1)), scored(run_number(2), 0.5)])
    trail = follow(RECALL, runs, RegressionDetector(baseline_n=9))
    assert [(step.position, step.share) for step in trail.steps] == [(0, 1.0), (2, 0.5)]


def test_weights_reach_the_detector() -> None:
    evaluations = [scored(run_number(0), 1.0, probability=0.5), scored(run_number(1), 0.0)]
    trail = follow(RECALL, judged_runs(evaluations), RegressionDetector(baseline_n=2, max_weight=2.0))
    baseline = trail.steps[-1].evidence.baseline
    assert baseline is not None
    assert round(baseline.mean, 3) == 0.667


def test_trail_carries_threshold_and_kind() -> None:
    trail = follow(RECALL, (), RegressionDetector(kind="e_detector", arl=100.0))
    assert (trail.kind, round(trail.threshold, 2), trail.alarm) == ("e_detector", 4.61, None)

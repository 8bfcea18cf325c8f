import pytest

from judged import RECALL, failed, run_number, scored, series, skipped
from spanjudge.report.runs import judged_runs
from spanjudge.report.summary import part, parts


def test_part_has_mean_interval_and_what_was_left_out() -> None:
    evaluations = [*series([1.0, 0.5]), skipped(run_number(2)), failed(run_number(3)), failed(run_number(4))]
    found = part(RECALL, judged_runs(evaluations))
    assert found.mean == pytest.approx(0.75)
    assert found.interval is not None
    assert found.interval.low < 0.75 < found.interval.high
    assert (found.n, found.left_out) == (2, (("judge_timeout", 2), ("no_ground_truth", 1)))


def test_rarely_sampled_runs_weigh_more() -> None:
    often, rarely = scored(run_number(0), 1.0, probability=1.0), scored(run_number(1), 0.0, probability=0.25)
    assert part(RECALL, judged_runs([often, rarely])).mean == pytest.approx(1 / 5)


def test_nothing_scored_has_no_mean_and_no_interval() -> None:
    found = part(RECALL, judged_runs([skipped(run_number(0))]))
    assert (found.n, found.mean, found.interval) == (0, None, None)


def test_scorer_that_did_not_judge_is_left_out_without_a_word() -> None:
    assert part("other", judged_runs(series([1.0]))).left_out == ()


def test_a_moment_splits_the_runs_in_two() -> None:
    before, after = parts(RECALL, judged_runs(series([1.0, 1.0, 0.0])), moment=2)
    assert (before.mean, before.first, before.last, before.n) == (1.0, 0, 1, 2)
    assert (after.mean, after.first, after.last, after.n) == (0.0, 2, 2, 1)


@pytest.mark.parametrize("moment", [None, 0, 3, 99])
def test_moment_outside_the_runs_splits_nothing(moment: int | None) -> None:
    assert len(parts(RECALL, judged_runs(series([1.0, 1.0, 0.0])), moment)) == 1


def test_no_runs_have_no_parts() -> None:
    assert parts(RECALL, ()) == ()

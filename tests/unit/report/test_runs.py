from judged import RECALL, failed, run_number, scored, series, skipped
from spanjudge.report.runs import judged_runs, scorers_of


def test_evaluations_of_one_run_come_together_in_the_order_of_the_runs() -> None:
    first, second = run_number(0), run_number(1)
    runs = judged_runs([scored(second, 0.5), scored(first, 1.0), scored(second, 0.2, "faithfulness")])
    assert [run.run.query for run in runs] == ["question 0", "question 1"]
    assert [run.position for run in runs] == [0, 1]
    assert runs[1].share(RECALL) == 0.5
    assert runs[1].share("faithfulness") == 0.2


def test_runs_without_spans_are_told_apart_and_stay_in_order() -> None:
    offline = [run_number(number, target=None, started_ns=0) for number in (3, 1, 2)]
    runs = judged_runs([scored(run, 1.0) for run in offline] + [scored(offline[1], 0.0, "faithfulness")])
    assert [run.run.query for run in runs] == ["question 3", "question 1", "question 2"]
    assert runs[1].share("faithfulness") == 0.0


def test_of_a_repeat_the_last_counts() -> None:
    run = run_number(0)
    assert judged_runs([scored(run, 0.1), scored(run, 0.9)])[0].share(RECALL) == 0.9


def test_skip_failure_and_absence_have_no_share() -> None:
    runs = judged_runs([skipped(run_number(0)), failed(run_number(1))])
    assert [run.share(RECALL) for run in runs] == [None, None]
    assert runs[0].share("other") is None


def test_default_scorers_come_first_whatever_arrived_first() -> None:
    run = run_number(0)
    names = ("zeta", "faithfulness", "alpha", RECALL)
    runs = judged_runs([scored(run, 1.0, name) for name in names])
    assert scorers_of(runs) == (RECALL, "faithfulness", "alpha", "zeta")


def test_no_evaluations_are_no_runs() -> None:
    assert judged_runs([]) == ()
    assert scorers_of(judged_runs(series([]))) == ()

from judged import RECALL, failed, run_number, scored, skipped, verdicts
from spanjudge.model import Document
from spanjudge.report.runs import judged_runs
from spanjudge.report.worst import worst_runs

BOTH = (RECALL, "faithfulness")


def test_lowest_mean_comes_first_and_full_marks_are_left_out() -> None:
    evaluations = [
        scored(run_number(0), 1.0),
        scored(run_number(1), 0.5),
        scored(run_number(1), 1.0, "faithfulness"),
        scored(run_number(2), 0.5),
    ]
    assert [run.number for run in worst_runs(judged_runs(evaluations), BOTH)] == [3, 2]


def test_a_question_is_shown_once_by_its_worst_run() -> None:
    runs = judged_runs(
        [scored(run_number(number, query="same"), share) for number, share in enumerate((0.5, 0.1, 0.3))]
    )
    assert [run.number for run in worst_runs(runs, BOTH)] == [2]


def test_runs_without_a_question_are_all_shown() -> None:
    runs = judged_runs([scored(run_number(number, query=None), 0.1) for number in range(3)])
    assert len(worst_runs(runs, BOTH)) == 3


def test_run_without_any_score_is_no_bad_run() -> None:
    assert worst_runs(judged_runs([failed(run_number(0)), skipped(run_number(1))]), BOTH) == ()


def test_run_shows_texts_verdicts_and_why_a_score_is_missing() -> None:
    run = run_number(4)
    evaluations = [scored(run, 0.5, verdicts=verdicts("yes", "no")), failed(run, "faithfulness")]
    (shown,) = worst_runs(judged_runs(evaluations), BOTH)
    assert (shown.question, shown.answer, shown.ground_truth) == ("question 4", "answer 4", "truth 4")
    assert shown.contexts == (("doc-4", "context of 4"),)
    recall, faithfulness = shown.outcomes
    assert [(verdict.item, verdict.word, verdict.reason) for verdict in recall.verdicts] == [
        ("claim 0", "yes", "why 0"),
        ("claim 1", "no", "why 1"),
    ]
    assert (faithfulness.score, faithfulness.note) == (None, "judge_timeout: The judge took longer than 60 s.")


def test_skip_is_shown_by_its_code() -> None:
    run = run_number(0)
    (shown,) = worst_runs(judged_runs([scored(run, 0.5), skipped(run, "faithfulness")]), BOTH)
    assert shown.outcomes[1].note == "no_ground_truth"


def test_contexts_not_captured_differ_from_none_retrieved() -> None:
    lost, empty = run_number(0, contexts=None), run_number(1, contexts=())
    shown = worst_runs(judged_runs([scored(lost, 0.0), scored(empty, 0.0)]), BOTH)
    assert [run.contexts for run in shown] == [None, ()]


def test_context_without_text_or_id_still_has_a_line() -> None:
    run = run_number(0, contexts=(Document(text=None, rank=2),))
    (shown,) = worst_runs(judged_runs([scored(run, 0.0)]), BOTH)
    assert shown.contexts == (("document 3", "(text was not captured)"),)


def test_very_many_contexts_and_verdicts_are_bounded_and_counted() -> None:
    run = run_number(0, contexts=tuple(Document(text="x" * 100_000) for _ in range(200)))
    (shown,) = worst_runs(judged_runs([scored(run, 0.0, verdicts=verdicts(*["no"] * 100))]), BOTH)
    assert shown.contexts is not None
    assert (len(shown.contexts), shown.more_contexts) == (20, 180)
    assert shown.contexts[0][1].endswith("[… 98,000 more characters]")
    assert (len(shown.outcomes[0].verdicts), shown.outcomes[0].more_verdicts) == (40, 60)

from judged import run_number, scored, skipped, verdicts
from spanjudge.report.missed import missed_claims
from spanjudge.report.runs import judged_runs


def test_claims_are_ranked_by_how_often_they_were_missed() -> None:
    runs = judged_runs(
        [
            scored(run_number(0), 0.0, verdicts=verdicts("no", "no")),
            scored(run_number(1), 0.5, verdicts=verdicts("yes", "no")),
            scored(run_number(2), 1.0, verdicts=verdicts("yes", "yes", "yes")),
        ]
    )
    found = missed_claims(runs)
    assert [(claim.claim, claim.missed, claim.asked) for claim in found] == [("claim 1", 2, 3), ("claim 0", 1, 3)]
    assert found[0].question == "question 0"


def test_of_equally_often_missed_claims_the_rarer_asked_comes_first() -> None:
    runs = judged_runs(
        [
            scored(run_number(0), 0.5, verdicts=verdicts("no", "yes")),
            scored(run_number(1), 0.5, verdicts=verdicts("yes")),
            scored(run_number(2), 0.5, verdicts=verdicts("yes", "no")),
        ]
    )
    assert [claim.claim for claim in missed_claims(runs)] == ["claim 1", "claim 0"]


def test_other_scorers_and_skips_do_not_count() -> None:
    other = scored(run_number(0), 0.0, "faithfulness", verdicts=verdicts("no"))
    assert missed_claims(judged_runs([other, skipped(run_number(1))])) == ()


def test_only_so_many_are_given_and_long_ones_are_cut() -> None:
    long = verdicts(*["no"] * 30)
    runs = judged_runs([scored(run_number(0, query="q" * 1000), 0.0, verdicts=long)])
    assert len(missed_claims(runs, most=4)) == 4
    assert missed_claims(runs)[0].question.endswith("[… 700 more characters]")

from rich.console import Console

from judged import failed, run_number, scored, series, skipped
from spanjudge.demo.main_job import BASELINE_RUNS, BROKEN_RUNS, WATCHED, WORKING_RUNS, Demo
from spanjudge.demo.page import figures, page
from spanjudge.demo.show import Bars, show
from spanjudge.detect.regression import RegressionDetector
from spanjudge.model import Evaluation
from spanjudge.report.runs import judged_runs
from spanjudge.report.trail import follow


def demo_of(evaluations: list[Evaluation], baseline: int = BASELINE_RUNS) -> Demo:
    runs = judged_runs(evaluations)
    return Demo(
        runs=runs,
        evaluations=tuple(evaluations),
        spans=(),
        trail=follow(WATCHED, runs, RegressionDetector(baseline_n=baseline)),
        moment=WORKING_RUNS,
        questions=36,
        passages=700,
        judge="fake",
    )


def shares(before: float, after: float) -> list[float]:
    return [before] * WORKING_RUNS + [after] * BROKEN_RUNS


def told(demo: Demo, width: int = 140) -> str:
    console = Console(width=width, highlight=False, force_terminal=False)
    with console.capture() as capture:
        show(demo, console)
    return capture.get()


def test_the_story_has_scores_reasons_and_the_alarm() -> None:
    text = told(demo_of(series(shares(0.9, 0.1))))
    assert "0.90 (" in text
    assert "→ 0.10 (" in text
    assert "reason 0.90" in text
    assert "Alarm at run" in text
    assert "False" not in text
    assert "chance of at most 5%" in text


def test_evidence_is_shown_run_by_run_up_to_the_alarm() -> None:
    demo = demo_of(series(shares(0.9, 0.1)))
    assert demo.trail.alarm is not None
    lines = [line for line in told(demo).splitlines() if line.startswith("  run ") and "recall" in line]
    assert lines[0].startswith(f"  run {WORKING_RUNS + 1:>3}")
    assert lines[-3].startswith(f"  run {demo.trail.alarm + 1:>3}")
    filled = [line.count("█") for line in lines]
    assert filled == sorted(filled)
    assert filled[-1] == 30


def test_no_alarm_is_told_as_such() -> None:
    text = told(demo_of(series(shares(0.9, 0.9))))
    assert "No alarm" in text
    assert "Alarm at run" not in text


def test_run_whose_judging_failed_or_was_skipped_says_so() -> None:
    first = run_number(0)
    evaluations = [scored(first, 0.5), failed(first, "faithfulness"), skipped(first, "answer_relevancy")]
    evaluations += [scored(run_number(number), 1.0) for number in range(1, WORKING_RUNS + BROKEN_RUNS)]
    text = told(demo_of(evaluations))
    assert "failed: judge_timeout" in text
    assert "The judge took longer than 60 s." in text
    assert "skipped: no_ground_truth" in text


def test_too_few_scores_for_a_baseline_are_told() -> None:
    failures = [failed(run_number(number)) for number in range(1, WORKING_RUNS + BROKEN_RUNS)]
    text = told(demo_of([scored(run_number(0), 0.5), *failures]))
    assert "Too few runs" in text
    assert "89 without a score" not in text
    assert f"{WORKING_RUNS + BROKEN_RUNS - 1} without a score" in text


def test_no_line_of_evidence_is_wider_than_the_terminal() -> None:
    lines = [line for line in told(demo_of(series(shares(0.9, 0.1))), width=70).splitlines() if "recall 0." in line]
    assert lines
    assert max(map(len, lines)) <= 70


def test_texts_of_runs_are_no_markup() -> None:
    evaluations = [scored(run_number(0, query="[red]q[/red]"), 0.5, reason="[bold]r[/bold] [/]")]
    evaluations += [scored(run_number(number), 1.0) for number in range(1, WORKING_RUNS + BROKEN_RUNS)]
    text = told(demo_of(evaluations))
    assert "[red]q[/red]" in text
    assert "[bold]r[/bold] [/]" in text


def test_bars_are_plain_lines_where_there_is_no_terminal() -> None:
    console = Console(width=100, force_terminal=False)
    with console.capture() as capture, Bars(console) as bars:
        bars.arrived()
        bars.entered("works")
        bars.arrived()
        bars.entered("broken")
    assert capture.get() == "  the retriever works …\n  the retriever is broken …\n"


def test_bars_count_evaluations_on_a_terminal() -> None:
    console = Console(width=100, force_terminal=True)
    with console.capture() as capture, Bars(console) as bars:
        bars.entered("works")
        for _ in range(360):
            bars.arrived()
    assert "360/360" in capture.get()


def test_figures_are_what_the_story_tells() -> None:
    demo = demo_of(series(shares(0.9, 0.1)))
    found = figures(demo, "report.html")
    assert found["runs"] == WORKING_RUNS + BROKEN_RUNS
    assert demo.trail.alarm is not None
    alarm = found["alarm"]
    assert isinstance(alarm, dict)
    assert alarm["raised_at_run"] == demo.trail.alarm + 1
    scores = found["scores"]
    assert isinstance(scores, dict)
    assert round(scores[WATCHED]["after"]["mean"], 6) == 0.1
    assert scores[WATCHED]["before"]["n"] == WORKING_RUNS


def test_figures_without_a_baseline_say_none_not_zero() -> None:
    found = figures(demo_of(series(shares(0.9, 0.9)), baseline=500), "report.html")
    alarm = found["alarm"]
    assert isinstance(alarm, dict)
    assert (alarm["raised_at_run"], alarm["watched_mean"], alarm["log_evidence_max"]) == (None, None, None)


def test_page_tells_how_the_evidence_is_to_be_read() -> None:
    text = page(demo_of(series(shares(0.9, 0.1))))
    assert "runs are independent units although questions repeat" in " ".join(text.split())
    assert "loses its 3 best hits" in text

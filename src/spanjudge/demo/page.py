"""The demo's report and its figures."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING, Final

from spanjudge.demo.main_job import ALPHA, BASELINE_RUNS, FAULT, TOLERANCE
from spanjudge.report.page import Moment, render
from spanjudge.report.runs import scorers_of
from spanjudge.report.summary import parts

if TYPE_CHECKING:
    from spanjudge.demo.main_job import Demo
    from spanjudge.report.summary import Part

NOTES: Final = (
    (
        f"The chance of a false alarm is at most {ALPHA:.0%}, however often one looks: half of it is for a baseline of "
        f"{BASELINE_RUNS} runs that came out too high, half for evidence that rose by luck. A fall of less than "
        f"{TOLERANCE:g} below the baseline's bound is not looked for."
    ),
    (
        "This is said of the demo's questions: each run draws one of them at random and independently, so runs are "
        "independent units although questions repeat. In real traffic the repeats of a hot question and the turns of "
        "a session are not: there a session is one unit."
    ),
    "The delay is that of one stream of runs; another draw of questions gives another.",
)


def page(demo: Demo) -> str:
    """Write the demo's report."""
    made = datetime.fromtimestamp(demo.runs[-1].run.ended_ns / 1e9, tz=timezone.utc)
    return render(
        demo.evaluations,
        title="A RAG agent on Python's manual, judged",
        facts=(
            ("judge", demo.judge),
            ("questions", f"{demo.questions}, with ground truth"),
            ("passages", str(demo.passages)),
            ("fault", f"the retriever {FAULT}"),
            ("made", f"{made:%Y-%m-%d %H:%M} UTC"),
        ),
        moment=Moment(demo.moment, "retriever breaks"),
        trail=demo.trail,
        notes=NOTES,
    )


def figures(demo: Demo, report: str) -> dict[str, object]:
    """Return the demo's figures as plain data, fit for JSON.

    Args:
        demo: What came of the demo.
        report: Where the page was put.
    """
    trail = demo.trail
    last = trail.steps[-1].evidence if trail.steps else None
    return {
        "judge": demo.judge,
        "runs": len(demo.runs),
        "broken_from_run": demo.moment + 1,
        "scores": {
            scorer: {
                name: _part(part)
                for name, part in zip(("before", "after"), parts(scorer, demo.runs, demo.moment), strict=True)
            }
            for scorer in scorers_of(demo.runs)
        },
        "alarm": {
            "scorer": trail.scorer,
            "raised_at_run": None if trail.alarm is None else trail.alarm + 1,
            "watched_mean": last.baseline.mu0 if last and last.baseline else None,
            "log_evidence_max": last.log_max if last else None,
            "threshold": trail.threshold,
            "alpha": ALPHA,
        },
        "report": report,
    }


def _part(part: Part) -> dict[str, object]:
    return {
        "mean": part.mean,
        "low": part.interval.low if part.interval else None,
        "high": part.interval.high if part.interval else None,
        "n": part.n,
        "left_out": dict(part.left_out),
    }

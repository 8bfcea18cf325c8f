"""The dashboard of what users of the application get."""
# ruff: noqa: INP001 - a script; the builders take flags by position

from __future__ import annotations

from empty import dashboard
from grafana_foundation_sdk.builders import dashboard as board
from panels import heat, intervals, lines, stacked, tile, worst
from queries import (
    AGENT,
    DETECTOR,
    LEAST,
    LIVE,
    RELEASE,
    SCORER,
    SCORES,
    SOURCE,
    VERSION,
    Query,
    bound,
    mean,
    rate,
    scores,
)


def quality() -> board.Dashboard:
    """What users of the application get."""
    made = dashboard("RAG quality", "spanjudge-rag-quality").with_row(board.Row("Now"))
    for each in (
        tile(
            "Mean score",
            "Weighted mean of the scores over the window, each scorer.",
            "none",
            10,
            [Query(mean(SCORER), f"{{{{{SCORER}}}}}")],
            1,
        ),
        intervals(),
    ):
        made = made.with_panel(each)
    made = made.with_row(board.Row("Over time"))
    threshold = f'max by ("{SCORER}") ({{"spanjudge.regression.threshold", {SCORES}}})'
    # The sum over detectors of what they have now: one process or many.
    evidence = (
        f'sum by ("{SCORER}", "{VERSION}") (min by ("{SCORER}", "{VERSION}", "{DETECTOR}") '
        f'({{"spanjudge.regression.evidence.current", {SCORES}}}))'
    )
    for each in (
        lines(
            "Mean by release",
            "Weighted mean over the window, by release. The dots are single scores: a click opens the trace.",
            "none",
            12,
            [
                Query(mean(SCORER, RELEASE), f"{{{{{SCORER}}}}} {{{{{RELEASE}}}}}"),
                Query(
                    f'sum by ("{SCORER}") (rate({{"gen_ai.evaluation.score_sum", {LIVE}}}[$window])) / '
                    f'(sum by ("{SCORER}") (rate({{"gen_ai.evaluation.score_count", {LIVE}}}[$window])) > 0)',
                    f"{{{{{SCORER}}}}} unweighted",
                    exemplars=True,
                ),
            ],
            1,
        ),
        lines(
            "Mean with its 95 % interval",
            f"Weighted mean over the window with its interval, from {LEAST} scores on. Choose one scorer.",
            "none",
            12,
            [
                Query(mean(SCORER), f"{{{{{SCORER}}}}}"),
                Query(bound("-", SCORER), f"{{{{{SCORER}}}}} low"),
                Query(bound("+", SCORER), f"{{{{{SCORER}}}}} high"),
            ],
            1,
        ),
        lines(
            "Evidence of a regression",
            "Log of the evidence that the mean is below its baseline, all workers together, and the threshold of the "
            "alert. It rises for as long as scores are low and stays near 0 otherwise, however often one looks.",
            "none",
            12,
            [Query(evidence, f"{{{{{SCORER}}}}} {{{{{VERSION}}}}}"), Query(threshold, f"{{{{{SCORER}}}}} threshold")],
        ),
        lines(
            "Share of bad scores",
            "Scores of 0.3 or less, as a share of all over the window.",
            "percentunit",
            12,
            [
                Query(
                    f'sum by ("{SCORER}") (increase({{"gen_ai.evaluation.score_bucket", {LIVE}, le="0.3"}}[$window]))'
                    f" / ({scores(SCORER)} > 0)",
                    f"{{{{{SCORER}}}}}",
                )
            ],
            1,
        ),
        heat(),
        worst(),
    ):
        made = made.with_panel(each)
    made = made.with_row(board.Row("By agent and retriever"))
    for title, label in (("Mean by agent", AGENT), ("Mean by retriever", SOURCE)):
        made = made.with_panel(
            lines(
                title,
                "Weighted mean over the window; series without a name are runs that did not say theirs.",
                "none",
                12,
                [Query(mean(SCORER, label), f"{{{{{SCORER}}}}} {{{{{label}}}}}")],
                1,
            )
        )
    return made.with_panel(
        stacked(
            "Verdicts",
            "What the judge said on single claims, statements and contexts.",
            "reqps",
            12,
            [Query(rate("spanjudge.verdicts", LIVE, "spanjudge.verdict"), "{{spanjudge.verdict}}")],
        )
    ).with_panel(
        stacked(
            "Scores by evaluator version",
            "A new version is a new judge, prompt or parameter: its scores are a series of their own.",
            "reqps",
            12,
            [Query(rate("gen_ai.evaluation.score_count", LIVE, VERSION), f"{{{{{VERSION}}}}}")],
        )
    )

"""The dashboard of the judging itself."""
# ruff: noqa: INP001 - a script; the builders take flags by position

from __future__ import annotations

from empty import dashboard
from grafana_foundation_sdk.builders import dashboard as board
from panels import lines, stacked, tile
from queries import APPLICATION, SCORER, SCORES, Query, quantile, rate


def pipeline() -> board.Dashboard:
    """How the judging itself is doing."""
    made = dashboard("spanjudge pipeline", "spanjudge-pipeline").with_row(board.Row("What is judged"))
    reason, outcome, decision = "spanjudge.reason_code", "spanjudge.outcome", "spanjudge.decision"
    judge = f'{APPLICATION}, "spanjudge.judge"=~"[Tt]rue"'
    for each in (
        stacked(
            "Traces",
            "Local roots at the hot test: taken, or left out by sampling.",
            "reqps",
            8,
            [Query(rate("spanjudge.traces", APPLICATION, decision), f"{{{{{decision}}}}}")],
        ),
        stacked(
            "Runs by decision",
            "Assembled runs: sampled, or why not.",
            "reqps",
            8,
            [Query(rate("spanjudge.runs", APPLICATION, decision), f"{{{{{decision}}}}}")],
        ),
        stacked(
            "Runs that were not judged, by reason",
            "Incomplete and dropped runs by reason code.",
            "reqps",
            8,
            [Query(rate("spanjudge.runs", f'{APPLICATION}, "{reason}"!=""', reason), f"{{{{{reason}}}}}")],
        ),
        stacked(
            "Outcomes",
            "Evaluations by their end: scored, skipped, failed, dropped.",
            "reqps",
            12,
            [Query(rate("spanjudge.evaluations", SCORES, outcome), f"{{{{{outcome}}}}}")],
        ),
        stacked(
            "Skips, failures and drops by reason",
            "Evaluations without a score by reason code.",
            "reqps",
            12,
            [
                Query(
                    rate("spanjudge.evaluations", f'{SCORES}, "{reason}"!=""', outcome, reason),
                    f"{{{{{outcome}}}}} {{{{{reason}}}}}",
                )
            ],
        ),
    ):
        made = made.with_panel(each)
    made = made.with_row(board.Row("Room and time"))
    age = f'time() - max by ("{SCORER}") ({{"spanjudge.last_score.time", {SCORES}}})'
    for each in (
        lines(
            "Queue",
            "Runs that wait, and how many may.",
            "short",
            8,
            [
                Query(f'sum({{"spanjudge.queue.size", {APPLICATION}}})', "waiting"),
                Query(f'sum({{"spanjudge.queue.capacity", {APPLICATION}}})', "capacity"),
            ],
        ),
        lines(
            "Candidates without an end",
            "Evaluations that were begun and have no outcome yet.",
            "short",
            8,
            [Query(f'sum by ("{SCORER}") ({{"spanjudge.pending", {SCORES}}})', f"{{{{{SCORER}}}}}")],
        ),
        lines(
            "Lag",
            "From the end of a run to its score.",
            "s",
            8,
            [
                Query(quantile(0.5, "spanjudge.evaluation.lag_bucket", SCORES), "median"),
                Query(quantile(0.95, "spanjudge.evaluation.lag_bucket", SCORES), "95 %"),
            ],
        ),
        tile(
            "Age of the last score",
            "Time since a scorer gave its last score.",
            "s",
            8,
            [Query(age, f"{{{{{SCORER}}}}}")],
        ),
        lines(
            "Candidates",
            "Runs offered to each scorer.",
            "reqps",
            8,
            [Query(rate("spanjudge.candidates", SCORES, SCORER), f"{{{{{SCORER}}}}}")],
        ),
        lines(
            "Judge calls",
            "Duration of calls to the judge.",
            "s",
            8,
            [
                Query(quantile(0.5, "gen_ai.client.operation.duration_bucket", judge), "median"),
                Query(quantile(0.95, "gen_ai.client.operation.duration_bucket", judge), "95 %"),
            ],
        ),
    ):
        made = made.with_panel(each)
    made = made.with_row(board.Row("Money"))
    model, kind = "gen_ai.request.model", "gen_ai.token.type"
    cost = f'sum by ("{model}") (increase({{"spanjudge.judge.cost", {judge}}}[$window]))'
    return made.with_panel(
        lines(
            "Cost of the judge",
            "US dollars over the window, by model; calls of unknown price are not in it.",
            "currencyUSD",
            12,
            [Query(cost, f"{{{{{model}}}}}")],
        )
    ).with_panel(
        lines(
            "Tokens of a call",
            "Mean tokens of a call to the judge.",
            "short",
            12,
            [
                Query(
                    f'sum by ("{kind}") (rate({{"gen_ai.client.token.usage_sum", {judge}}}[$window])) / '
                    f'(sum by ("{kind}") (rate({{"gen_ai.client.token.usage_count", {judge}}}[$window])) > 0)',
                    f"{{{{{kind}}}}}",
                )
            ],
        )
    )

"""Make the dashboards, in OpenTelemetry's names, where `spanjudge dashboards` finds them.

python collector-config/make_dashboards.py [DIRECTORY]

Needs grafana-foundation-sdk. `spanjudge dashboards --out collector-config/dashboards` then writes those of the compose
file, in the names of a Collector.
"""
# ruff: noqa: INP001, FBT003 - a script; the builders take flags by position

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from grafana_foundation_sdk.builders import common, heatmap, prometheus, stat, table, timeseries
from grafana_foundation_sdk.builders import dashboard as board
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models import common as common_models
from grafana_foundation_sdk.models import dashboard as models
from grafana_foundation_sdk.models.prometheus import PromQueryFormat

PLACE = Path(__file__).parents[1] / "src" / "spanjudge" / "dashboards"
METRICS = models.DataSourceRef(type_val="prometheus", uid="${datasource}")
TRACES = models.DataSourceRef(type_val="jaeger", uid="${traces}")
SCORER, AGENT, SOURCE = "gen_ai.evaluation.name", "gen_ai.agent.name", "gen_ai.data_source.id"
RELEASE, VERSION, DETECTOR = "service.version", "spanjudge.evaluator.version", "spanjudge.detector.id"
APPLICATION = '"service.name"=~"$service", "deployment.environment.name"=~"$environment", "service.version"=~"$release"'
SCORES = f'{APPLICATION}, "{SCORER}"=~"$scorer"'
LIVE = f'{SCORES}, "spanjudge.source"="live"'
# Two-sided 95 %; below so many scores the normal interval covers too little (benchmarks/detector.py).
Z, LEAST = 1.96, 100
Panel = Any
Unit = Literal["none", "percentunit", "short", "s", "currencyUSD", "reqps"]


@dataclass(frozen=True)
class Query:
    """A query, its legend, and whether it brings exemplars."""

    expr: str
    legend: str = ""
    exemplars: bool = False


def moment(name: str, *by: str, offset: str = "") -> str:
    """Sum of one moment over the window."""
    names = ", ".join(f'"{label}"' for label in by)
    selector = f'{{"spanjudge.score.moments", {LIVE}, "spanjudge.moment"="{name}"}}'
    return f"sum by ({names}) (increase({selector}[$window]{offset}))"


def mean(*by: str, offset: str = "") -> str:
    """Weighted mean over the window."""
    return f"{moment('wx', *by, offset=offset)} / ({moment('w', *by, offset=offset)} > 0)"


def scores(*by: str) -> str:
    """Number of scores over the window."""
    names = ", ".join(f'"{label}"' for label in by)
    return f'sum by ({names}) (increase({{"gen_ai.evaluation.score_count", {LIVE}}}[$window]))'


def bound(sign: Literal["+", "-"], *by: str) -> str:
    """End of the 95 % interval of the mean, where there are scores enough for one."""
    middle = f"({mean(*by)})"
    error = (
        f"sqrt(clamp_min({moment('wwxx', *by)} - 2 * {middle} * {moment('wwx', *by)}"
        f" + {middle} * {middle} * {moment('ww', *by)}, 0)) / ({moment('w', *by)} > 0)"
    )
    return f"clamp({middle} {sign} {Z} * ({error}), 0, 1) and {scores(*by)} >= {LEAST}"


def rate(metric: str, matchers: str, *by: str) -> str:
    """Things a second."""
    grouping = f" by ({', '.join(_name(label) for label in by)})" if by else ""
    return f'sum{grouping} (rate({{"{metric}", {matchers}}}[$__rate_interval]))'


def quantile(share: float, metric: str, matchers: str) -> str:
    """Quantile of a histogram."""
    return f"histogram_quantile({share}, {rate(metric, matchers, 'le')})"


def panel(
    made: Panel, title: str, description: str, unit: Unit, span: int, queries: list[Query], most: float | None = None
) -> Panel:
    """Give a panel what every panel has."""
    made = made.title(title).description(description).datasource(METRICS).unit(unit).min(0).span(span).height(8)
    if most is not None:
        made = made.max(most)
    for number, query in enumerate(queries):
        target = prometheus.Dataquery().expr(query.expr).legend_format(query.legend).ref_id("ABCDEFGH"[number])
        made = made.with_target(target.exemplar(query.exemplars) if query.exemplars else target)
    return made


def lines(
    title: str, description: str, unit: Unit, span: int, queries: list[Query], most: float | None = None
) -> Panel:
    """Lines over time."""
    made = timeseries.Panel().fill_opacity(0).line_width(2).span_nulls(True).legend(_legend())
    return panel(made, title, description, unit, span, queries, most)


def stacked(title: str, description: str, unit: Unit, span: int, queries: list[Query]) -> Panel:
    """Areas on top of each other."""
    made = timeseries.Panel().fill_opacity(40).line_width(1).legend(_legend())
    stacking = common.StackingConfig().mode(common_models.StackingMode.NORMAL)
    return panel(made.stacking(stacking), title, description, unit, span, queries)


def tile(title: str, description: str, unit: Unit, span: int, queries: list[Query], most: float | None = None) -> Panel:
    """The latest values, large."""
    made = stat.Panel().reduce_options(common.ReduceDataOptions().calcs(["lastNotNull"])).decimals(2)
    return panel(made, title, description, unit, span, queries, most)


def intervals() -> Panel:
    """Means with their intervals, now and a while ago, one line a scorer."""
    columns = {
        "mean": mean(SCORER),
        "low": bound("-", SCORER),
        "high": bound("+", SCORER),
        "before": mean(SCORER, offset=" offset $compare"),
        "scores": scores(SCORER),
    }
    made = (
        table.Panel().title("Mean with its 95 % interval, and before").datasource(METRICS).unit("none").min(0).span(14)
    )
    made = (
        made.height(8)
        .decimals(2)
        .description(
            f"Weighted mean of the scores over the window, its 95 % interval (from {LEAST} scores on), and the mean as "
            "long ago as chosen under Compare. A mean outside the other's interval is worth a look, not an alarm."
        )
    )
    renamed = {}
    for letter, (name, expr) in zip("ABCDE", columns.items(), strict=True):
        query = prometheus.Dataquery().expr(expr).ref_id(letter).instant().format(PromQueryFormat.TABLE)
        made = made.with_target(query)
        renamed[f"Value #{letter}"] = name
    made = made.with_transformation(models.DataTransformerConfig(id_val="merge", options={}))
    hidden = {"Time": True}
    options = {"excludeByName": hidden, "renameByName": renamed}
    return made.with_transformation(models.DataTransformerConfig(id_val="organize", options=options))


class Search:
    """A search for traces: the SDK knows no Jaeger queries."""

    def __init__(self, label: str, ref: str) -> None:
        self._query = {
            "refId": ref,
            "datasource": TRACES.to_json(),
            "queryType": "search",
            "service": "$service",
            "tags": f"gen_ai.evaluation.score.label={label}",
            "limit": 20,
        }

    def build(self) -> Search:
        """Return itself: it is built."""
        return self

    def to_json(self) -> dict[str, object]:
        """Return what Grafana reads."""
        return self._query


def worst() -> Panel:
    """Traces with bad scores."""
    made = table.Panel().title("Worst runs").datasource(TRACES).unit("short").min(0).span(12).height(9)
    made = made.description("Traces with a score labelled none or poor, newest first; a click opens the trace.")
    return made.with_target(Search("none", "A")).with_target(Search("poor", "B"))


def heat() -> Panel:
    """How scores are spread, over time."""
    made = (
        heatmap.Panel().title("Spread of the scores").datasource(METRICS).unit("none").min(0).max(1).span(12).height(9)
    )
    made = made.description("Scores in each bucket. A second hill near 0 is often one kind of question.")
    expr = f'sum by (le) (increase({{"gen_ai.evaluation.score_bucket", {LIVE}}}[$__rate_interval]))'
    query = prometheus.Dataquery().expr(expr).format(PromQueryFormat.HEATMAP).legend_format("{{le}}").exemplar(True)
    return made.with_target(query)


def quality() -> board.Dashboard:
    """What users of the application get."""
    made = _dashboard("RAG quality", "spanjudge-rag-quality").with_row(board.Row("Now"))
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


def pipeline() -> board.Dashboard:
    """How the judging itself is doing."""
    made = _dashboard("spanjudge pipeline", "spanjudge-pipeline").with_row(board.Row("What is judged"))
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


def _dashboard(title: str, uid: str) -> board.Dashboard:
    def choice(name: str, label: str, *, every: bool = True) -> board.QueryVariable:
        query = f'label_values({{"gen_ai.evaluation.score_count"}}, "{label}")'
        made = board.QueryVariable(name).label(name.capitalize()).query(query).datasource(METRICS)
        made = made.refresh(models.VariableRefresh.ON_TIME_RANGE_CHANGED).sort(models.VariableSort.ALPHABETICAL_ASC)
        # Whatever the way to Prometheus left out is matched too.
        return made.include_all(True).multi(True).all_value(".*") if every else made

    return (
        board.Dashboard(title)
        .uid(uid)
        .tags(["spanjudge"])
        .refresh("1m")
        .time("now-6h", "now")
        .editable()
        .tooltip(models.DashboardCursorSync.CROSSHAIR)
        .with_variable(board.DatasourceVariable("datasource").label("Metrics").type("prometheus"))
        .with_variable(board.DatasourceVariable("traces").label("Traces").type("jaeger"))
        .with_variable(choice("service", "service.name", every=False))
        .with_variable(choice("environment", "deployment.environment.name"))
        .with_variable(choice("release", "service.version"))
        .with_variable(choice("scorer", SCORER))
        .with_variable(board.CustomVariable("window").label("Window").values("1h,6h,1d,7d,15m"))
        .with_variable(board.CustomVariable("compare").label("Compare").values("1w,1d,1h"))
    )


def _legend() -> Any:
    return common.VizLegendOptions().show_legend(True).placement(common_models.LegendPlacement.BOTTOM)


def _name(label: str) -> str:
    return label if label == "le" else f'"{label}"'


def main() -> None:
    """Write both."""
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PLACE
    for name, made in (("quality", quality()), ("pipeline", pipeline())):
        built = json.loads(JSONEncoder().encode(made.build()))
        for number, each in enumerate(built["panels"], start=1):
            each["id"] = number
        text = json.dumps(built, sort_keys=True, indent=2, ensure_ascii=False)
        (place / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Kinds of panels, each with what every panel has."""
# ruff: noqa: INP001, FBT003 - a script; the builders take flags by position

from __future__ import annotations

from typing import Any, Literal

from grafana_foundation_sdk.builders import common, heatmap, prometheus, stat, table, timeseries
from grafana_foundation_sdk.models import common as common_models
from grafana_foundation_sdk.models import dashboard as models
from grafana_foundation_sdk.models.prometheus import PromQueryFormat
from queries import LEAST, LIVE, SCORER, Query, bound, mean, scores

METRICS = models.DataSourceRef(type_val="prometheus", uid="${datasource}")
TRACES = models.DataSourceRef(type_val="jaeger", uid="${traces}")
Panel = Any
Unit = Literal["none", "percentunit", "short", "s", "currencyUSD", "reqps"]


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


def _legend() -> Any:
    return common.VizLegendOptions().show_legend(True).placement(common_models.LegendPlacement.BOTTOM)

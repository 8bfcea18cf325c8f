"""What both dashboards have: data sources, choices, times."""
# ruff: noqa: INP001, FBT003 - a script; the builders take flags by position

from __future__ import annotations

from grafana_foundation_sdk.builders import dashboard as board
from grafana_foundation_sdk.models import dashboard as models
from panels import METRICS
from queries import SCORER


def dashboard(title: str, uid: str) -> board.Dashboard:
    """Return a dashboard without panels."""

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

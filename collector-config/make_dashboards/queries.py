"""Queries of the panels, in OpenTelemetry's names."""
# ruff: noqa: INP001 - a script; the builders take flags by position

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SCORER, AGENT, SOURCE = "gen_ai.evaluation.name", "gen_ai.agent.name", "gen_ai.data_source.id"
RELEASE, VERSION, DETECTOR = "service.version", "spanjudge.evaluator.version", "spanjudge.detector.id"
APPLICATION = '"service.name"=~"$service", "deployment.environment.name"=~"$environment", "service.version"=~"$release"'
SCORES = f'{APPLICATION}, "{SCORER}"=~"$scorer"'
LIVE = f'{SCORES}, "spanjudge.source"="live"'
# Two-sided 95 %; below so many scores the normal interval covers too little (benchmarks/detector.py).
Z, LEAST = 1.96, 100


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


def _name(label: str) -> str:
    return label if label == "le" else f'"{label}"'

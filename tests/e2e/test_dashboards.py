"""Every panel, and every recorded mean, on a real Prometheus, in every translation and by both ways to it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from e2e.backends.server import eventually
from e2e.backends.stack import Prometheus, collector, prometheus
from e2e.traffic import SERVICE, STEPS, seed
from spanjudge.alerts.rule_file import rule_file
from spanjudge.alerts.settings import rule_settings
from spanjudge.dashboards.render import dashboards
from spanjudge.detect.moments import Moments
from spanjudge.promql import DEFAULT_TRANSLATION, TRANSLATIONS, Translation, translate
from spanjudge.settings import DEFAULT_SCORERS

VARIABLES = {
    "$__rate_interval": "1m",
    "$window": "10m",
    "$compare": "1s",
    "$service": SERVICE,
    "$environment": "test",
    "$release": ".*",
    "$scorer": ".*",
}
# Traffic has failures enough for this, at once.
FAILING = {"failures": 0.02, "waits": {"SpanjudgeJudgeFailing": "1s"}}
RECALL = '"gen_ai.evaluation.name"="context_recall"'


class Seeded:
    """A Prometheus with traffic in it, and what Python knows of the scores."""

    def __init__(self, metrics: Prometheus, translation: Translation, sums: Moments, since_s: float) -> None:
        self.metrics, self.translation, self.sums, self.since_s = metrics, translation, sums, since_s

    def value(self, query: str) -> float:
        found = self.metrics.value(translate(query, self.translation))
        assert found is not None, query
        return found


@pytest.fixture(scope="module", params=["collector", *TRANSLATIONS])
def seeded(
    request: pytest.FixtureRequest, backends: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Seeded]:
    del backends
    place: Path = tmp_path_factory.mktemp(request.param)
    by_collector = request.param == "collector"
    translation: Translation = DEFAULT_TRANSLATION if by_collector else request.param
    rules = rule_file(rule_settings({"translation": translation, "window": "10m", **FAILING}))
    with ExitStack() as held:
        if by_collector:
            to = held.enter_context(collector("collector.yaml", place, "127.0.0.1:1"))
            metrics = held.enter_context(prometheus(place / "prometheus", rules, scraped=to.scraped))
            endpoint = f"{to.otlp}/v1/metrics"
        else:
            metrics = held.enter_context(prometheus(place / "prometheus", rules, otlp=translation))
            endpoint = f"{metrics.api}/api/v1/otlp/v1/metrics"
        count = translate(f'sum({{"gen_ai.evaluation.score_count", {RECALL}}})', translation)

        def seen() -> None:
            eventually(lambda: metrics.value(count), "first scores")

        traffic, sums = seed(endpoint, 1.1, seen)
        held.callback(traffic.shutdown)
        first = metrics.value(f"min_over_time(({count})[10m:1s])")
        assert first is not None
        eventually(lambda: (metrics.value(count) or 0) - first == sums.n, "last scores")
        yield Seeded(metrics, translation, sums, time.time())


def _targets(translation: Translation) -> list[tuple[str, str]]:
    return [
        (f"{name}: {panel['title']} {target['refId']}", target["expr"])
        for name, text in dashboards(translation).items()
        for panel in json.loads(text)["panels"]
        for target in panel.get("targets", ())
        if "expr" in target
    ]


def test_every_panel_returns_data(seeded: Seeded) -> None:
    empty = []
    for title, query in _targets(seeded.translation):
        for name, value in VARIABLES.items():
            query = query.replace(name, value)  # noqa: PLW2901 - one variable after the other
        found: list[Any] = seeded.metrics.query(query)
        numbers = [float(series["value"][1]) for series in found]
        if not numbers or any(number != number for number in numbers):  # noqa: PLR0124 - not a number
            empty.append(title)
    assert empty == []


def test_alert_is_raised_for_each_scorer_by_its_plain_name(seeded: Seeded) -> None:
    def firing() -> set[str]:
        return {
            alert["labels"]["scorer"]
            for alert in seeded.metrics.alerts()
            if alert["labels"]["alertname"] == "SpanjudgeJudgeFailing" and alert["state"] == "firing"
        }

    eventually(lambda: firing() == set(DEFAULT_SCORERS), "alert for each scorer")


def test_variables_offer_what_there_is(seeded: Seeded) -> None:
    for query, value in (
        ("service.name", SERVICE),
        ("service.version", "1.0"),
        ("deployment.environment.name", "test"),
    ):
        assert seeded.value(f'count({{"gen_ai.evaluation.score_count", "{query}"="{value}"}})') > 0


def test_mean_and_error_in_promql_equal_those_in_python(seeded: Seeded) -> None:
    # Counters have grown since the first step by what Python added up.
    def grown(moment: str) -> float:
        of = f'sum({{"spanjudge.score.moments", {RECALL}, "spanjudge.moment"="{moment}"}})'
        return seeded.value(f"{of} - min_over_time(({of})[10m:1s])")

    sums = {moment: grown(moment) for moment in ("w", "wx", "ww", "wwx", "wwxx")}
    mean = sums["wx"] / sums["w"]
    error = (sums["wwxx"] - 2 * mean * sums["wwx"] + mean**2 * sums["ww"]) ** 0.5 / sums["w"]
    assert mean == pytest.approx(seeded.sums.mean, abs=1e-6)
    assert error == pytest.approx(seeded.sums.standard_error, abs=1e-6)


def test_recorded_mean_is_right_and_its_error_too_small_by_the_stretch_of_increase(seeded: Seeded) -> None:
    # increase() stretches what it has seen by up to half a scrape at both ends of its window, all five sums alike.
    def recorded(what: str, moment: str = "") -> float | None:
        query = f"scorer:spanjudge_score{what}10m{{{RECALL}{moment}}}"
        return seeded.metrics.value(translate(query, seeded.translation), at)

    time.sleep(2.5)
    at = time.time() - 0.5
    mean, error = seeded.sums.mean, seeded.sums.standard_error
    assert mean is not None
    assert error is not None
    stretch = (recorded("_moments:increase", ', "spanjudge.moment"="w"') or 0.0) / seeded.sums.w
    assert 1 <= stretch < 1 + 1 / (STEPS - 1) + 0.05
    assert recorded(":mean") == pytest.approx(mean, abs=1e-6)
    assert recorded(":stderr") == pytest.approx(error / stretch**0.5, abs=1e-6)

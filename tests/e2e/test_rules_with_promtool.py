"""The rules in Prometheus' own test bench: each alert fires, stays silent, and says nothing of nothing."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from e2e.backends.binaries import need
from spanjudge.alerts.rule_file import alerts, rule_file
from spanjudge.alerts.settings import RuleSettings, rule_settings
from spanjudge.promql import TRANSLATIONS, UTF8, Translation, label, translate

pytestmark = pytest.mark.usefixtures("backends")

RECALL, FAITH = "context_recall", "faithfulness"


def given(metric: str, values: str, **labels: str) -> tuple[str, str]:
    """Return a series, labels by OpenTelemetry's names with dots as double underscores, and its values."""
    matchers = "".join(f', "{name.replace("__", ".")}"="{value}"' for name, value in labels.items())
    return f'{{"{metric}"{matchers}}}', values


def of_recall(metric: str, values: str, **labels: str) -> tuple[str, str]:
    facts = {"gen_ai__evaluation__name": RECALL, "gen_ai__agent__name": "shop", "spanjudge__source": "live"}
    return given(metric, values, **facts, **labels)


def detector(name: str, highest: str, current: str, **labels: str) -> list[tuple[str, str]]:
    facts = {"spanjudge__evaluator__version": "v1", "spanjudge__detector__id": name, **labels}
    return [
        of_recall("spanjudge.regression.evidence", highest, **facts),
        of_recall("spanjudge.regression.evidence.current", current, **facts),
        of_recall("spanjudge.regression.threshold", "3.7x400", **facts),
    ]


def moments(count: str, **sums: str) -> list[tuple[str, str]]:
    return [
        of_recall("gen_ai.evaluation.score_count", count),
        *(of_recall("spanjudge.score.moments", values, spanjudge__moment=name) for name, values in sums.items()),
    ]


def bad(count: str, low: str) -> list[tuple[str, str]]:
    return [
        of_recall("gen_ai.evaluation.score_count", count),
        of_recall("gen_ai.evaluation.score_bucket", low, le="0.3"),
    ]


def verdicts(yes: str, no: str) -> list[tuple[str, str]]:
    facts = {"gen_ai__evaluation__name": FAITH, "gen_ai__agent__name": "shop", "spanjudge__source": "live"}
    return [
        given("spanjudge.verdicts", yes, **facts, spanjudge__verdict="yes"),
        given("spanjudge.verdicts", no, **facts, spanjudge__verdict="no"),
    ]


def outcomes(**counts: str) -> list[tuple[str, str]]:
    return [of_recall("spanjudge.evaluations", values, spanjudge__outcome=word) for word, values in counts.items()]


def runs(**counts: str) -> list[tuple[str, str]]:
    return [given("spanjudge.runs", values, spanjudge__decision=word) for word, values in counts.items()]


@dataclass(frozen=True)
class Case:
    """Series of one sample a minute, and whether an alert fires on them in the end."""

    says: str
    alert: str
    series: list[tuple[str, str]]
    minutes: int = 80
    fires: bool = field(kw_only=True)


fires, silent = partial(Case, fires=True), partial(Case, fires=False)
CASES = [
    fires("evidence over its threshold", "SpanjudgeRegression", detector("a", "0+0.1x120", "0+0.1x120")),
    fires("evidence that fell again", "SpanjudgeRegression", detector("a", "5x120", "0.1x120")),
    silent("evidence under its threshold", "SpanjudgeRegression", detector("a", "3.6x120", "3.6x120")),
    fires(
        "evidence of two workers together",
        "SpanjudgeRegression",
        detector("a", "2.5x120", "2.5x120") + detector("b", "2.5x120", "2.5x120"),
    ),
    silent(
        "maxima of two workers that were at different times",
        "SpanjudgeRegression",
        detector("a", "3x120", "0.5x120") + detector("b", "3x120", "0.5x120"),
    ),
    silent(
        "one detector that two Collectors hold",
        "SpanjudgeRegression",
        detector("a", "2.5x120", "2.5x120", instance="1") + detector("a", "2.5x120", "2.5x120", instance="2"),
    ),
    fires(
        "mean surely below the floor",
        "SpanjudgeScoreBelowFloor",
        moments("0+5x120", w="0+5x120", wx="0+2x120", ww="0+5x120", wwx="0+2x120", wwxx="0+1x120"),
    ),
    silent(
        "mean above the floor",
        "SpanjudgeScoreBelowFloor",
        moments("0+5x120", w="0+5x120", wx="0+3x120", ww="0+5x120", wwx="0+3x120", wwxx="0+2x120"),
    ),
    silent(
        "mean below the floor by less than its error",
        "SpanjudgeScoreBelowFloor",
        moments("0+2x120", w="0+2x120", wx="0+0.98x120", ww="0+2x120", wwx="0+0.98x120", wwxx="0+0.98x120"),
    ),
    silent(
        "low mean of little traffic",
        "SpanjudgeScoreBelowFloor",
        moments("0+1x120", w="0+1x120", wx="0+0.2x120", ww="0+1x120", wwx="0+0.2x120", wwxx="0+0.04x120"),
    ),
    fires("four of five scores bad", "SpanjudgeBadScoresFast", bad("0+5x120", "0+4x120")),
    silent("one of five scores bad", "SpanjudgeBadScoresFast", bad("0+5x120", "0+1x120")),
    silent("bad scores that ended", "SpanjudgeBadScoresFast", bad("0+5x120", "0+5x80 400x40"), 120),
    silent("a few bad scores of a few", "SpanjudgeBadScoresFast", bad("0+0.1x60", "0+0.1x60"), 60),
    fires("one of five scores bad all day", "SpanjudgeBadScoresSlow", bad("0+5x400", "0+1x400"), 400),
    silent("one of fifty scores bad all day", "SpanjudgeBadScoresSlow", bad("0+50x400", "0+1x400"), 400),
    fires("a third contradicted", "SpanjudgeContradictions", verdicts("0+4x120", "0+2x120")),
    silent("few contradicted", "SpanjudgeContradictions", verdicts("0+50x120", "0+1x120")),
    silent("a third of few contradicted", "SpanjudgeContradictions", verdicts("0+1x120", "0+0.5x120")),
    fires(
        "nothing but failures",
        "SpanjudgeNoScores",
        [of_recall("spanjudge.candidates", "0+2x120"), *outcomes(failed="0+2x120")],
    ),
    fires("candidates without an end", "SpanjudgeNoScores", [of_recall("spanjudge.candidates", "0+2x120")]),
    silent(
        "nothing but skips",
        "SpanjudgeNoScores",
        [of_recall("spanjudge.candidates", "0+2x120"), *outcomes(skipped="0+2x120")],
    ),
    silent(
        "some scores",
        "SpanjudgeNoScores",
        [of_recall("spanjudge.candidates", "0+2x120"), *outcomes(failed="0+1x120", scored="0+1x120")],
    ),
    silent("few candidates", "SpanjudgeNoScores", [of_recall("spanjudge.candidates", "0+0.1x120")]),
    fires("most runs incomplete", "SpanjudgeRunsIncomplete", runs(incomplete="0+4x120", sampled="0+1x120")),
    silent("some runs incomplete", "SpanjudgeRunsIncomplete", runs(incomplete="0+1x120", sampled="0+4x120")),
    fires("half of the evaluations fail", "SpanjudgeJudgeFailing", outcomes(failed="0+2x120", scored="0+2x120")),
    silent("few evaluations fail", "SpanjudgeJudgeFailing", outcomes(failed="0+1x120", scored="0+50x120")),
    silent("half of few fail", "SpanjudgeJudgeFailing", outcomes(failed="0+0.1x120", scored="0+0.1x120")),
    fires("one run in ten dropped", "SpanjudgeDropping", runs(dropped="0+1x120", sampled="0+9x120")),
    fires("evaluations dropped", "SpanjudgeDropping", outcomes(dropped="0+1x120", scored="0+9x120")),
    silent("one run in a thousand dropped", "SpanjudgeDropping", runs(dropped="0+1x120", sampled="0+999x120")),
    fires(
        "queue nearly full",
        "SpanjudgeQueueFilling",
        [given("spanjudge.queue.size", "250x120"), given("spanjudge.queue.capacity", "256x120")],
    ),
    silent(
        "queue nearly empty",
        "SpanjudgeQueueFilling",
        [given("spanjudge.queue.size", "10x120"), given("spanjudge.queue.capacity", "256x120")],
    ),
    fires("judge too dear", "SpanjudgeJudgeCost", [given("spanjudge.judge.cost", "0+0.01x600")], 600),
    silent("judge cheap enough", "SpanjudgeJudgeCost", [given("spanjudge.judge.cost", "0+0.001x600")], 600),
]
SETTINGS = {"daily_cost": 5.0}


def _settings(translation: Translation) -> RuleSettings:
    return rule_settings({**SETTINGS, "translation": translation})


def _tools(translation: Translation) -> list[Path]:
    # Prometheus 2 knows no quoted names.
    return [need("promtool")] if translation in UTF8 else [need("promtool"), need("promtool2")]


def _promtool(tool: Path, *arguments: str | Path) -> None:
    done = subprocess.run([tool, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _tests(translation: Translation) -> dict[str, Any]:
    def firing(name: str) -> str:
        return f'count(ALERTS{{alertname="{name}", alertstate="firing"}}) or vector(0)'

    def test(says: str, series: list[tuple[str, str]], wanted: dict[str, bool], minutes: int) -> dict[str, Any]:
        return {
            "name": says,
            "interval": "1m",
            "input_series": [{"series": translate(name, translation), "values": values} for name, values in series],
            "promql_expr_test": [
                {
                    "expr": firing(name),
                    "eval_time": f"{minutes}m",
                    "exp_samples": [{"labels": "{}", "value": int(expected)}],
                }
                for name, expected in wanted.items()
            ],
        }

    nothing = {alert.name: False for alert in alerts(_settings(translation))}
    return {
        "rule_files": ["rules.yaml"],
        "evaluation_interval": "5m",
        "tests": [
            test("nothing at all", [], nothing, 80),
            *(test(case.says, case.series, {case.alert: case.fires}, case.minutes) for case in CASES),
        ],
    }


@pytest.mark.parametrize("translation", TRANSLATIONS)
def test_alerts_fire_and_stay_silent_under_every_translation(translation: Translation, tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text(rule_file(_settings(translation)), encoding="utf-8")
    (tmp_path / "test.yaml").write_text(yaml.safe_dump(_tests(translation)), encoding="utf-8")
    for tool in _tools(translation):
        _promtool(tool, "check", "rules", tmp_path / "rules.yaml")
        _promtool(tool, "test", "rules", tmp_path / "test.yaml")


def test_every_alert_has_a_case_in_which_it_fires_and_one_in_which_it_is_silent() -> None:
    names = {alert.name for alert in alerts(rule_settings(SETTINGS))}
    assert {case.alert for case in CASES if case.fires} == names
    assert {case.alert for case in CASES if not case.fires} == names


@pytest.mark.parametrize("translation", TRANSLATIONS)
def test_alert_says_what_fell_how_sure_and_where_to_read_on(translation: Translation, tmp_path: Path) -> None:
    settings = _settings(translation)
    (tmp_path / "rules.yaml").write_text(rule_file(settings), encoding="utf-8")
    # All scores 1 for two hours and a half, then 1/4.
    fallen = moments(
        "0+5x240",
        w="0+5x240",
        wx="0+5x150 751.25+1.25x90",
        ww="0+5x240",
        wwx="0+5x150 751.25+1.25x90",
        wwxx="0+5x150 750.3125+0.3125x90",
    )
    names = {
        "gen_ai.evaluation.name": RECALL,
        "gen_ai.agent.name": "shop",
        "spanjudge.evaluator.version": "v1",
    }
    expected = {
        "exp_labels": {
            **{label(name, translation): value for name, value in names.items()},
            "severity": "critical",
            "scorer": RECALL,
            "agent": "shop",
        },
        "exp_annotations": {
            "summary": "context_recall of shop has fallen below its own past",
            "description": (
                "Over the last 1h its mean is 0.25. Over the day before it was 0.97. "
                "The evidence that the mean of context_recall is lower than its baseline is 5.0 nat and has passed its "
                "threshold. It counts every score since the baseline, however often one looks: a series that has not "
                "fallen passes the threshold with at most the chance alpha that its detector was given. Look at the "
                "runs with label poor or none since the evidence began to rise."
            ),
            "runbook_url": "docs/runbook.md#spanjudgeregression",
        },
    }
    test = {
        "interval": "1m",
        "input_series": [
            {"series": translate(name, translation), "values": values}
            for name, values in [*fallen, *detector("a", "5x240", "5x240")]
        ],
        "alert_rule_test": [{"eval_time": "4h", "alertname": "SpanjudgeRegression", "exp_alerts": [expected]}],
    }
    tests = {"rule_files": ["rules.yaml"], "evaluation_interval": "1m", "tests": [test]}
    (tmp_path / "test.yaml").write_text(yaml.safe_dump(tests), encoding="utf-8")
    for tool in _tools(translation):
        _promtool(tool, "test", "rules", tmp_path / "test.yaml")

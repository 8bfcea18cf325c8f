from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from spanjudge.alerts.rule_file import alerts, rule_file
from spanjudge.alerts.settings import RuleSettings, rule_settings
from spanjudge.errors import InputError
from spanjudge.promql import TRANSLATIONS, Translation

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[3]


def _rules(settings: RuleSettings) -> list[dict[str, Any]]:
    return [rule for group in yaml.safe_load(rule_file(settings))["groups"] for rule in group["rules"]]


def _alert(settings: RuleSettings, name: str) -> dict[str, Any]:
    return next(rule for rule in _rules(settings) if rule.get("alert") == name)


def test_rules_beside_the_compose_file_are_the_default_ones() -> None:
    assert (ROOT / "collector-config" / "rules.yaml").read_text(encoding="utf-8") == rule_file(RuleSettings())


def test_every_alert_has_wait_severity_texts_and_an_entry_in_the_runbook() -> None:
    runbook = (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8")
    headings = {heading.lower() for heading in re.findall(r"^## (\w+)$", runbook, re.MULTILINE)}
    written = [rule for rule in _rules(rule_settings({"daily_cost": 5.0})) if "alert" in rule]
    assert len(written) >= 10
    for rule in written:
        assert rule["for"]
        assert rule["labels"]["severity"] in {"critical", "warning", "info"}
        assert rule["annotations"]["summary"]
        assert rule["annotations"]["description"]
        assert rule["annotations"]["runbook_url"].partition("#")[2] in headings
    assert headings == {rule["alert"].lower() for rule in written}


def test_recording_rules_are_named_level_metric_operation_and_stand_before_their_use() -> None:
    known: set[str] = set()
    for rule in _rules(RuleSettings()):
        used = set(re.findall(r"\b\w+:spanjudge_\w+:\w+", rule["expr"]))
        assert used <= known
        if "record" in rule:
            assert re.fullmatch(r"(scorer|detector):spanjudge_\w+:\w+", rule["record"])
            known.add(rule["record"])


@pytest.mark.parametrize("translation", TRANSLATIONS)
def test_no_name_of_another_translation_is_left(translation: Translation) -> None:
    text = "\n".join(rule["expr"] for rule in _rules(rule_settings({"translation": translation})))
    dotted = re.findall(r"\b(?:gen_ai|spanjudge)\.\w+", text)
    assert bool(dotted) == (translation in {"NoUTF8EscapingWithSuffixes", "NoTranslation"})
    assert ("_total" in text) == translation.endswith("WithSuffixes")


def test_regression_is_told_by_evidence_and_its_threshold() -> None:
    rule = _alert(RuleSettings(), "SpanjudgeRegression")
    assert rule["expr"].startswith("scorer:spanjudge_regression_evidence:combined\n>= on (gen_ai_evaluation_name")
    assert rule["labels"]["severity"] == "critical"


def test_scores_that_are_not_live_are_no_evidence_of_quality() -> None:
    for rule in _rules(RuleSettings()):
        for matchers in re.findall(
            r"(?:score_count|score_bucket|moments_total|verdicts_total)\{([^}]*)\}", rule["expr"]
        ):
            assert 'spanjudge_source="live"' in matchers


def test_only_the_wanted_series_are_looked_at() -> None:
    settings = rule_settings({"match": {"deployment.environment.name": "prod"}, "translation": "NoTranslation"})
    selectors = re.findall(r'\{"[\w.]+"([,}][^}]*)', "\n".join(rule["expr"] for rule in _rules(settings)))
    assert len(selectors) > 20
    assert all('"deployment.environment.name"="prod"' in matchers for matchers in selectors)


def test_floor_wait_severity_label_and_runbook_are_the_users() -> None:
    settings = rule_settings(
        {
            "floors": {"faithfulness": 0.8},
            "waits": {"SpanjudgeScoreBelowFloor": "10m"},
            "severities": {"SpanjudgeScoreBelowFloor": "critical"},
            "labels": {"team": "search"},
            "runbook_url": "https://runbooks.example/spanjudge",
        }
    )
    (rule,) = [rule for rule in _rules(settings) if rule.get("alert") == "SpanjudgeScoreBelowFloor"]
    assert "< 0.8" in rule["expr"]
    assert 'gen_ai_evaluation_name="faithfulness"' in rule["expr"]
    assert (rule["for"], rule["labels"]["severity"], rule["labels"]["team"]) == ("10m", "critical", "search")
    assert rule["annotations"]["runbook_url"] == "https://runbooks.example/spanjudge#spanjudgescorebelowfloor"


def test_cost_is_watched_where_a_sum_is_given() -> None:
    assert "SpanjudgeJudgeCost" not in {alert.name for alert in alerts(RuleSettings())}
    rule = _alert(rule_settings({"daily_cost": 12.5}), "SpanjudgeJudgeCost")
    assert rule["expr"] == "sum(increase(spanjudge_judge_cost_total[1d])) > 12.5"


@pytest.mark.parametrize("table", ["waits", "severities"])
def test_setting_for_an_alert_that_is_not_there_is_one_sentence(table: str) -> None:
    value = "1m" if table == "waits" else "info"
    with pytest.raises(InputError, match=f"\"{table}\" names the alert 'SpanjudgeRecall'; the alerts are: Spanjudge"):
        rule_file(rule_settings({table: {"SpanjudgeRecall": value}}))


def test_settings_file_of_the_documentation_is_taken() -> None:
    text = (ROOT / "docs" / "alerts.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    settings = rule_settings(tomllib.loads(block))
    assert settings.floors == {"context_recall": 0.7, "faithfulness": 0.8}
    assert "service_name" in rule_file(settings)

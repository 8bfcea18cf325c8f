from __future__ import annotations

from pathlib import Path

import pytest

from spanjudge import semconv
from spanjudge.alerts.settings import NAMES, RuleSettings, read_rule_file, rule_settings
from spanjudge.errors import InputError


def test_nothing_given_is_the_defaults() -> None:
    assert rule_settings({}) == RuleSettings()
    assert rule_settings({"window": None}) == RuleSettings()


@pytest.mark.parametrize("name", NAMES)
def test_every_default_passes_its_own_check(name: str) -> None:
    value = getattr(RuleSettings(), name)
    assert getattr(rule_settings({name: value}), name) == value


def test_bad_at_defaults_to_a_bound_of_the_histogram_below_the_label_fair() -> None:
    assert RuleSettings().bad_at in semconv.SCORE_BOUNDS
    assert RuleSettings().bad_at < 0.4


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("translation", "NoEscaping", "must be one of UnderscoreEscapingWithSuffixes"),
        ("window", "1 hour", "as 30s or 1h"),
        ("window", "0h", "as 30s or 1h"),
        ("floors", {"context_recall": 1.5}, "above 0 and at most 1"),
        ("floors", {"context_recall": True}, "above 0 and at most 1"),
        ("floors", {"context recall": 0.5}, "plain names"),
        ("floors", 0.5, "must be a table"),
        ("bad_at", 0.35, "must be one of 0.1, 0.2"),
        ("bad_at", 1.0, "must be one of 0.1, 0.2"),
        ("objective", 0.9, "above 0.931 and below 1"),
        ("objective", 1.0, "above 0.931 and below 1"),
        ("least_scores", 0, "whole number of 1 or more"),
        ("least_bad", 2.5, "whole number of 1 or more"),
        ("failures", 0, "above 0 and at most 1"),
        ("drops", float("nan"), "above 0 and at most 1"),
        ("daily_cost", float("inf"), "must be a number above 0"),
        ("by", "service.name", "list of attribute names"),
        ("by", ['a"'], "list of attribute names"),
        ("match", {"service.name": 'a"b'}, "without quotes"),
        ("match", {"service.name": "a{b}"}, "without quotes"),
        ("labels", {"team.name": "x"}, "plain names"),
        ("labels", {"team": ""}, "not empty"),
        ("waits", {"SpanjudgeRegression": "soon"}, "as 30s or 1h"),
        ("severities", {"SpanjudgeRegression": "page"}, "must be one of critical, warning, info"),
        ("runbook_url", "a\nb", "printable text"),
    ],
)
def test_value_that_cannot_be_used_is_one_sentence(name: str, value: object, said: str) -> None:
    with pytest.raises(InputError) as caught:
        rule_settings({name: value}, "from rules.toml")
    text = str(caught.value)
    assert text.startswith(f'Rule setting "{name}" ')
    assert said in text
    assert text.endswith("(from rules.toml).")
    assert "\n" not in text


def test_setting_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(InputError, match=r'no rule setting "windows".*translation, window, floors'):
        rule_settings({"windows": "1h"})


def test_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text('window = "2h"\n[floors]\ncontext_recall = 0.7\n', encoding="utf-8")
    settings = rule_settings(read_rule_file(path))
    assert (settings.window, settings.floors) == ("2h", {"context_recall": 0.7})


def test_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_rule_file(tmp_path / "none.toml")
    broken = tmp_path / "broken.toml"
    broken.write_text("window =", encoding="utf-8")
    with pytest.raises(InputError, match="no valid TOML"):
        read_rule_file(broken)

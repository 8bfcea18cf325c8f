"""Settings are resolved in one order and refused in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from spanjudge.settings import NAMES, Settings, SettingsError, load


def test_defaults_need_no_key_and_judge_every_trace() -> None:
    settings = load({}, {})
    assert settings == Settings()
    assert settings.judge == "embedded"
    assert settings.rate("context_recall") == 1.0


def test_argument_wins_over_variable_and_variable_over_file(tmp_path: Path) -> None:
    file = tmp_path / "spanjudge.toml"
    file.write_text('judge = "file"\nlinger_s = 2\nqueue_size = 7\n', encoding="utf-8")
    environ = {"SPANJUDGE_CONFIG": str(file), "SPANJUDGE_JUDGE": "variable", "SPANJUDGE_LINGER_S": "3"}
    settings = load({"judge": "argument"}, environ)
    assert (settings.judge, settings.linger_s, settings.queue_size) == ("argument", 3.0, 7)


def test_none_counts_as_not_given() -> None:
    assert load({"judge": None}, {"SPANJUDGE_JUDGE": "openai/gpt-5-mini"}).judge == "openai/gpt-5-mini"


@pytest.mark.parametrize(
    ("given", "scorer", "rate"),
    [
        (0.1, "context_recall", 0.1),
        ("0.25", "faithfulness", 0.25),
        ({"context_recall": 1.0, "*": 0.1}, "context_recall", 1.0),
        ({"context_recall": 1.0, "*": 0.1}, "faithfulness", 0.1),
        ({"context_recall": 0.5}, "faithfulness", 1.0),
        ("context_recall=1.0, *=0.2", "answer_relevancy", 0.2),
    ],
)
def test_sample_rate_is_one_number_or_one_per_scorer(given: object, scorer: str, rate: float) -> None:
    assert load({"sample_rate": given}, {}).rate(scorer) == rate


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("sample_rate", 1.5, "must be between 0 and 1"),
        ("sample_rate", "often", "must be a number"),
        ("sample_rate", {"context_recall": -0.1}, "must be between 0 and 1"),
        ("sample_rate", float("nan"), "must be a finite number"),
        ("sample_rate", True, "must be a number"),
        ("inbox_size", 0, "must be a whole number of 1 or more"),
        ("queue_size", 2.5, "must be a whole number of 1 or more"),
        ("linger_s", -1, "must be from 0 to 1000000 seconds"),
        ("missing_ground_truth", "nan", 'must be "skip" or "zero"'),
        ("scorers", [], "must be a list of names"),
        ("judge", " ", "must be a text that is not empty"),
        ("disabled", "perhaps", "must be true or false"),
        ("metric_attributes", ["a", "b", "c", "d", "e"], "must be at most 4 names"),
    ],
)
def test_bad_value_is_refused_with_name_value_and_origin(name: str, value: object, complaint: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load({name: value}, {})
    message = str(caught.value)
    assert message.startswith(f'"{name}" {complaint}')
    assert "given as argument" in message
    assert message.count("\n") == 0


def test_bad_variable_is_named() -> None:
    with pytest.raises(
        SettingsError, match=r'"sample_rate" must be between 0 and 1: .1\.5. \(from SPANJUDGE_SAMPLE_RATE\)'
    ):
        load({}, {"SPANJUDGE_SAMPLE_RATE": "1.5"})


def test_unknown_setting_lists_the_known_ones() -> None:
    with pytest.raises(SettingsError, match='There is no setting "smaple_rate"') as caught:
        load({"smaple_rate": 0.1}, {})
    assert all(name in str(caught.value) for name in NAMES)


def test_missing_settings_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.toml \(named by SPANJUDGE_CONFIG\) cannot be read"):
        load({}, {"SPANJUDGE_CONFIG": str(tmp_path / "nowhere.toml")})


def test_settings_file_that_is_no_toml_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "spanjudge.toml"
    file.write_text('judge = "a"\nlinger_s = = 3\n', encoding="utf-8")
    with pytest.raises(SettingsError, match=r"is no valid TOML: .*line 2"):
        load({}, {"SPANJUDGE_CONFIG": str(file)})


def test_every_setting_can_come_from_the_environment() -> None:
    texts = {
        "judge": "m",
        "scorers": "context_recall,faithfulness",
        "sample_rate": "0.5",
        "ground_truth": "golden.jsonl",
        "missing_ground_truth": "zero",
        "golden_threshold": "0.8",
        "golden_embedding_threshold": "0.8",
        "golden_rate": "1",
        "metric_attributes": "tenant.tier",
        "disabled": "true",
    }
    environ = {f"SPANJUDGE_{name.upper()}": texts.get(name, "5") for name in NAMES}
    settings = load({}, environ)
    assert settings.scorers == ("context_recall", "faithfulness")
    assert settings.disabled
    assert settings.missing_ground_truth == "zero"
    assert settings.max_trace_bytes == 5

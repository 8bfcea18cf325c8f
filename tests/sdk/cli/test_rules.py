"""``spanjudge rules`` as its users run it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from spanjudge.alerts.rule_file import rule_file
from spanjudge.alerts.settings import RuleSettings, rule_settings
from spanjudge.cli import app
from spanjudge.errors import InputError


def _run(*arguments: str | Path) -> str:
    done = CliRunner().invoke(app, ["rules", *map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_without_options_the_default_rules_are_printed() -> None:
    assert _run() == rule_file(RuleSettings())


def test_options_win_over_the_file(tmp_path: Path) -> None:
    config, out = tmp_path / "rules.toml", tmp_path / "rules.yaml"
    config.write_text('window = "2h"\nobjective = 0.99\n[labels]\nteam = "search"\n', encoding="utf-8")
    _run(
        "--config",
        config,
        "--window",
        "30m",
        "--floor",
        "context_recall=0.7",
        "--match",
        "service.name=a",
        "--out",
        out,
    )
    assert out.read_text(encoding="utf-8") == rule_file(
        rule_settings(
            {
                "window": "30m",
                "objective": 0.99,
                "labels": {"team": "search"},
                "floors": {"context_recall": 0.7},
                "match": {"service.name": "a"},
            }
        )
    )


def test_translation_can_be_chosen() -> None:
    assert (
        '"gen_ai.evaluation.name"'
        in yaml.safe_load(_run("--translation", "NoTranslation"))["groups"][0]["rules"][0]["expr"]
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--floor", "context_recall"], "--floor takes name=value"),
        (["--floor", "context_recall=high"], "--floor takes scorer=number"),
        (["--label", "search"], "--label takes name=value"),
        (["--translation", "None"], "must be one of Underscore"),
        (["--config", "/nowhere/rules.toml"], "cannot be read"),
        (["--out", "/nowhere/rules.yaml"], r"cannot be written to '/nowhere/rules.yaml' \(given as --out\)"),
    ],
)
def test_input_that_cannot_be_used_is_one_sentence(arguments: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        CliRunner().invoke(app, ["rules", *arguments], catch_exceptions=False)


def test_fault_in_the_file_is_said_to_be_from_the_file(tmp_path: Path) -> None:
    config = tmp_path / "rules.toml"
    config.write_text("objective = 0.5\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"\(from .*rules.toml\)"):
        CliRunner().invoke(app, ["rules", "--config", str(config)], catch_exceptions=False)

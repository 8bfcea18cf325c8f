"""What the documents say runs, exists and is named rightly."""

from __future__ import annotations

import asyncio
import doctest
import importlib
import pkgutil
import re
from pathlib import Path
from typing import Any

import pytest

import spanjudge
from spanjudge import RagRun, Skip
from spanjudge.scorers import as_scorer
from spanjudge.settings import NAMES, Settings

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)
MODULES = sorted(found.name for found in pkgutil.walk_packages(spanjudge.__path__, "spanjudge."))


@pytest.mark.parametrize("module", ["spanjudge", *MODULES])
def test_examples_in_docstrings_hold(module: str) -> None:
    result = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def test_readme_begins_with_two_commands_each_complete_in_itself() -> None:
    lines = [line for line in BLOCKS[0][1].splitlines() if line.strip() and not line.startswith("#")]
    assert len(lines) == 2
    assert lines[0].endswith("spanjudge demo")
    assert lines[1].endswith("pytest -q")
    assert all("venv" in line and "requirements-" in line for line in lines)


def test_readme_offline_example_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = [text for language, text in BLOCKS if language == "python" and "run_evals" in text]
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102 - the README's own example
    said = re.search(r"# (\{.*\})", code)
    assert said is not None
    assert capsys.readouterr().out.strip() == said.group(1)


def test_readme_adds_the_processor_in_two_lines() -> None:
    (code,) = [text for language, text in BLOCKS if language == "python" and "add_span_processor" in text]
    assert len(code.strip().splitlines()) == 2
    assert "JudgeSpanProcessor" in spanjudge.__all__


def test_readme_scorer_of_ones_own_scores() -> None:
    (code,) = [text for language, text in BLOCKS if language == "python" and "def cites_a_source" in text]
    names: dict[str, Any] = {}
    exec(compile(code, "README.md", "exec"), names)  # noqa: S102 - the README's own example
    scorer = as_scorer(names["cites_a_source"])
    assert scorer.run_sync(output="Two years [1].").score == 1.0
    assert scorer.run_sync(output="Two years.").score == 0.0
    outcome = asyncio.run(scorer.evaluate(RagRun(query="How long?")))
    assert isinstance(outcome, Skip)


def test_every_file_that_a_document_names_is_there() -> None:
    for document in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = document.read_text(encoding="utf-8")
        named = set(re.findall(r"\]\(((?!http)[^)#]+)\)", text))
        for name in named:
            assert (document.parent / name).exists(), (document.name, name)
        for name in re.findall(r"(?:benchmarks|examples|collector-config|docs)/[\w./-]+\.\w+", text):
            assert (ROOT / name).exists(), (document.name, name)


def test_settings_table_names_settings_and_their_defaults() -> None:
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| ([^|]+) \|", README, re.MULTILINE)
    named = {name for cell, _ in rows for name in re.findall(r"`(\w+)`", cell)} & set(NAMES)
    assert {"judge", "sample_rate", "inbox_size", "shutdown_timeout_s"} <= named
    defaults = Settings()
    for cell, default in rows:
        names = re.findall(r"`(\w+)`", cell)
        numbers = re.findall(r"[\d.]+", default)
        if set(names) <= set(NAMES) and len(numbers) == len(names):
            for name, number in zip(names, numbers, strict=True):
                value = getattr(defaults, name)
                assert float(number) == (value["*"] if name == "sample_rate" else value), name


@pytest.mark.parametrize("name", spanjudge.__all__)
def test_public_name_can_be_had(name: str) -> None:
    assert getattr(spanjudge, name).__doc__
    assert name in dir(spanjudge)


def test_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = spanjudge.Nothing  # type: ignore[attr-defined]

"""The guide to a new dialect, followed to the letter in a copy of the project."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from spanjudge.assembly import assemble
from spanjudge.sources.file import read_spans

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "add-a-dialect.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"```(?:json|python) file=(\S+)\n(.*?)```", GUIDE, re.DOTALL))
((REGISTRY, CHANGE),) = re.findall(r"```diff file=(\S+)\n(.*?)```", GUIDE, re.DOTALL)
SHARED = (
    "pyproject.toml",
    "tests/unit/test_captures.py",
    "tests/unit/dialects/one_span.py",
    *(str(path.relative_to(ROOT)) for path in (ROOT / "tests" / "captures").glob("*.py")),
)


def changed(text: str, change: str) -> str:
    """Insert each line with a plus after the line of the text that stands before it."""
    at = 0
    for line in change.splitlines(keepends=True):
        if line.startswith("+"):
            text = text[:at] + line[1:] + text[at:]
            at += len(line) - 1
        else:
            at = text.index(line[1:], at) + len(line) - 1
    return text


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in SHARED:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    for name, text in FILES.items():
        (copy / name).write_text(text, encoding="utf-8")
    registry = copy / REGISTRY
    registry.write_text(changed(registry.read_text(encoding="utf-8"), CHANGE), encoding="utf-8")
    return copy


def run(copy: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_nothing_is_captured_of_the_trace_before(copy: Path) -> None:
    assert assemble(read_spans(copy / "tests/captures/acme_search.json")) == []


def test_files_of_the_guide_pass_their_tests(copy: Path) -> None:
    done = run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    assert done.returncode == 0, done.stdout
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) >= 8


def test_run_of_the_guide_is_captured_by_the_command_line(copy: Path) -> None:
    program = "from spanjudge.cli import main; main()"
    done = run(copy, "-c", program, "score", "tests/captures/acme_search.json", "--capture-only", "--json")
    assert done.returncode == 0, done.stderr
    captured = json.loads(done.stdout)
    assert (captured["dialects"], captured["complete"]) == (["acme"], True)
    assert [each["id"] for each in captured["contexts"]] == ["a", "b"]


def test_files_of_the_guide_keep_the_rules_of_the_house(copy: Path) -> None:
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent))
    if ruff is None:
        pytest.skip("ruff is not installed here")
    names = [name for name in FILES if name.endswith(".py")]
    for command in ("check", "format"):
        more = ["--check"] if command == "format" else []
        done = subprocess.run(
            [ruff, command, *more, "--no-cache", *names], cwd=copy, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout

"""``spanjudge dashboards`` as its users run it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from spanjudge.cli import app
from spanjudge.dashboards.render import dashboards
from spanjudge.errors import InputError


def test_both_dashboards_are_put_into_the_directory_and_named(tmp_path: Path) -> None:
    out = tmp_path / "new" / "dashboards"
    done = CliRunner().invoke(app, ["dashboards", "--out", str(out), "--translation", "NoTranslation"])
    assert done.exit_code == 0, done.output
    assert done.stdout.split() == [str(out / "quality.json"), str(out / "pipeline.json")]
    for name, text in dashboards("NoTranslation").items():
        assert (out / name).read_text(encoding="utf-8") == text


def test_unknown_translation_is_one_sentence_and_writes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "dashboards"
    with pytest.raises(InputError, match=r"--translation must be one of Underscore.*but it is 'Dots'"):
        CliRunner().invoke(app, ["dashboards", "--out", str(out), "--translation", "Dots"], catch_exceptions=False)
    assert not out.exists()


def test_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match=r"cannot be written to .* \(given as --out\)"):
        CliRunner().invoke(app, ["dashboards", "--out", str(tmp_path / "file")], catch_exceptions=False)

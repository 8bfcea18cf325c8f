from __future__ import annotations

import re
from pathlib import Path

import pytest

from captures import table


def test_readme_holds_exactly_what_the_captures_give() -> None:
    assert table.in_readme() == table.table(), "run: python tests/captures/table.py --write"


def test_every_capture_belongs_to_a_row_and_every_row_has_one() -> None:
    assert {table.row_of(entry["file"]) for _, entry in table.entries()} == set(table.ROWS)


def test_every_row_names_the_version_that_was_tested() -> None:
    for line in table.table().splitlines()[2:]:
        package = line.split("|")[2].strip()
        assert re.search(r" \d+\.\d", package) or package == "opentelemetry-sdk", package


def test_writing_keeps_what_stands_around_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{table.BEGIN}\nold\n{table.END}\nafter\n", encoding="utf-8")
    monkeypatch.setattr(table, "README", readme)
    monkeypatch.setattr(table, "table", lambda: "| new |")
    monkeypatch.setattr("sys.argv", ["table.py", "--write"])
    table.main()
    assert readme.read_text(encoding="utf-8") == f"before\n{table.BEGIN}\n\n| new |\n\n{table.END}\nafter\n"


def test_readme_without_a_place_for_the_table_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("nothing", encoding="utf-8")
    monkeypatch.setattr(table, "README", readme)
    monkeypatch.setattr("sys.argv", ["table.py", "--write"])
    with pytest.raises(SystemExit, match="has no place for the table"):
        table.main()

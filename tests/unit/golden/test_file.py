"""A golden file that changes is taken up without a restart; one that breaks leaves what was there."""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path

import pytest

from spanjudge.errors import InputError
from spanjudge.golden import GoldenFile, reference_lookup
from spanjudge.guard import Guard
from spanjudge.testing import ManualClock
from spanjudge.user_code import UserCode


class Desk:
    """A golden file with the clock that says when it may be looked at."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "golden.jsonl"
        self.write('{"question": "How long?", "ground_truth": "old"}\n')
        self.clock = ManualClock()
        self.guard = Guard(lambda: 0.0)
        self.file = GoldenFile(self.path, guard=self.guard, monotonic=self.clock.monotonic)

    def write(self, text: str) -> None:
        self.path.write_text(text, encoding="utf-8")

    def ask(self, after_s: float = 0.0) -> str | None:
        self.clock.advance(after_s)
        found = asyncio.run(self.file.find("How long?", UserCode(5.0)))
        return found.text if found else None


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_change_is_taken_up_after_some_seconds(desk: Desk) -> None:
    assert desk.ask() == "old"
    desk.write('{"question": "How long?", "ground_truth": "a new one"}\n')
    assert desk.ask(after_s=4.9) == "old"
    assert desk.ask(after_s=0.2) == "a new one"


def test_change_that_keeps_the_size_is_seen_by_its_time(desk: Desk) -> None:
    desk.write('{"question": "How long?", "ground_truth": "new"}\n')
    os.utime(desk.path, ns=(1, 1))
    assert desk.ask(after_s=6) == "new"


def test_file_that_does_not_change_is_not_read_again(desk: Desk) -> None:
    before = desk.file.current
    desk.ask(after_s=6)
    assert desk.file.current is before


def test_broken_file_leaves_the_old_set_and_is_told_once_with_its_line(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    desk.write('{"question": "How long?", "ground_truth": "new"}\n{"question": \n')
    with caplog.at_level(logging.WARNING, "spanjudge"):
        assert [desk.ask(after_s=6) for _ in range(3)] == ["old", "old", "old"]
    (line,) = [record.getMessage() for record in caplog.records]
    assert "golden.jsonl, line 2: is not JSON" in line
    assert "The golden set stays as it was." in line
    desk.write('{"question": "How long?", "ground_truth": "repaired"}\n')
    assert desk.ask(after_s=6) == "repaired"


def test_file_that_is_gone_leaves_the_old_set_until_it_comes_back(desk: Desk) -> None:
    desk.path.unlink()
    assert desk.ask(after_s=6) == "old"
    desk.write('{"question": "How long?", "ground_truth": "back"}\n')
    assert desk.ask(after_s=6) == "back"
    assert desk.guard.counts == {f"golden file {desk.path}": 1}


def test_file_that_cannot_be_read_at_the_start_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.csv: cannot be read: No such file"):
        reference_lookup(tmp_path / "none.csv")

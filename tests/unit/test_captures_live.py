"""A second set of captures: live programs in other languages, shapes and situations, described by what they knew."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from captures.checking import check
from captures.corpus import FOLDER, full_start, runs_only, stream
from spanjudge.assembly import assemble
from spanjudge.sources.file import read_spans

if TYPE_CHECKING:
    from spanjudge.sources.record import SpanRecord

LIVE = FOLDER / "live"
EXPECTED: dict[str, dict[str, Any]] = {
    entry["file"]: entry for entry in json.loads((LIVE / "expected.json").read_text(encoding="utf-8"))
}
# Files of which a run is read wrongly, and why.
MISSES: dict[str, str] = {}
WANTED = 0.95


@cache
def spans_of(file: str) -> tuple[SpanRecord, ...]:
    return tuple(read_spans(LIVE / file))


@pytest.mark.parametrize(
    "file",
    [pytest.param(file, marks=pytest.mark.xfail(reason=MISSES[file]) if file in MISSES else ()) for file in EXPECTED],
)
def test_live_capture_gives_its_runs(file: str) -> None:
    check(EXPECTED[file], assemble(spans_of(file)))


@pytest.mark.parametrize("file", EXPECTED)
def test_live_spans_that_come_one_by_one_give_the_same_runs(file: str) -> None:
    closed, traces = stream(spans_of(file), full_start)
    found = {run.run_id: run for run in runs_only(closed)}
    assert found == {run.run_id: run for run in assemble(spans_of(file))}
    assert (traces.open_count, traces.bytes) == (0, 0)


def test_misses_are_few_and_the_set_is_wide() -> None:
    runs = {file: len(entry["runs"]) for file, entry in EXPECTED.items()}
    assert sum(runs[file] for file in MISSES) <= (1 - WANTED) * sum(runs.values())
    assert len(EXPECTED) >= 60
    assert sum(runs.values()) >= 100

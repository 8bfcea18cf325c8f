"""Every captured trace gives the runs that its instrumentation recorded, from a file and span by span."""

from __future__ import annotations

from typing import Any

import pytest

from captures.checking import check
from captures.corpus import EXPECTED, bare_start, full_start, runs_only, spans_of, stream
from spanjudge.assembly import assemble

FILES = sorted(EXPECTED)


@pytest.mark.parametrize("file", FILES)
def test_capture_gives_its_runs_from_a_file(file: str) -> None:
    check(EXPECTED[file], assemble(spans_of(file)))


@pytest.mark.parametrize("file", FILES)
def test_order_of_spans_in_a_file_changes_nothing(file: str) -> None:
    assert assemble(spans_of(file)[::-1]) == assemble(spans_of(file))


@pytest.mark.parametrize("start", [full_start, bare_start])
@pytest.mark.parametrize("file", FILES)
def test_spans_that_come_one_by_one_give_the_same_runs(file: str, start: Any) -> None:
    closed, traces = stream(spans_of(file), start)
    key = lambda run: run.run_id  # noqa: E731
    assert sorted(runs_only(closed), key=key) == sorted(assemble(spans_of(file)), key=key)
    assert (traces.open_count, traces.bytes) == (0, 0)

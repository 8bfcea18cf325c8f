"""Every captured trace gives the runs that its instrumentation recorded, from a file and span by span."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from captures.corpus import EXPECTED, bare_start, full_start, runs_only, spans_of, stream
from spanjudge.assembly import assemble, capture_json

if TYPE_CHECKING:
    from spanjudge.model import RagRun

FILES = sorted(EXPECTED)
FIELDS = ("query", "answer", "complete", "skip_reason", "session_id", "user_id")
ALL_FIELDS = {
    "trace_id",
    "target_span_id",
    "query",
    "contexts",
    "answer",
    "ground_truth",
    "session_id",
    "user_id",
    "model",
    "agent",
    "dialects",
    "complete",
    "skip_reason",
    "warnings",
}


def told(runs: list[RagRun], *, complete_only: bool = False) -> list[dict[str, Any]]:
    return [capture_json(run) for run in runs if run.complete or not complete_only]


def documents(contexts: list[dict[str, Any]] | None) -> list[tuple[object, ...]] | None:
    if contexts is None:
        return None
    return [(each["id"], each["text"], each["score"]) for each in contexts]


def kinds(contexts: list[dict[str, Any]] | None) -> list[bool]:
    return [each.get("score_kind") == "distance" for each in contexts or ()]


def targets(run: dict[str, Any]) -> set[str]:
    return {run["target"]["span_id"], run["target"].get("also", run["target"])["span_id"]}


def check(file: str, runs: list[RagRun]) -> None:
    entry = EXPECTED[file]
    found = told(runs, complete_only=entry.get("allow_incomplete_runs", False))
    assert len(found) == len(entry["runs"])
    if entry.get("order") == "any":
        found.sort(key=lambda run: [run["target_span_id"] in targets(each) for each in entry["runs"]], reverse=True)
    for run, expected in zip(found, entry["runs"], strict=True):
        also = expected.get("also_accept", {})
        assert run["target_span_id"] in targets(expected)
        for name in FIELDS:
            assert run[name] in (expected.get(name), also.get(name, expected.get(name))), name
        accepted = [documents(expected["contexts"]), documents(also.get("contexts", expected["contexts"]))]
        assert documents(run["contexts"]) in accepted
        if documents(run["contexts"]) == accepted[0]:
            assert kinds(run["contexts"]) == kinds(expected["contexts"])
        assert [each["rank"] for each in run["contexts"] or ()] == list(range(len(run["contexts"] or ())))
        assert run.keys() == ALL_FIELDS


@pytest.mark.parametrize("file", FILES)
def test_capture_gives_its_runs_from_a_file(file: str) -> None:
    check(file, assemble(spans_of(file)))


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

"""Runs that were assembled against those that a captured file is known to hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spanjudge.assembly import capture_json

if TYPE_CHECKING:
    from spanjudge.model import RagRun

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


def check(entry: dict[str, Any], runs: list[RagRun]) -> None:
    """See that runs are what a captured file is known to hold."""
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

"""Calls of models that a second instrumentation has recorded once more, beside the run or in a trace of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from spanjudge.assembly.question import answer_of
from spanjudge.assembly.view import said_by
from spanjudge.dialects.facts import SIDE_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spanjudge.assembly.view import RunView


@dataclass(frozen=True, slots=True)
class Trail:
    """What is remembered of a run so that its duplicates are known."""

    trace_id: str
    start_ns: int
    end_ns: int
    scopes: frozenset[str]
    service: str
    texts: frozenset[str]


def trail_of(run: RunView) -> Trail:
    """Remember a run: when it was, who recorded its model calls, and what they said."""
    models = run.of_kind("llm")
    texts = {text for node in models if (text := said_by(node))}
    answer, _ = answer_of(run)
    return Trail(
        trace_id=run.root.span.trace_id,
        start_ns=run.root.span.start_ns,
        end_ns=run.root.span.end_ns,
        scopes=frozenset(node.span.scope for node in models or run.members),
        service=_service(run),
        texts=frozenset(texts | ({answer} if answer else set())),
    )


def is_duplicate(run: RunView, trails: Iterable[Trail]) -> bool:
    """Whether a run of loose spans only repeats what another run holds.

    It does where it holds nothing but model calls of another instrumentation, lies inside the other's interval in the
    same service, and says nothing that the other does not say. In another trace it must be a root, too.
    """
    if any(node.kind not in SIDE_KINDS and node.kind != "llm" for node in run.members):
        return False
    texts = {text for node in run.of_kind("llm") if (text := said_by(node))}
    scopes = {node.span.scope for node in run.of_kind("llm")}
    start = min(node.span.start_ns for node in run.tops)
    end = max(node.span.end_ns for node in run.tops)
    alone = all(node.span.parent_id is None for node in run.tops)
    return bool(texts) and any(
        trail.start_ns <= start
        and end <= trail.end_ns
        and trail.scopes.isdisjoint(scopes)
        and texts <= trail.texts
        and trail.service == _service(run)
        and (alone or trail.trace_id == run.root.span.trace_id)
        for trail in trails
    )


def _service(run: RunView) -> str:
    resource = run.root.span.resource
    return f"{resource.get('service.name')} {resource.get('service.instance.id')}"

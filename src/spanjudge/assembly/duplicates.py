"""Calls that are recorded once more, beside their run or in another trace: by a second instrumentation or process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spanjudge.assembly.contexts import contexts_of
from spanjudge.assembly.question import answer_of
from spanjudge.assembly.view import said_by
from spanjudge.dialects.facts import SIDE_KINDS, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spanjudge.assembly.view import RunView

_SEARCHES: Final[tuple[Kind, ...]] = ("retriever", "reranker")


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
    """Remember a run: when it was, who recorded its calls, what they said and what they found."""
    calls = run.of_kind("llm", *_SEARCHES)
    answer, _ = answer_of(run)
    found = contexts_of(run).documents or ()
    return Trail(
        trace_id=run.root.span.trace_id,
        start_ns=run.root.span.start_ns,
        end_ns=run.root.span.end_ns,
        scopes=frozenset(node.span.scope for node in calls or run.members),
        service=_service(run),
        texts=_texts(run).union([answer] if answer else (), (each.text for each in found if each.text)),
    )


def is_duplicate(run: RunView, trails: Iterable[Trail]) -> bool:
    """Whether a run of loose spans only repeats what another run holds.

    It does where it holds nothing but calls of models or searches, and says and finds nothing that the other does not.
    In the same service it must be of another instrumentation and inside the other's interval; in another service,
    whose clock may be another one, it must be in the same trace. In another trace it must be a root, too.
    """
    calls = run.of_kind("llm", *_SEARCHES)
    if not calls or any(node.kind not in (*SIDE_KINDS, "llm", *_SEARCHES, None) for node in run.members):
        return False
    texts = _texts(run)
    silent = not texts and all(node.kind in _SEARCHES and node.facts.documents is None for node in calls)
    alone = all(node.span.parent_id is None for node in run.tops)
    return any(
        (texts <= trail.texts if texts else silent and _shares(run, trail))
        and (_was_inside(run, trail) if trail.service == _service(run) else _shares(run, trail))
        and (alone or _shares(run, trail))
        for trail in trails
    )


def _was_inside(run: RunView, trail: Trail) -> bool:
    scopes = {node.span.scope for node in run.of_kind("llm", *_SEARCHES)}
    start = min(node.span.start_ns for node in run.tops)
    end = max(node.span.end_ns for node in run.tops)
    return trail.start_ns <= start and end <= trail.end_ns and trail.scopes.isdisjoint(scopes)


def _shares(run: RunView, trail: Trail) -> bool:
    return trail.trace_id == run.root.span.trace_id


def _texts(run: RunView) -> frozenset[str]:
    """All that models said and searches found."""
    said = (text for node in run.of_kind("llm") if (text := said_by(node)))
    found = (each.text for node in run.of_kind(*_SEARCHES) for each in node.facts.documents or () if each.text)
    return frozenset((*said, *found))


def _service(run: RunView) -> str:
    resource = run.root.span.resource
    return f"{resource.get('service.name')} {resource.get('service.instance.id')}"

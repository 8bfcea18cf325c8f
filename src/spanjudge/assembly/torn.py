"""Runs that have lost a span: its children name a parent that never came."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanjudge.assembly.tree import Forest, Node
    from spanjudge.assembly.view import RunView


def marked(wholes: Sequence[RunView], loose: Sequence[RunView], forest: Forest) -> tuple[list[RunView], list[RunView]]:
    """Mark the runs that a lost span may have been a part of.

    A span whose parent is not known may be a run under a span of another process, or of one that is not sampled: that
    is no loss. It is one where something else of the trace lasted around it, so that its parent should be there, and
    where different things lie side by side, so that their parent was no bare frame of equal runs.

    Args:
        wholes: The runs of the trace that have a root of their own.
        loose: Those of loose spans.
        forest: All its spans.
    """
    ids = {node.span.span_id for node in forest.nodes}
    tops = [node for node in forest.nodes if node.parent is None]
    orphans = [top for top in tops if _names_a_parent(top) and top.span.parent_id not in ids]
    if not orphans:
        return list(wholes), list(loose)
    loss = [orphan for orphan in orphans if any(_is_around(top, orphan) for top in tops)]
    views = (*wholes, *loose)
    places = {view: {_outermost(node) for node in view.members} for view in views}
    beside = _unlike(views, set(orphans).difference(loss))

    def checked(view: RunView) -> RunView:
        hit = view in beside or not places[view].isdisjoint(loss) or any(_may_hold(view, orphan) for orphan in loss)
        return replace(view, torn=True) if hit else view

    return [checked(view) for view in wholes], [checked(view) for view in loose]


def _names_a_parent(node: Node) -> bool:
    return node.span.parent_id is not None and not node.span.parent_is_remote


def _outermost(node: Node) -> Node:
    return next(reversed(list(node.above())), node)


def _is_around(outer: Node, inner: Node) -> bool:
    return (
        outer.span.start_ns <= inner.span.start_ns
        and inner.span.end_ns <= outer.span.end_ns
        and (outer.span.parent_id is None or outer.span.parent_id != inner.span.parent_id)
    )


def _may_hold(view: RunView, orphan: Node) -> bool:
    start = min(node.span.start_ns for node in view.tops)
    end = max(node.span.end_ns for node in view.tops)
    return (start <= orphan.span.start_ns and orphan.span.end_ns <= end) or len(view.tops) > 1


def _unlike(views: Sequence[RunView], orphans: set[Node]) -> set[RunView]:
    """Runs that lie beside others of other names under a parent that is not known: they may be steps of a lost run."""
    under: dict[str | None, list[tuple[RunView, Node]]] = {}
    for view in views:
        for top in view.tops:
            outermost = _outermost(top)
            if outermost in orphans:
                under.setdefault(outermost.span.parent_id, []).append((view, outermost))
    return {
        view
        for members in under.values()
        if len({view for view, _ in members}) > 1 and len({(top.span.name, top.span.scope) for _, top in members}) > 1
        for view, _ in members
    }

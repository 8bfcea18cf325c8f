"""Where a run begins and ends: its root, and the spans that belong to it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge.assembly.side_by_side import loose_runs, parent_key
from spanjudge.assembly.tree import Forest, Node, place
from spanjudge.assembly.view import RunView
from spanjudge.dialects.facts import SIDE_KINDS, Kind

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

# A span of one of these kinds, with nothing of a run above it, is a part of a run and not a run.
LOOSE_KINDS: Final[frozenset[Kind]] = SIDE_KINDS.union(("llm", "retriever", "reranker", "tool"))


def runs_in(forest: Forest) -> tuple[list[RunView], list[RunView]]:
    """Find the runs of a trace.

    A run is what lies under the outermost span that has a part in runs. Agents, chains and workflows are runs of their
    own. Calls of retrievers, tools and models that lie side by side under spans without content are one run, until
    the answer has been given and another question begins.

    Returns:
        The runs that have a root of their own, and those of loose spans.
    """
    tops = _tops(forest)
    parts = _parts(forest, tops)
    wholes = [
        RunView(tuple(forest.subtree(top)), (top,), top)
        for top in tops
        if top.kind not in LOOSE_KINDS and top not in parts
    ]
    loose = [top for top in tops if top.kind in LOOSE_KINDS or top in parts]
    return _surrounded(wholes, loose_runs(forest, loose))


def is_part(kind: Kind | None, below: Collection[Kind | None]) -> bool:
    """Whether a chain only fetches documents: for a model that was called beside it, if there is one."""
    return kind == "chain" and "retriever" in below and not {"llm", "agent"}.intersection(below)


def _parts(forest: Forest, tops: Sequence[Node]) -> set[Node]:
    beside = {parent_key(top) for top in tops if top.kind == "llm"}
    chains = [top for top in tops if top.kind == "chain" and parent_key(top) in beside]
    return {top for top in chains if is_part(top.kind, {node.kind for node in forest.subtree(top)})}


def _surrounded(wholes: list[RunView], loose: list[RunView]) -> tuple[list[RunView], list[RunView]]:
    """Give each run the spans around it that are its alone."""
    runs_below: Counter[Node] = Counter()
    for view in (*wholes, *loose):
        runs_below.update({node for top in view.tops for node in top.above()} - set(view.members))

    def surrounded(view: RunView) -> RunView:
        above = [node for node in view.root.above() if node.span.span_id not in view.ids]
        alone = tuple(node for node in above if runs_below[node] == 1 and node.span.end_ns)
        return replace(view, around=alone)

    return [surrounded(view) for view in wholes], [surrounded(view) for view in loose]


def _tops(forest: Forest) -> list[Node]:
    inside: set[str] = set()
    tops = []
    for node in _outside_in(forest):
        if node.parent is not None and node.parent.span.span_id in inside:
            inside.add(node.span.span_id)
        elif node.speaks:
            inside.add(node.span.span_id)
            tops.append(node)
    return sorted(tops, key=place)


def _outside_in(forest: Forest) -> list[Node]:
    """All nodes, each after its parent, whatever their clocks say."""
    ordered = [node for node in forest.nodes if node.parent is None]
    for node in ordered:
        ordered += forest.children.get(node.span.span_id, ())
    return ordered

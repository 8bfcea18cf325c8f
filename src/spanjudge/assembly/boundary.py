"""Where a run begins and ends: its root, and the spans that belong to it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge.assembly.adopting import adopted
from spanjudge.assembly.side_by_side import loose_runs, parent_key
from spanjudge.assembly.tree import Forest, Node, place
from spanjudge.assembly.view import RunView
from spanjudge.dialects.facts import SIDE_KINDS, WHOLE_KINDS, Kind
from spanjudge.dialects.reading import AS_IT_STANDS, Reading

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

# A span of one of these kinds, with nothing of a run above it, is a part of a run and not a run.
LOOSE_KINDS: Final[frozenset[Kind]] = SIDE_KINDS.union(("llm", "retriever", "reranker", "tool"))
# Dialects of those who put facts on their own spans.
BY_HAND: Final = frozenset({"plain", "recorded", "logfire"})


def runs_in(forest: Forest, reading: Reading = AS_IT_STANDS) -> tuple[list[RunView], list[RunView]]:
    """Find the runs of a trace.

    A run is what lies under the outermost span that has a part in runs. Agents, chains and workflows are runs of their
    own. Calls of retrievers, tools and models that lie side by side under spans without content are one run, until
    the answer has been given and another question begins.

    Args:
        forest: The spans of the trace.
        reading: How they are read.

    Returns:
        The runs that have a root of their own, and those of loose spans.
    """
    tops = _tops(forest)
    parts = _parts(forest, tops)
    loose = [top for top in tops if top in parts or (top.kind in LOOSE_KINDS and not _tells_of_whole(forest, top))]
    wholes = [RunView(tuple(forest.subtree(top)), (top,), top, reading=reading) for top in tops if top not in loose]
    wholes, loose = adopted(wholes, loose, forest)
    views = [replace(view, reading=reading) for view in loose_runs(forest, loose)]
    return _surrounded([view for view in wholes if _is_run(view)], views)


def _tells_of_whole(forest: Forest, top: Node) -> bool:
    """Whether the application has put the contexts of a whole call on its own span, around the call of the model."""
    if top.kind != "retriever" or not BY_HAND.issuperset(top.facts.dialects):
        return False
    return any(node.kind == "llm" or node.kind in WHOLE_KINDS for node in forest.subtree(top))


def _is_run(view: RunView) -> bool:
    """Whether spans that people have marked themselves tell enough to be a run: two of question, contexts, answer."""
    if any(node.kind is not None or not BY_HAND.issuperset(node.facts.dialects) for node in view.members):
        return True
    told = [node.facts for node in view.members]
    question = any(facts.query or facts.input is not None or facts.input_messages for facts in told)
    answer = any(facts.answer or facts.output is not None or facts.output_messages for facts in told)
    return question + answer + any(facts.documents is not None for facts in told) > 1


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

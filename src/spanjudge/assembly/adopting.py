"""Searches that hang beside the run which made them: not every instrumentation sets the context of its spans."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge.assembly.contexts import contexts_of
from spanjudge.assembly.tree import place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanjudge.assembly.tree import Forest, Node
    from spanjudge.assembly.view import RunView
    from spanjudge.dialects.facts import Kind

_SEARCHES: Final[frozenset[Kind | None]] = frozenset({"retriever", "reranker", "embedding", None})


def adopted(wholes: Sequence[RunView], loose: Sequence[Node], forest: Forest) -> tuple[list[RunView], list[Node]]:
    """Give searches to the one run around them in time that has no contexts of its own.

    Args:
        wholes: Runs with a root of their own.
        loose: Spans that lie beside them.
        forest: The spans of the trace.

    Returns:
        The runs, with what was given to them, and the loose spans that are left.
    """
    given: dict[Node, list[Node]] = {}
    for top in loose:
        members = forest.subtree(top)
        if any(node.kind not in _SEARCHES for node in members):
            continue
        if not any(node.kind in ("retriever", "reranker") and node.facts.documents for node in members):
            continue
        around = [view for view in wholes if _is_around(view.root, top)]
        if len(around) == 1 and around[0].models and contexts_of(around[0]).documents is None:
            given.setdefault(around[0].root, []).append(top)
    taken = {top for tops in given.values() for top in tops}
    return [_with(view, given.get(view.root, ()), forest) for view in wholes], [
        top for top in loose if top not in taken
    ]


def _is_around(root: Node, top: Node) -> bool:
    """Whether a run lasted while a search beside it was made, by another instrumentation under the same roof."""
    over = set(top.above())
    return (
        root.span.start_ns <= top.span.start_ns
        and top.span.end_ns <= root.span.end_ns
        and root.span.scope != top.span.scope
        and (over.issuperset(root.above()) or not over)
    )


def _with(view: RunView, tops: Sequence[Node], forest: Forest) -> RunView:
    if not tops:
        return view
    more = [node for top in tops for node in forest.subtree(top)]
    return replace(view, members=tuple(sorted((*view.members, *more), key=place)))

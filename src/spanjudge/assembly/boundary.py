"""Where a run begins and ends: its root, and the spans that belong to it."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from spanjudge.assembly.tree import Forest, Node, place
from spanjudge.assembly.view import RunView, calls_tools, said_by
from spanjudge.dialects.documents import documents_in
from spanjudge.dialects.facts import SIDE_KINDS, Kind
from spanjudge.dialects.messages import last_text, this_turn

if TYPE_CHECKING:
    from collections.abc import Sequence

# A span of one of these kinds, with nothing of a run above it, is a part of a run and not a run.
LOOSE_KINDS: Final[frozenset[Kind]] = SIDE_KINDS.union(("llm", "retriever", "reranker", "tool"))


@dataclass(eq=False)
class _Loose:
    """Spans that lie side by side and may be one run."""

    tops: list[Node]
    members: list[Node]
    answers: bool = False
    has_context: bool = False
    question: str | None = None
    searches: frozenset[str] = field(default_factory=frozenset)

    @property
    def order(self) -> tuple[int, int]:
        return place(self.tops[0])

    @property
    def finished(self) -> bool:
        return self.answers and self.has_context

    def absorb(self, other: _Loose) -> None:
        self.tops = sorted(self.tops + other.tops, key=place)
        self.members += other.members
        self.answers |= other.answers
        self.has_context |= other.has_context
        self.question = self.question or other.question
        self.searches |= other.searches


def runs_in(forest: Forest) -> tuple[list[RunView], list[RunView]]:
    """Find the runs of a trace.

    A run is what lies under the outermost span that has a part in runs. Agents, chains and workflows are runs of their
    own. Calls of retrievers, tools and models that lie side by side under spans without content are one run, until
    the answer has been given and another question begins.

    Returns:
        The runs that have a root of their own, and those of loose spans.
    """
    tops = _tops(forest)
    wholes = [RunView(tuple(forest.subtree(top)), (top,), top) for top in tops if top.kind not in LOOSE_KINDS]
    loose = [top for top in tops if top.kind in LOOSE_KINDS]
    groups = _grouped(forest, loose) if loose else []
    sides = [_view(group) for group in groups if any(top.kind not in SIDE_KINDS for top in group.members)]
    return _surrounded(wholes, sides)


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


def _grouped(forest: Forest, tops: Sequence[Node]) -> list[_Loose]:
    """Join loose spans from the inside out: what is one run under an inner span never joins what lies beside it."""
    waiting: defaultdict[str, list[_Loose]] = defaultdict(list)
    depth: dict[str, int] = {}
    parents: dict[str, Node] = {}
    for top in tops:
        above = list(top.above())
        waiting[_parent_key(top)].append(_loose(forest, top))
        for distance, node in enumerate(above):
            depth[node.span.span_id] = len(above) - distance
            parents[node.span.span_id] = node
    done: list[_Loose] = []
    for key in sorted(depth, key=lambda each: -depth[each]):
        groups = _folded(waiting.pop(key, []))
        done += [group for group in groups if group.finished]
        waiting[_parent_key(parents[key])] += [group for group in groups if not group.finished]
    for rest in waiting.values():
        done += _folded(rest)
    return sorted(done, key=lambda group: group.order)


def _parent_key(node: Node) -> str:
    return node.parent.span.span_id if node.parent is not None else f"missing {node.span.parent_id}"


def _folded(items: list[_Loose]) -> list[_Loose]:
    """Join what lies side by side: by question where each search tells whose it is, else in the order of time."""
    claimed = _claimed(items)
    if claimed is not None:
        return claimed
    done: list[_Loose] = []
    current: _Loose | None = None
    for item in sorted(items, key=lambda each: each.order):
        if current is None:
            current = item
        elif current.finished and _begins_anew(item, current):
            done.append(current)
            current = item
        else:
            current.absorb(item)
    return [*done, current] if current else done


def _claimed(items: list[_Loose]) -> list[_Loose] | None:
    """Give each search to the model call whose question it is; None unless there are several and all are told apart."""
    askers = {item.question: item for item in items if item.answers and item.question}
    searches = [item for item in items if not item.answers]
    if len(askers) <= 1 or len(askers) + len(searches) != len(items):
        return None
    owners = [[asker for question, asker in askers.items() if _asks_for(question, item)] for item in searches]
    if not searches or any(len(each) != 1 for each in owners):
        return None
    for item, (owner,) in zip(searches, owners, strict=True):
        owner.absorb(item)
    return sorted(askers.values(), key=lambda group: group.order)


def _asks_for(question: str | None, search: _Loose) -> bool:
    return bool(question and search.searches) and all(query in (question or "") for query in search.searches)


def _begins_anew(item: _Loose, current: _Loose) -> bool:
    return item.has_context or (item.question is not None and item.question != current.question)


def _loose(forest: Forest, top: Node) -> _Loose:
    members = forest.subtree(top)
    models = [node for node in members if node.kind == "llm"]
    return _Loose(
        tops=[top],
        members=members,
        answers=any(said_by(node) and not calls_tools(node) for node in models),
        has_context=any(_brings_context(node) for node in members),
        searches=frozenset(
            node.facts.query for node in members if node.kind in ("retriever", "reranker") and node.facts.query
        ),
        question=next((said for node in models if (said := last_text(node.facts.input_messages, "user"))), None),
    )


def _brings_context(node: Node) -> bool:
    if node.kind in ("retriever", "reranker", "tool"):
        return True
    if node.kind != "llm":
        return False
    spoken = (*this_turn(node.facts.input_messages), *node.facts.output_messages)
    return any(
        call.state == "result" and documents_in(call.result) is not None
        for message in spoken
        for call in message.tool_invocations
    )


def _view(group: _Loose) -> RunView:
    """A loose run is about the model call that gives its answer, else its last call of a model, else its first span."""
    members = tuple(sorted(group.members, key=place))
    tops = tuple(sorted(group.tops, key=place))
    view = RunView(members, tops, tops[0])
    speaker = view.speaker or (view.models[-1] if view.models else None)
    if speaker is None:
        return RunView(members, tops, next(node for node in tops if node.kind not in SIDE_KINDS or len(tops) == 1))
    outermost = next((node for node in tops if node is speaker or node in speaker.above()), speaker)
    return RunView(members, tops, outermost if outermost.kind == "llm" else speaker)

"""Calls of retrievers, tools and models that lie side by side: which of them make one run."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from spanjudge.assembly.tree import Forest, Node, place
from spanjudge.assembly.view import RunView, calls_tools, said_by
from spanjudge.dialects.documents import documents_in
from spanjudge.dialects.facts import SIDE_KINDS
from spanjudge.dialects.messages import last_text, this_turn

if TYPE_CHECKING:
    from collections.abc import Sequence


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


def loose_runs(forest: Forest, tops: Sequence[Node]) -> list[RunView]:
    """Find the runs that loose spans make; what holds nothing but embeddings, prompts and the like is none."""
    groups = _grouped(forest, tops) if tops else []
    return [_view(group) for group in groups if any(node.kind not in SIDE_KINDS for node in group.members)]


def _grouped(forest: Forest, tops: Sequence[Node]) -> list[_Loose]:
    """Join loose spans from the inside out: what is one run under an inner span never joins what lies beside it."""
    waiting: defaultdict[str, list[_Loose]] = defaultdict(list)
    depth: dict[str, int] = {}
    parents: dict[str, Node] = {}
    for top in tops:
        above = list(top.above())
        waiting[parent_key(top)].append(_loose(forest, top))
        for distance, node in enumerate(above):
            depth[node.span.span_id] = len(above) - distance
            parents[node.span.span_id] = node
    done: list[_Loose] = []
    for key in sorted(depth, key=lambda each: -depth[each]):
        groups = _folded(waiting.pop(key, []))
        done += [group for group in groups if group.finished]
        waiting[parent_key(parents[key])] += [group for group in groups if not group.finished]
    for rest in waiting.values():
        done += _folded(rest)
    return sorted(done, key=lambda group: group.order)


def parent_key(node: Node) -> str:
    """What a span lies under: its parent, or what stands for one that is not known."""
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
        return RunView(members, tops, next((node for node in tops if node.kind not in SIDE_KINDS), tops[0]))
    outermost = next((node for node in tops if node is speaker or node in speaker.above()), speaker)
    return RunView(members, tops, outermost if outermost.kind == "llm" else speaker)

"""The spans of one run, and the questions that are asked of them again and again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from spanjudge.dialects.messages import last_text
from spanjudge.dialects.reading import AS_IT_STANDS, Reading
from spanjudge.dialects.texts import answered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanjudge.assembly.tree import Node
    from spanjudge.dialects.facts import Kind


@dataclass(frozen=True, eq=False)
class RunView:
    """All spans of a run in the order of their starts, and its root: the span that the scores are about.

    ``around`` are ended spans above it that have no part in runs and stand above no other run. ``torn``: a span that
    may have been a part of it never came.
    """

    members: tuple[Node, ...]
    tops: tuple[Node, ...]
    root: Node
    around: tuple[Node, ...] = ()
    reading: Reading = AS_IT_STANDS
    torn: bool = False

    @cached_property
    def ids(self) -> frozenset[str]:
        """Ids of all spans."""
        return frozenset(node.span.span_id for node in self.members)

    def of_kind(self, *kinds: Kind) -> list[Node]:
        """Members that do one of these things, in the order of their starts."""
        return [node for node in self.members if node.kind in kinds]

    def above(self, node: Node) -> Iterator[Node]:
        """Ancestors of a member that are members, nearest first."""
        return (each for each in node.above() if each.span.span_id in self.ids)

    @cached_property
    def kinds_below(self) -> dict[str, set[Kind]]:
        """What is done below each member, by its id."""
        found: dict[str, set[Kind]] = {}
        for node in self.members:
            if node.kind is None:
                continue
            for outer in self.above(node):
                known = found.setdefault(outer.span.span_id, set())
                if node.kind in known:
                    break
                known.add(node.kind)
        return found

    def holds(self, node: Node, *kinds: Kind) -> bool:
        """Whether one of these things is done below a member."""
        return not self.kinds_below.get(node.span.span_id, set()).isdisjoint(kinds)

    def outermost(self, nodes: list[Node]) -> list[Node]:
        """Those of some members that stand inside none of the others."""
        chosen = set(nodes)
        return [node for node in nodes if not chosen.intersection(self.above(node))]

    @cached_property
    def models(self) -> list[Node]:
        """Calls of models, in the order of their ends."""
        return sorted(self.of_kind("llm"), key=lambda node: node.span.end_ns)

    @cached_property
    def speaker(self) -> Node | None:
        """The model call that gives the answer: the last with a text; one that does not call tools, if there is one."""
        spoken = [node for node in self.models if said_by(node)]
        final = [node for node in spoken if not calls_tools(node)]
        chosen = final or spoken
        return chosen[-1] if chosen else None


def said_by(node: Node) -> str | None:
    """What a model said in words."""
    facts = node.facts
    if facts.output_messages:
        return last_text(facts.output_messages, "assistant")
    return answered(facts.output)


def calls_tools(node: Node) -> bool:
    """Whether a model's output asks for tools that someone has yet to run."""
    return any(call.state == "call" for message in node.facts.output_messages for call in message.tool_invocations)


def failed(node: Node) -> bool:
    """Whether a step failed, by the status of its span or by its content."""
    return node.span.error or node.facts.failed

"""The spans of one trace as a forest that no hostile input can turn into a loop."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from spanjudge.assembly.slim import slim
from spanjudge.dialects.registry import is_own, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spanjudge.dialects.facts import Facts, Kind
    from spanjudge.dialects.plain_mapping import PlainMapping
    from spanjudge.sources.record import SpanRecord


@dataclass(frozen=True, eq=False)
class Node:
    """A span at its place. ``parent`` is None where the parent is unknown, or would close a loop."""

    span: SpanRecord
    parent: Node | None
    mapping: PlainMapping | None = None

    @cached_property
    def facts(self) -> Facts:
        """What the span says, decoded when it is first asked for."""
        return read(self.span, self.mapping)

    @property
    def kind(self) -> Kind | None:
        """What the span does."""
        return self.facts.kind

    @property
    def speaks(self) -> bool:
        """Whether the span has a part in a run: by kind or by content."""
        return self.facts.kind is not None or self.facts.content

    def above(self) -> Iterator[Node]:
        """Ancestors, nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent


@dataclass(frozen=True, eq=False)
class Forest:
    """All spans of one trace, parents before children, in the order of their starts."""

    nodes: tuple[Node, ...]
    children: dict[str, list[Node]]

    def subtree(self, top: Node) -> list[Node]:
        """A node and all below it, in the order of their starts."""
        found, waiting = [], [top]
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting += self.children.get(node.span.span_id, ())
        return sorted(found, key=place)


def place(node: Node) -> tuple[int, int]:
    """Sort by start; of those that start together, the one that lasts longer is the outer one."""
    return node.span.start_ns, -node.span.end_ns


def forest_of(spans: Sequence[SpanRecord], mapping: PlainMapping | None = None) -> Forest:
    """Build the forest of one trace; spans that tell of judging are left out with all below them.

    Args:
        spans: Spans of one trace, in any order.
        mapping: Where facts stand in attributes of the user's own.
    """
    by_id = _latest(spans)
    below: defaultdict[str | None, list[SpanRecord]] = defaultdict(list)
    for span in by_id.values():
        below[span.parent_id if span.parent_id in by_id else None].append(span)
    nodes: dict[str, Node] = {}
    for start in _starts(by_id, below):
        waiting: list[tuple[SpanRecord, Node | None]] = [(start, None)]
        while waiting:
            span, parent = waiting.pop()
            if span.span_id in nodes or is_own(span):
                continue
            node = nodes[span.span_id] = Node(slim(span), parent, mapping)
            waiting += [(child, node) for child in below.get(span.span_id, ())]
    children: dict[str, list[Node]] = {}
    for node in nodes.values():
        if node.parent is not None:
            children.setdefault(node.parent.span.span_id, []).append(node)
    return Forest(tuple(sorted(nodes.values(), key=place)), children)


def _latest(spans: Iterable[SpanRecord]) -> dict[str, SpanRecord]:
    """Of spans with the same id keep the one that ended last: the others are shadows written while it ran."""
    by_id: dict[str, SpanRecord] = {}
    for span in spans:
        known = by_id.get(span.span_id)
        if known is None or span.end_ns > known.end_ns:
            by_id[span.span_id] = span
    return by_id


def _starts(by_id: dict[str, SpanRecord], below: dict[str | None, list[SpanRecord]]) -> Iterator[SpanRecord]:
    """Spans without a known parent; then one of each loop, which no root leads to."""
    seen: set[str] = set()
    for span in [*below[None], *by_id.values()]:
        if span.span_id in seen:
            continue
        yield span
        waiting = [span]
        while waiting:
            current = waiting.pop()
            if current.span_id not in seen:
                seen.add(current.span_id)
                waiting += below.get(current.span_id, ())

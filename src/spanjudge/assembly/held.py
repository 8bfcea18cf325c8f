"""Spans that are held while their run is open."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from spanjudge import semconv
from spanjudge.assembly.boundary import LOOSE_KINDS
from spanjudge.dialects.facts import SIDE_KINDS

if TYPE_CHECKING:
    from spanjudge.dialects.facts import Kind
    from spanjudge.sources.record import SpanRecord


@dataclass(slots=True)
class Held:
    """A span that is held. ``rag``: it has a part in a run; ``spent``: a run below it has been given out."""

    span: SpanRecord
    open: bool
    rag: bool
    kind: Kind | None
    since: float
    touched: float
    bytes: int
    spent: bool = False

    def spend(self) -> None:
        """Note that a run below has been given out, and with it the reference that stood here for it."""
        self.spent = True
        if not self.rag and semconv.GROUND_TRUTH in self.span.attributes:
            kept = {key: value for key, value in self.span.attributes.items() if key != semconv.GROUND_TRUTH}
            self.span = replace(self.span, attributes=kept)

    @property
    def loose(self) -> bool:
        """Whether it is a part of a run rather than one; what is not known yet counts as one."""
        return self.kind in LOOSE_KINDS


@dataclass(slots=True)
class Group:
    """Spans that close together; ``whole``: they are a run with a root of its own."""

    tops: list[Held] = field(default_factory=list)
    members: list[Held] = field(default_factory=list)
    whole: bool = False

    @property
    def over(self) -> bool:
        """Whether the spans that make it a run have ended."""
        return not any(top.open for top in self.tops) and (
            self.whole or not any(m.open and m.rag for m in self.members)
        )

    @property
    def since(self) -> float:
        """When its first span came."""
        return min(held.since for held in self.members)

    @property
    def touched(self) -> float:
        """When a span of it started or ended last."""
        return max(held.touched for held in self.members)

    @property
    def start_ns(self) -> int:
        """When it began, by its own clock."""
        return min(top.span.start_ns for top in self.tops)

    @property
    def end_ns(self) -> int:
        """When it ended, by its own clock; 0 while it runs."""
        return 0 if any(top.open for top in self.tops) else max(top.span.end_ns for top in self.tops)

    @property
    def stray(self) -> bool:
        """Whether it holds nothing but model calls without any parent, as a second instrumentation may leave them."""
        return all(top.span.parent_id is None and (top.kind == "llm" or top.kind in SIDE_KINDS) for top in self.tops)

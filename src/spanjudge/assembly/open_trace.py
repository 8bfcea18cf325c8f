"""One trace while its spans come in: which of them belong together, and which are over."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge import semconv
from spanjudge.assembly.boundary import is_part
from spanjudge.assembly.held import Group, Held
from spanjudge.assembly.size import BARE, size_of
from spanjudge.assembly.slim import slim
from spanjudge.dialects.reading import AS_IT_STANDS, Reading
from spanjudge.dialects.registry import is_rag, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanjudge.dialects.facts import Kind
    from spanjudge.sources.record import LogPart, SpanRecord

_CONTEXT_KINDS: Final[frozenset[Kind]] = frozenset({"retriever", "reranker", "tool"})


class OpenTrace:
    """The spans of one trace that no run has taken yet."""

    def __init__(self, trace_id: str, now: float, reading: Reading = AS_IT_STANDS) -> None:
        self.trace_id = trace_id
        self.since = now
        self.touched = now
        self.bytes = 0
        self.rag = 0
        self.running = 0
        self.scheduled: float | None = None
        self._reading = reading
        self._held: dict[str, Held] = {}
        self._children: dict[str | None, int] = {}

    def __len__(self) -> int:
        return len(self._held)

    def get(self, span_id: str | None) -> Held | None:
        """Return a span that is held."""
        return self._held.get(span_id) if span_id else None

    def spans(self) -> list[SpanRecord]:
        """All spans that are held."""
        return [held.span for held in self._held.values()]

    def may_be_part(self, group: Group) -> bool:
        """Whether a group may belong to another: it is loose, or names a parent of this process that is not known."""
        top = group.tops[0].span
        return not group.whole or not (top.parent_id is None or top.parent_is_remote or top.parent_id in self._held)

    @property
    def idle(self) -> bool:
        """Whether nothing of it can become a run, or is still going on."""
        return not self.rag and not self.running

    def put(self, span: SpanRecord, *, is_open: bool, now: float, keep_bare: bool) -> Held | None:
        """Hold a span that started or ended.

        Args:
            span: The span.
            is_open: Whether it has only started.
            now: Seconds on the caller's clock.
            keep_bare: Whether to hold an ended span that has no part in a run and nothing below it, because its
                children may come later.

        Returns:
            What is held, None where the span is not worth holding.
        """
        known = self._held.get(span.span_id)
        if known is not None:
            if is_open or (not known.open and known.span.end_ns >= span.end_ns):
                return known
            self.take([known])
            span = replace(span, logs=known.span.logs + span.logs)
        rag = is_rag(span, self._reading.plain)
        worth = is_open or rag or keep_bare or self._children.get(span.span_id) or self.top_of(span.parent_id)
        if not worth:
            self._let_go_upward(span.parent_id)
            return None
        kept = slim(span) if rag else self._light(span)
        held = Held(
            span=kept,
            open=is_open,
            rag=rag,
            kind=kind_of(span, self._reading.plain),
            since=known.since if known else now,
            touched=now,
            bytes=size_of(kept) if rag else BARE,
            spent=known.spent if known else False,
        )
        self._hold(held)
        return held

    def _hold(self, held: Held) -> None:
        parent_id = held.span.parent_id
        self._held[held.span.span_id] = held
        self._children[parent_id] = self._children.get(parent_id, 0) + 1
        self.bytes += held.bytes
        self.rag += held.rag
        self.running += held.open
        self.touched = held.touched

    def add_log(self, span_id: str, part: LogPart, now: float) -> bool:
        """Join a log record to its span; False where the span is not held."""
        held = self._held.get(span_id)
        if held is None:
            return False
        span = replace(held.span, logs=(*held.span.logs, part))
        self.take([held])
        mapping = self._reading.plain
        rag = held.rag or is_rag(span, mapping)
        self._hold(replace(held, span=span, rag=rag, kind=kind_of(span, mapping), touched=now, bytes=size_of(span)))
        return True

    def take(self, members: list[Held]) -> None:
        """Let go of spans."""
        for held in members:
            if self._held.pop(held.span.span_id, None) is None:
                continue
            left = self._children.get(held.span.parent_id, 0) - 1
            if left > 0:
                self._children[held.span.parent_id] = left
            else:
                self._children.pop(held.span.parent_id, None)
            self.bytes -= held.bytes
            self.rag -= held.rag
            self.running -= held.open

    def prune(self, before: float) -> None:
        """Let go of spans that have no part in any run and nothing below them: of ended ones, and of very old ones."""
        for held in list(self._held.values()):
            if held.open and held.since < before and not held.rag and not self._children.get(held.span.span_id):
                self.take([held])
                self._let_go_upward(held.span.parent_id)
            elif not held.open:
                self._let_go_upward(held.span.span_id)

    def _let_go_upward(self, span_id: str | None) -> None:
        while span_id and (held := self._held.get(span_id)):
            if held.open or held.rag or self._children.get(span_id) or self.top_of(held.span.parent_id):
                return
            self.take([held])
            span_id = held.span.parent_id

    def above(self, span_id: str | None) -> Iterator[Held]:
        """A span that is held and its ancestors, nearest first."""
        seen: set[str] = set()
        while span_id is not None and span_id not in seen and (held := self._held.get(span_id)):
            seen.add(span_id)
            yield held
            span_id = held.span.parent_id

    def top_of(self, span_id: str | None) -> Held | None:
        """The outermost span with a part in a run that stands above a span, or is it."""
        top = None
        for held in self.above(span_id):
            top = held if held.rag else top
        return top

    def groups(self) -> list[Group]:
        """Sort the spans into what closes together: those with a root of their own first."""
        by_top: dict[str, Group] = {}
        tops: dict[str, Held | None] = {}
        for held in self._held.values():
            top = self._top(held, tops)
            if top is not None:
                by_top.setdefault(top.span.span_id, Group([top], whole=not top.loose)).members.append(held)
        beside = {group.tops[0].span.parent_id for group in by_top.values() if group.tops[0].kind == "llm"}
        for group in by_top.values():
            top = group.tops[0]
            if top.kind == "chain" and top.span.parent_id in beside:
                group.whole = not is_part(top.kind, {held.kind for held in group.members})
        wholes = [group for group in by_top.values() if group.whole]
        return wholes + self._side_by_side([group for group in by_top.values() if not group.whole])

    def _top(self, held: Held, known: dict[str, Held | None]) -> Held | None:
        """As ``top_of``, with what is known of others on the way."""
        way: list[Held] = []
        top: Held | None = None
        for each in self.above(held.span.span_id):
            if each.span.span_id in known:
                top = known[each.span.span_id]
                break
            way.append(each)
        for each in reversed(way):
            top = top or (each if each.rag else None)
            known[each.span.span_id] = top
        return top

    def _side_by_side(self, groups: list[Group]) -> list[Group]:
        """Join loose spans under the nearest span below which are both a model call and something that it may read."""
        kinds: defaultdict[str, set[Kind | None]] = defaultdict(set)
        for group in groups:
            for key in self._places(group.tops[0]):
                kinds[key] |= {held.kind for held in group.members}
        joined: dict[str, Group] = {}
        for group in groups:
            *inner, outermost = self._places(group.tops[0])
            key = next((key for key in inner if "llm" in kinds[key] and kinds[key] & _CONTEXT_KINDS), outermost)
            into = joined.setdefault(key, Group())
            into.tops += group.tops
            into.members += group.members
        return list(joined.values())

    def _places(self, top: Held) -> list[str]:
        """Ids of the spans around a loose one, nearest first, or what stands for them where they are not known."""
        ids = [held.span.span_id for held in self.above(top.span.parent_id)]
        return ids or [top.span.parent_id or top.span.span_id]

    def _light(self, span: SpanRecord) -> SpanRecord:
        """Keep of a span without a part in a run its place, the reference that someone left on it, what is wanted."""
        wanted = self._reading.keep_attributes
        kept = {key: value for key, value in span.attributes.items() if key == semconv.GROUND_TRUTH or key in wanted}
        return replace(span, attributes=kept, events=(), logs=(), resource={})

"""Where spans and what is kept beside them cross to the worker's thread: bounded, lock-free, told of every loss."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from opentelemetry.sdk.trace import ReadableSpan

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanjudge.sources.beside import Beside

Waiting: TypeAlias = "ReadableSpan | Beside"

MOST_LOST_TRACES: Final = 50_000


@dataclass(frozen=True, slots=True)
class Losses:
    """What was lost since the inbox was last asked.

    ``traces`` are the ids of traces that lost something, ``items`` the number of spans and records lost, ``roots`` the
    number of ended local roots among them. ``unnamed`` and ``unnamed_roots`` are those whose traces were too many to
    be named.
    """

    traces: tuple[int, ...] = ()
    items: int = 0
    roots: int = 0
    unnamed: int = 0
    unnamed_roots: int = 0


class Inbox:
    """Spans that wait for the worker.

    The application's thread does one comparison and one append: ``if len(inbox.spans) < inbox.room``. Anything
    else (the first span, a crowded or full inbox, a closed one) takes the slow way through :meth:`crowded`.

    Args:
        capacity: Spans that may wait.
        wake: Called when the inbox is crowded, and when the first span comes; False where nobody will ever read.
    """

    __slots__ = (
        "_capacity",
        "_lost",
        "_lost_items",
        "_lost_roots",
        "_unnamed",
        "_unnamed_roots",
        "_wake",
        "room",
        "spans",
    )

    def __init__(self, capacity: int, wake: Callable[[], bool]) -> None:
        self._capacity = capacity
        self._wake = wake
        self._lost: dict[int, None] = {}
        self._lost_items = self._lost_roots = self._unnamed = self._unnamed_roots = 0
        self.spans: deque[Waiting] = deque()
        self.room = 0

    def open(self) -> None:
        """Let spans in without waking anybody until the inbox is half full."""
        self.room = max(1, self._capacity // 2)

    def close(self) -> None:
        """Send every span the slow way."""
        self.room = 0

    def crowded(self, span: Waiting, trace_id: int) -> None:
        """Take a span, or what is beside one, in; or note that its trace has lost something."""
        reader = self._wake()
        if reader and len(self.spans) < self._capacity:
            self.spans.append(span)
        else:
            self._lose(span, trace_id)

    def take(self, most: int) -> list[Waiting]:
        """Take up to ``most`` spans out, oldest first."""
        popleft = self.spans.popleft
        return [popleft() for _ in range(min(most, len(self.spans)))]

    def take_losses(self) -> Losses:
        """Return what was lost since the last call."""
        if not self._lost_items:
            return Losses()
        losses = Losses(tuple(self._lost), self._lost_items, self._lost_roots, self._unnamed, self._unnamed_roots)
        self._forget_losses()
        return losses

    def clear(self) -> None:
        """Forget all, as a forked child must: the spans are the parent's."""
        self.spans.clear()
        self._forget_losses()

    def _forget_losses(self) -> None:
        self._lost = {}
        self._lost_items = self._lost_roots = self._unnamed = self._unnamed_roots = 0

    def _lose(self, item: Waiting, trace_id: int) -> None:
        self._lost_items += 1
        root = _is_ended_root(item)
        self._lost_roots += root
        if trace_id in self._lost or len(self._lost) < MOST_LOST_TRACES:
            self._lost[trace_id] = None
        else:
            self._unnamed += 1
            self._unnamed_roots += root


def _is_ended_root(item: Waiting) -> bool:
    if not isinstance(item, ReadableSpan) or item.end_time is None:
        return False
    return item.parent is None or item.parent.is_remote

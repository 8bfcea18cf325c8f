"""Where spans and what is kept beside them cross to the worker's thread: bounded, lock-free, told of every loss."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from opentelemetry.sdk.trace import ReadableSpan

    from spanjudge.sources.beside import Beside

Waiting: TypeAlias = "ReadableSpan | Beside"

MOST_LOST_TRACES: Final = 10_000


class Inbox:
    """Spans that wait for the worker.

    The application's thread does one comparison and one append: ``if len(inbox.spans) < inbox.room``. Anything
    else (the first span, a crowded or full inbox, a closed one) takes the slow way through :meth:`crowded`.

    Args:
        capacity: Spans that may wait.
        wake: Called when the inbox is crowded, and when the first span comes; False where nobody will ever read.
    """

    __slots__ = ("_capacity", "_lost", "_lost_spans", "_wake", "everything_spoiled", "room", "spans")

    def __init__(self, capacity: int, wake: Callable[[], bool]) -> None:
        self._capacity = capacity
        self._wake = wake
        self._lost: dict[int, None] = {}
        self._lost_spans = 0
        self.spans: deque[Waiting] = deque()
        self.room = 0
        self.everything_spoiled = False

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
            self._lose(trace_id)

    def take(self, most: int) -> list[Waiting]:
        """Take up to ``most`` spans out, oldest first."""
        popleft = self.spans.popleft
        return [popleft() for _ in range(min(most, len(self.spans)))]

    def take_lost(self) -> tuple[list[int], int]:
        """Return the traces that lost spans since the last call, and how many spans were lost."""
        lost, self._lost = self._lost, {}
        spans, self._lost_spans = self._lost_spans, 0
        return list(lost), spans

    def clear(self) -> None:
        """Forget all, as a forked child must: the spans are the parent's."""
        self.spans.clear()
        self._lost = {}
        self._lost_spans = 0
        self.everything_spoiled = False

    def _lose(self, trace_id: int) -> None:
        self._lost_spans += 1
        if len(self._lost) < MOST_LOST_TRACES:
            self._lost[trace_id] = None
        else:
            self.everything_spoiled = True

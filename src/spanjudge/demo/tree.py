"""One trace as a tree on the terminal: where the evaluations sit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.markup import escape
from rich.tree import Tree

from spanjudge import semconv

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opentelemetry.sdk.trace import ReadableSpan

_SHOWN: Final = (semconv.SCORE_VALUE, semconv.SCORE_LABEL, semconv.EXPLANATION)
_MOST_CHARS: Final = 110


def trace_tree(trace_id: int, spans: Iterable[ReadableSpan]) -> Tree:
    """Draw one trace; evaluation spans show score and reason.

    Args:
        trace_id: The trace.
        spans: Ended spans of any traces.
    """
    own = [span for span in spans if span.context is not None and span.context.trace_id == trace_id]
    own.sort(key=lambda span: span.start_time or 0)
    tree = Tree(f"[dim]trace {trace_id:032x}[/]")
    _grow(tree, None, own)
    return tree


def _grow(branch: Tree, parent: int | None, spans: list[ReadableSpan]) -> None:
    for span in spans:
        above = span.parent.span_id if span.parent else None
        if above == parent and span.context is not None:
            _grow(branch.add(_line(span)), span.context.span_id, spans)


def _line(span: ReadableSpan) -> str:
    attributes = span.attributes or {}
    kind = escape(str(attributes.get(semconv.OPENINFERENCE_KIND, "")))
    took = ((span.end_time or 0) - (span.start_time or 0)) / 1e6
    head = f"[bold]{escape(span.name)}[/] [cyan]{kind}[/] [dim]{took:.1f} ms[/]"
    if semconv.SCORE_VALUE not in attributes:
        return head
    score, label, reason = (attributes.get(name, "") for name in _SHOWN)
    return f"{head}  [bold]{score:.2f}[/] {escape(str(label))}\n{escape(short(str(reason)))}"


def short(text: str, most: int = _MOST_CHARS) -> str:
    """Put a text on one line of bounded length.

    >>> short("one   two three", 8)
    'one two…'
    """
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"

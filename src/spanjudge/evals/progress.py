"""A progress bar where somebody is there to see it."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO


@contextmanager
def progress_bar(
    total: int, *, wanted: bool | None = None, stream: TextIO | None = None
) -> Iterator[Callable[[], None]]:
    """Give a function to call when an item is done.

    Args:
        total: How many items there are.
        wanted: Whether to show a bar; None: where the stream is a terminal.
        stream: Where to write; default: standard error.
    """
    out = stream or sys.stderr
    if not (out.isatty() if wanted is None else wanted):
        yield _nothing
        return
    # rich is loaded for a bar alone.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("Scoring"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=out), transient=wanted is None) as bar:
        task = bar.add_task("Scoring", total=total)
        yield lambda: bar.advance(task)


def _nothing() -> None:
    """Show nothing."""

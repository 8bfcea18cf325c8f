"""``spanjudge demo``: the main job in one go, without key and network."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from spanjudge.errors import InputError

_PLAIN_WIDTH: Final = 120


def demo(
    judge: Annotated[
        str,
        typer.Option(
            help='A LiteLLM model name (520 evaluations, some 3 calls each), or "embedded": no key, no network.'
        ),
    ] = "embedded",
    otlp: Annotated[
        str | None, typer.Option(help="Send all signals to this OTLP/HTTP base URL, as http://localhost:4318.")
    ] = None,
    report: Annotated[Path, typer.Option(help="Where the HTML report is put.")] = Path("spanjudge-report.html"),
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as one JSON object.")] = False,
) -> None:
    """Judge a small RAG agent on this machine, break its retriever, and watch the alarm rise."""
    # Rich, the SDK's exporters and the report are of no use to the other commands.
    from rich.console import Console  # noqa: PLC0415

    from spanjudge.demo.main_job import run_demo  # noqa: PLC0415
    from spanjudge.demo.page import figures, page  # noqa: PLC0415
    from spanjudge.demo.show import Bars, show  # noqa: PLC0415
    from spanjudge.report.page import write  # noqa: PLC0415

    _check_place(report)
    if as_json:
        found = run_demo(judge, otlp)
    else:
        console = Console(highlight=False)
        if not console.is_terminal:
            console = Console(highlight=False, width=_PLAIN_WIDTH)
        console.print("[bold]A RAG agent answers questions about Python from the manual that every Python carries.[/]")
        with Bars(console) as bars:
            found = run_demo(judge, otlp, entered=bars.entered, arrived=bars.arrived)
        show(found, console)
    try:
        write(page(found), report)
    except OSError as error:
        message = f"The report cannot be written to {str(report)!r} (given as --report): {error.strerror}."
        raise InputError(message) from error
    if as_json:
        sys.stdout.write(json.dumps(figures(found, str(report.resolve()))) + "\n")
    else:
        sys.stdout.write(f"\nReport: {report.resolve()}\n")


def _check_place(report: Path) -> None:
    # Before the work rather than after it.
    if report.is_dir() or not report.absolute().parent.is_dir():
        reason = "it is a directory" if report.is_dir() else "its directory does not exist"
        message = f"The report cannot be written to {str(report)!r} (given as --report): {reason}."
        raise InputError(message)

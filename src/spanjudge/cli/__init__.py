"""The command line, one file per command."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from spanjudge.cli import dashboards, demo, doctor, rules, score
from spanjudge.errors import InputError
from spanjudge.sinks.scope import SCOPE_VERSION

app = typer.Typer(
    name="spanjudge",
    help="Score the RAG calls that OpenTelemetry traces already carry.",
    no_args_is_help=True,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def options(
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    """Score the RAG calls that OpenTelemetry traces already carry."""
    if version:
        sys.stdout.write(f"spanjudge {SCOPE_VERSION}\n")
        raise typer.Exit


app.command("demo")(demo.demo)
app.command("score")(score.score)
app.command("doctor")(doctor.doctor)
app.command("rules")(rules.rules)
app.command("dashboards")(dashboards.dashboards)


def main() -> None:
    """Run the command line; input that cannot be used is one sentence and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character must not cost the rest.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
        sys.stdout.flush()
    except OSError as error:
        sys.stderr.write(f"spanjudge: The output cannot be written: {error.strerror}.\n")
        os._exit(2)  # not through another try to flush what cannot be written
    except InputError as error:
        sys.stderr.write(f"spanjudge: {error}\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)

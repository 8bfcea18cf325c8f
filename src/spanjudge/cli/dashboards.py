"""``spanjudge dashboards``: dashboards for Grafana."""

from __future__ import annotations

import sys
from pathlib import Path  # noqa: TC003 - typer reads annotations
from typing import Annotated

import typer

from spanjudge.dashboards.render import dashboards as rendered
from spanjudge.errors import InputError
from spanjudge.promql import DEFAULT_TRANSLATION, TRANSLATIONS


def dashboards(
    out: Annotated[Path, typer.Option(help="Directory that the dashboards are put into; it is made where missing.")],
    translation: Annotated[
        str, typer.Option(help="What the way to Prometheus does to names: its translation strategy.")
    ] = DEFAULT_TRANSLATION,
) -> None:
    """Write the dashboards "RAG quality" and "spanjudge pipeline" for Grafana."""
    if translation not in TRANSLATIONS:
        message = f"--translation must be one of {', '.join(TRANSLATIONS)}, but it is {translation!r}."
        raise InputError(message)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, text in rendered(translation).items():
            (out / name).write_text(text, encoding="utf-8")
            sys.stdout.write(f"{out / name}\n")
    except OSError as error:
        message = f"The dashboards cannot be written to {str(out)!r} (given as --out): {error.strerror}."
        raise InputError(message) from error

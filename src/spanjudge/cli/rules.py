"""``spanjudge rules``: recording and alert rules for Prometheus."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from spanjudge.alerts.rule_file import rule_file
from spanjudge.alerts.settings import read_rule_file, rule_settings
from spanjudge.errors import InputError


def rules(  # noqa: PLR0913, PLR0917 - options by name
    out: Annotated[str, typer.Option(help="Where the rules are put; - is standard output.")] = "-",
    config: Annotated[
        Path | None, typer.Option(help="TOML file with any of the rule settings; options win over it.")
    ] = None,
    translation: Annotated[
        str | None, typer.Option(help="What the way to Prometheus does to names: its translation strategy.")
    ] = None,
    window: Annotated[str | None, typer.Option(help="Over which means and shares are taken, as 1h.")] = None,
    floor: Annotated[
        list[str] | None, typer.Option(help="Least acceptable mean, as context_recall=0.7; several times.")
    ] = None,
    objective: Annotated[float | None, typer.Option(help="Share of scores that shall not be bad, as 0.95.")] = None,
    daily_cost: Annotated[float | None, typer.Option(help="US dollars a day that the judge may cost.")] = None,
    label: Annotated[
        list[str] | None, typer.Option(help="Label to put on every alert, as team=search; several times.")
    ] = None,
    match: Annotated[
        list[str] | None,
        typer.Option(help="Look only at series with this, as deployment.environment.name=prod; several times."),
    ] = None,
    runbook_url: Annotated[str | None, typer.Option(help="Where the runbook is to be read.")] = None,
) -> None:
    """Write recording and alert rules for Prometheus."""
    options: dict[str, object] = {
        "translation": translation,
        "window": window,
        "floors": _floors(floor),
        "objective": objective,
        "daily_cost": daily_cost,
        "labels": _pairs(label, "--label"),
        "match": _pairs(match, "--match"),
        "runbook_url": runbook_url,
    }
    given = {name: value for name, value in options.items() if value is not None}
    kept: dict[str, object] = {}
    if config is not None:
        kept = read_rule_file(config)
        rule_settings(kept, f"from {config}")
    text = rule_file(rule_settings({**kept, **given}))
    if out == "-":
        sys.stdout.write(text)
        return
    try:
        Path(out).write_text(text, encoding="utf-8")
    except OSError as error:
        message = f"The rules cannot be written to {out!r} (given as --out): {error.strerror}."
        raise InputError(message) from error


def _pairs(given: list[str] | None, option: str) -> dict[str, str] | None:
    if not given:
        return None
    pairs: dict[str, str] = {}
    for item in given:
        name, sign, value = item.partition("=")
        if not sign:
            message = f"{option} takes name=value, but it was given {item!r}."
            raise InputError(message)
        pairs[name.strip()] = value.strip()
    return pairs


def _floors(given: list[str] | None) -> dict[str, float] | None:
    pairs = _pairs(given, "--floor")
    if pairs is None:
        return None
    try:
        return {name: float(value) for name, value in pairs.items()}
    except ValueError:
        message = f"--floor takes scorer=number, as context_recall=0.7, but it was given {', '.join(given or ())!r}."
        raise InputError(message) from None

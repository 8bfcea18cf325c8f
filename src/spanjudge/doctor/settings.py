"""The settings as an application would resolve them, and where each comes from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from opentelemetry.sdk.trace import SpanLimits

from spanjudge.doctor.step import Step
from spanjudge.settings import FILE_VARIABLE, NAMES, PREFIX, Settings, load

if TYPE_CHECKING:
    from collections.abc import Mapping

_SAMPLER: Final = "OTEL_TRACES_SAMPLER"
_SAMPLER_ARGUMENT: Final = "OTEL_TRACES_SAMPLER_ARG"
_ALL: Final = frozenset({"always_on", "parentbased_always_on"})
# Fewer characters cut chunks of the usual 1,000 to 2,000 characters, joined into a prompt.
_ROOM: Final = 16_384
_ATTRIBUTES_PER_DOCUMENT: Final = 4


def resolved(arguments: Mapping[str, object], environ: Mapping[str, str] | None = None) -> tuple[Settings, Step]:
    """Resolve all settings and tell those that are not the defaults.

    Args:
        arguments: As given on the command line; None counts as not given.
        environ: Environment variables (default: the process's).

    Raises:
        SettingsError: Where one cannot be used.
    """
    environ = os.environ if environ is None else environ
    settings, default = load(arguments, environ), Settings()
    origins = {name: _origin(name, arguments, environ) for name in NAMES}
    changed = {
        name: {"value": getattr(settings, name), "from": origins[name] or environ.get(FILE_VARIABLE)}
        for name in NAMES
        if origins[name] or getattr(settings, name) != getattr(default, name)
    }
    told = ", ".join(f"{name} = {each['value']} ({each['from']})" for name, each in changed.items())
    return settings, Step("settings", "ok", told or "all are the defaults", facts=changed)


def _origin(name: str, arguments: Mapping[str, object], environ: Mapping[str, str]) -> str | None:
    if arguments.get(name) is not None:
        return "argument"
    variable = PREFIX + name.upper()
    return variable if variable in environ else None


def limits(environ: Mapping[str, str] | None = None) -> Step:
    """Tell what the SDK's own settings, as the environment has them, would cut or leave out."""
    environ = os.environ if environ is None else environ
    found = SpanLimits()
    length, number = found.max_span_attribute_length, found.max_span_attributes
    facts = {"attribute_length": length, "attribute_count": number, "sampler": environ.get(_SAMPLER)}
    sampler = environ.get(_SAMPLER, "always_on")
    if length is not None and length < _ROOM:
        said = f"the SDK cuts attribute values at {length} characters, and a run with a text that was cut is not judged"
        return Step("limits", "note", said, "raise or unset OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", facts)
    if sampler not in _ALL:
        share = environ.get(_SAMPLER_ARGUMENT)
        said = f"{_SAMPLER}={sampler}{f' ({share})' if share else ''} may leave traces out before spanjudge sees them"
        return Step("limits", "note", said, "leave sampling to sample_rate where all traces are to be seen", facts)
    count = (
        "no limit" if number is None else f"{number} attributes a span, {number // _ATTRIBUTES_PER_DOCUMENT} documents"
    )
    return Step(
        "limits", "ok", f"{count}; values are {'not cut' if length is None else f'cut at {length}'}", facts=facts
    )

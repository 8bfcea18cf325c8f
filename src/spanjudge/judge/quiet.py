"""Keeping the judge's own calls out of the application's traces."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from opentelemetry import context, trace

# Private, and the only key that instrumentations of the API's own kind look at. A test fails when it goes away.
from opentelemetry.context import _SUPPRESS_INSTRUMENTATION_KEY

if TYPE_CHECKING:
    from collections.abc import Iterator

QUIET_TRACE_ID: Final = secrets.randbits(128) or 1
"""Trace id of everything that runs in `quiet()`: spans under it come from samplers that ignore the parent."""

_MARK: Final = "spanjudge.quiet"
_SUPPRESS_KEYS: Final = (
    _SUPPRESS_INSTRUMENTATION_KEY,
    "suppress_instrumentation",
    "suppress_language_model_instrumentation",
)


def quiet_context() -> context.Context:
    """Build the context of judge calls from an empty one: suppress keys and an unsampled parent.

    Neither alone is enough: some instrumentations read none of the keys, and some samplers ignore the parent.
    """
    parent = trace.SpanContext(QUIET_TRACE_ID, secrets.randbits(64) or 1, is_remote=False)
    result = trace.set_span_in_context(trace.NonRecordingSpan(parent), context.Context())
    for key in (*_SUPPRESS_KEYS, _MARK):
        result = context.set_value(key, True, result)  # noqa: FBT003 - positional in the API
    return result


@contextmanager
def quiet() -> Iterator[None]:
    """Run a block, in this thread or coroutine, without a trace of it in the application's telemetry."""
    token = context.attach(quiet_context())
    try:
        yield
    finally:
        context.detach(token)


def is_quiet(given: context.Context | None = None) -> bool:
    """Whether a context (default: the current one) belongs to a judge's call."""
    return bool(context.get_value(_MARK, given))

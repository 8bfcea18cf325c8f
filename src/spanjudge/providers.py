"""Where telemetry of ours goes: the application's providers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from opentelemetry._logs import LoggerProvider
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider


class Providers(NamedTuple):
    """One provider per signal; None is the global one."""

    tracer: TracerProvider | None = None
    meter: MeterProvider | None = None
    logger: LoggerProvider | None = None

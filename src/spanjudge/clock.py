"""Time as an argument."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Two readings: one to measure with, one to write on telemetry."""

    def monotonic(self) -> float:
        """Seconds since some fixed point."""
        ...

    def time_ns(self) -> int:
        """Nanoseconds since the Unix epoch."""
        ...


class SystemClock:
    """The machine's clock."""

    def monotonic(self) -> float:
        """Seconds since some fixed point."""
        return time.monotonic()

    def time_ns(self) -> int:
        """Nanoseconds since the Unix epoch."""
        return time.time_ns()

"""A clock that stands still until it is told to move."""

from __future__ import annotations

import asyncio
from typing import Final

_NANOSECONDS: Final = 1_000_000_000


class ManualClock:
    """Implements ``spanjudge.clock.Clock``; ``sleep`` moves it and returns at once.

    Args:
        start_s: First reading of ``monotonic``, in seconds.
        epoch_s: First reading of ``time_ns``, in seconds since the Unix epoch.

    >>> clock = ManualClock()
    >>> clock.advance(1.5)
    >>> clock.monotonic()
    1.5
    """

    def __init__(self, start_s: float = 0.0, epoch_s: float = 1_700_000_000.0) -> None:
        self._start_s = start_s
        self._epoch_ns = round(epoch_s * _NANOSECONDS)
        self._passed_s = 0.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        """Seconds since some fixed point."""
        return self._start_s + self._passed_s

    def time_ns(self) -> int:
        """Nanoseconds since the Unix epoch."""
        return self._epoch_ns + round(self._passed_s * _NANOSECONDS)

    def advance(self, seconds: float) -> None:
        """Move forward.

        Raises:
            ValueError: Where ``seconds`` is below 0.
        """
        if seconds < 0:
            message = f"A clock moves forward only, not by {seconds} s."
            raise ValueError(message)
        self._passed_s += seconds

    async def sleep(self, seconds: float) -> None:
        """Move forward instead of waiting, and note the seconds in ``slept``."""
        self.slept.append(seconds)
        self.advance(max(seconds, 0.0))
        await asyncio.sleep(0)

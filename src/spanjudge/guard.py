"""The border to the application: nothing of ours raises into it, nothing of ours fails unheard."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger("spanjudge")

QUIET_S: Final = 20.0


class Guard:
    """Counts what went wrong at each place, and logs each place at most once in 20 s."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._logged: dict[str, float] = {}
        self.counts: dict[str, int] = {}

    def caught(self, where: str, error: BaseException) -> None:
        """Note an exception that was kept from the application.

        The exception's text stays out of the log, as it may hold content of the run.
        """
        self.tell(where, f"{type(error).__name__} was caught in {where}; the application goes on.", error)

    def tell(self, where: str, message: str, error: BaseException | None = None) -> None:
        """Count one event at ``where`` and log its message, unless that place was logged within 20 s."""
        self.counts[where] = self.counts.get(where, 0) + 1
        now = self._monotonic()
        if now - self._logged.get(where, -QUIET_S) >= QUIET_S:
            self._logged[where] = now
            times = self.counts[where]
            logger.warning("spanjudge: %s%s", message, f" ({times} times so far)" if times > 1 else "")
            if error is not None:
                logger.debug("Where it happened:", exc_info=error)

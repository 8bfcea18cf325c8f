"""How often and how long a judge is asked: retries with jitter, what the server asks for, and a circuit breaker."""

from __future__ import annotations

from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from spanjudge.clock import Clock

_NANOSECONDS: Final = 1e9
_MAX_EXPONENT: Final = 32


@dataclass(frozen=True, slots=True)
class Retry:
    """Bounded retries: exponential backoff with full jitter.

    Formula: wait = uniform(0, min(cap, base * 2**n)) before retry n, n from 0 (M. Brooker, "Exponential Backoff
    And Jitter", AWS Architecture Blog, 2015).

    Args:
        max_attempts: Calls in all, at least 1.
        base_s: Upper bound of the first wait, seconds.
        cap_s: Upper bound of any wait, seconds.
    """

    max_attempts: int = 3
    base_s: float = 0.5
    cap_s: float = 20.0

    def wait_s(self, retry: int, random: Callable[[], float], asked_s: float | None = None) -> float:
        """Seconds to wait before a retry.

        Args:
            retry: Number of the retry, from 0.
            random: Gives numbers in 0..1.
            asked_s: What the server asked for (``Retry-After``): waited in full, with the first jitter on top, so
                that clients that were turned away together do not come back together.
        """
        if asked_s is not None:
            return asked_s + random() * self.base_s
        return random() * min(self.cap_s, self.base_s * 2.0 ** min(retry, _MAX_EXPONENT))


def retry_after_s(headers: Mapping[str, str], now_ns: int) -> float | None:
    """Read how many seconds a reply asks to wait (``Retry-After`` in seconds or as a date, ``retry-after-ms``).

    Args:
        headers: The reply's headers, names in any case.
        now_ns: Nanoseconds since the Unix epoch, for dates.

    >>> retry_after_s({"Retry-After": "7"}, 0)
    7.0
    """
    lower = {name.lower(): value.strip() for name, value in headers.items()}
    milliseconds = _number(lower.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = lower.get("retry-after", "")
    seconds = _number(asked)
    if seconds is not None or not asked:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(asked).timestamp() - now_ns / _NANOSECONDS)
    except (ValueError, OverflowError):
        return None


class Breaker:
    """Stops asking a judge that is down, and lets one ask through now and then to see whether it is back.

    Args:
        clock: Measures the pause.
        failures: Failures in a row that open the breaker, at least 1.
        pause_s: Seconds for which an open breaker lets nothing through, and between two probes.
    """

    def __init__(self, clock: Clock, *, failures: int = 5, pause_s: float = 30.0) -> None:
        self._clock = clock
        self._limit = failures
        self._pause_s = pause_s
        self._failed = 0
        self._shut_until = 0.0

    @property
    def open(self) -> bool:
        """Whether asks are being turned away, probes apart."""
        return self._failed >= self._limit

    def wait_s(self) -> float:
        """Seconds until an ask may go through; 0 lets this one through, as the probe where the breaker is open."""
        if not self.open:
            return 0.0
        now = self._clock.monotonic()
        if now < self._shut_until:
            return self._shut_until - now
        self._shut_until = now + self._pause_s
        return 0.0

    def succeeded(self) -> None:
        """Note an answer of any kind from the judge."""
        self._failed = 0

    def failed(self) -> None:
        """Note that the judge could not be reached or did not answer in time."""
        self._failed += 1
        if self.open:
            self._shut_until = self._clock.monotonic() + self._pause_s


def _number(text: str) -> float | None:
    # Digits alone: float() also takes "nan", "inf" and signs.
    return float(text) if text.isascii() and text.replace(".", "", 1).isdigit() else None

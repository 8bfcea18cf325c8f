"""A judge whose questions are timed and counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from spanjudge.judge.ask import JudgeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanjudge.judge.ask import Ask, Judge, Reply
    from spanjudge.model import Usage
    from spanjudge.semconv import FailureCode


class Meter(Protocol):
    """Who hears what each question took."""

    def judged(self, model: str, usage: Usage, seconds: float, error: FailureCode | None) -> None:
        """One question was answered, or was not."""
        ...


class MeteredJudge:
    """Passes every ask on to ``judge`` and tells ``meter`` what it took."""

    def __init__(self, judge: Judge, meter: Meter, monotonic: Callable[[], float]) -> None:
        self._judge = judge
        self._meter = meter
        self._monotonic = monotonic

    @property
    def model(self) -> str:
        """Name of the judge's model."""
        return self._judge.model

    @property
    def fingerprint(self) -> str:
        """Model and parameters of the judge."""
        return self._judge.fingerprint

    async def ask(self, ask: Ask, /) -> Reply:
        """Ask the judge.

        Raises:
            JudgeError: As the judge does.
        """
        started = self._monotonic()
        try:
            reply = await self._judge.ask(ask)
        except JudgeError as error:
            self._meter.judged(self.model, error.usage, self._monotonic() - started, error.code)
            raise
        self._meter.judged(self.model, reply.usage, self._monotonic() - started, None)
        return reply

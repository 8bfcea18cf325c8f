"""A sink that keeps what it is given."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from spanjudge.model import Score

if TYPE_CHECKING:
    from spanjudge.model import Evaluation, Outcome


class RecordingSink:
    """Keeps every evaluation in ``evaluations``, in the order of arrival, from any thread."""

    def __init__(self) -> None:
        self.evaluations: list[Evaluation] = []
        self._arrived = threading.Condition()

    def emit(self, evaluation: Evaluation, /) -> None:
        """Keep one evaluation."""
        with self._arrived:
            self.evaluations.append(evaluation)
            self._arrived.notify_all()

    def wait(self, count: int, timeout_s: float = 10.0) -> bool:
        """Wait until ``count`` evaluations are there; False where the time ran out first."""
        with self._arrived:
            return self._arrived.wait_for(lambda: len(self.evaluations) >= count, timeout_s)

    @property
    def outcomes(self) -> list[Outcome]:
        """The outcomes alone."""
        return [evaluation.outcome for evaluation in self.evaluations]

    def scores(self, scorer: str) -> list[float]:
        """Return the scores that one scorer gave."""
        return [outcome.score for outcome in self.outcomes if isinstance(outcome, Score) and outcome.scorer == scorer]

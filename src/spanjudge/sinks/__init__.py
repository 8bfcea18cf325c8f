"""Where outcomes go: evaluation spans, log events, metrics, evidence of regression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from spanjudge.model import Evaluation


class Sink(Protocol):
    """Whoever wants the outcomes; called on the worker's thread, one at a time."""

    def emit(self, evaluation: Evaluation, /) -> None:
        """Take one evaluation."""
        ...

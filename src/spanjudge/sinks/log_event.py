"""An evaluation as a ``gen_ai.evaluation.result`` log event; the one file that knows the SDK's private logs API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opentelemetry._logs import SeverityNumber, get_logger

from spanjudge import semconv
from spanjudge.model import Failure, Skip
from spanjudge.sinks.attributes import of_provenance, of_result
from spanjudge.sinks.scope import SCOPE_VERSION
from spanjudge.sinks.target import context_of

if TYPE_CHECKING:
    from opentelemetry._logs import LoggerProvider

    from spanjudge.model import Evaluation


class LogEventSink:
    """Emits one log event for each score and each failure, in the context of the target span.

    Args:
        logger_provider: Where the event is emitted (default: the global provider).
    """

    def __init__(self, logger_provider: LoggerProvider | None = None) -> None:
        self._logger = get_logger(semconv.SCOPE, SCOPE_VERSION, logger_provider=logger_provider)

    def emit(self, evaluation: Evaluation, /) -> None:
        """Emit the event, unless there is nothing to show or the target is in no backend."""
        target, outcome = evaluation.run.target, evaluation.outcome
        if target is None or not target.sampled or isinstance(outcome, Skip):
            return
        attributes = {**of_result(evaluation), **of_provenance(evaluation)}
        if evaluation.run.response_id:
            attributes[semconv.RESPONSE_ID] = evaluation.run.response_id
        failed = isinstance(outcome, Failure)
        self._logger.emit(
            event_name=semconv.EVALUATION_EVENT,
            timestamp=evaluation.ended_ns,
            context=context_of(target),
            severity_number=SeverityNumber.WARN if failed else SeverityNumber.INFO,
            severity_text="WARN" if failed else "INFO",
            attributes=attributes,
        )

"""The log record processor for instrumentations that put content into log records alone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

# Underscored and so unstable: nowhere else in spanjudge is it imported.
from opentelemetry.sdk._logs import LogRecordProcessor

from spanjudge.errors import InputError
from spanjudge.guard import Guard
from spanjudge.sources.beside import Beside
from spanjudge.sources.record import LogPart
from spanjudge.sources.values import clean, clean_text

if TYPE_CHECKING:
    from opentelemetry._logs import LogRecord
    from opentelemetry.sdk._logs import ReadWriteLogRecord

    from spanjudge.recording import Recorder

# Where instrumentations write an event's name that know no field for it, or log through the standard library.
_OLD_NAMES: Final = frozenset({"event.name", "event_name"})


class JudgeLogProcessor(LogRecordProcessor):
    """Joins the content of log events to the spans whose ids they bear, for a span processor.

    Add it to the logger provider. It takes events, log records with a name, that are emitted inside a span of a taken
    trace; ordinary log lines have no name and are let by. An event counts if it comes before its run is closed
    (``linger_s`` after the run's last span has ended).

    Args:
        processor: The ``JudgeSpanProcessor`` that puts the runs together.

    Raises:
        InputError: Where it is none.
    """

    def __init__(self, processor: Recorder) -> None:
        if not callable(getattr(processor, "wants", None)) or not callable(getattr(processor, "take", None)):
            message = (
                f"JudgeLogProcessor needs the JudgeSpanProcessor that it works for, not {type(processor).__name__}."
            )
            raise InputError(message)
        self._processor = processor
        self._guard = Guard()

    def on_emit(self, log_record: ReadWriteLogRecord) -> None:
        """Take in the event if it stands in a span of a taken trace."""
        try:
            record = log_record.log_record
            trace_id, span_id = record.trace_id, record.span_id
            if not trace_id or not span_id:
                return
            named = record.event_name or not _OLD_NAMES.isdisjoint(record.attributes or ())
            if named and self._processor.wants(trace_id):
                scope = log_record.instrumentation_scope
                item = Beside(trace_id, span_id, scope.name if scope else "", partial(_part, record))
                self._processor.take(item)
        except Exception as error:  # noqa: BLE001 - the border: nothing of ours may raise into the application
            self._guard.caught("on_emit", error)

    def shutdown(self) -> None:
        """Nothing to stop: the span processor holds what there is."""

    def force_flush(self, timeout_millis: int = 30000) -> bool:
        """Nothing to flush: what was taken in is the span processor's."""
        del timeout_millis
        return True


def _part(record: LogRecord) -> LogPart:
    """Copy a log record out of the SDK."""
    attributes = {clean_text(str(key)): clean(value) for key, value in dict(record.attributes or {}).items()}
    return LogPart(
        clean_text(str(record.event_name or attributes.get("event.name", ""))),
        body=clean(record.body),
        attributes=attributes,
        time_ns=record.timestamp or record.observed_timestamp or 0,
    )

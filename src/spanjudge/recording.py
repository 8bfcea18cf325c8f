"""Recording by hand: texts that the application gives itself, kept beside the current span and round its limits."""

from __future__ import annotations

import json
import logging
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from opentelemetry import trace

from spanjudge import semconv
from spanjudge.guard import Guard
from spanjudge.model import Document
from spanjudge.sources.beside import Beside
from spanjudge.sources.record import LogPart
from spanjudge.sources.values import clean

if TYPE_CHECKING:
    from collections.abc import Callable

    from opentelemetry.trace import Span

    from spanjudge.sources.record import Attributes

Recordable: TypeAlias = "str | Document | Mapping[str, object] | object"

logger = logging.getLogger("spanjudge")

# Where frameworks keep text, id and score of the documents that their retrievers return.
_FIELDS: Final = ("page_content", "text", "content", "id", "node_id", "score", "metadata")


class Recorder(Protocol):
    """Who wants to hear of what is recorded: the span processors."""

    def wants(self, trace_id: int) -> bool:
        """Whether this trace is taken."""
        ...

    def take(self, item: Beside) -> None:
        """Take in what was recorded."""
        ...


_guard: Final = Guard()
_lock: Final = threading.Lock()
_recorders: tuple[weakref.ref[Recorder], ...] = ()
_told_of_no_span = False


def join(recorder: Recorder) -> None:
    """Let a recorder hear of all that is recorded in this process, for as long as it lives."""
    global _recorders  # noqa: PLW0603 - the process's recorders; swapped whole, so that readers need no lock
    with _lock:
        _recorders = (*(known for known in _recorders if known() is not None), weakref.ref(recorder))


def record_retrieval(query: str | None, documents: Sequence[Recordable], *, as_attributes: bool = False) -> None:
    """Record what a retrieval returned for a question, on the current span.

    The texts reach the judge whole: they are kept beside the span, not in its attributes, and win over whatever an
    instrumentation has captured. Several retrievals of one run are joined in their order.

    Args:
        query: The question, None where it is told elsewhere.
        documents: What was retrieved, best first, empty where nothing was found: texts, ``Document`` objects, mappings
            with ``text``, ``id`` and ``score``, or the documents of a framework.
        as_attributes: Whether to set them as attributes of the span as well, under the span's limits, so that the
            trace's readers see them.
    """
    try:
        complaint = _complaint(query, documents)
        span = None if complaint else _current("record_retrieval")
        if complaint:
            _guard.tell("record_retrieval", f"record_retrieval: {complaint}; nothing was recorded.")
        elif span is not None and (as_attributes or _recorders):
            kept = [_kept(document) for document in documents]
            if as_attributes:
                _show_retrieval(span, query, kept)
            _give(span, partial(_retrieval, query, kept, time.time_ns()))
    except Exception as error:  # noqa: BLE001 - the border: nothing of ours may raise into the application
        _guard.caught("record_retrieval", error)


def record_answer(text: str, *, as_attributes: bool = False) -> None:
    """Record the answer of a run, on the current span; of several in one run the last counts.

    Args:
        text: The answer as the user was told it.
        as_attributes: Whether to set it as an attribute of the span as well.
    """
    _record_text("record_answer", semconv.ANSWER_PART, text, as_attributes=as_attributes)


def record_reference(text: str, *, as_attributes: bool = False) -> None:
    """Record the reference answer (ground truth) of a run, on the current span.

    Args:
        text: What a right answer says.
        as_attributes: Whether to set it as an attribute of the span as well.
    """
    _record_text("record_reference", semconv.REFERENCE_PART, text, as_attributes=as_attributes)


def _record_text(caller: str, name: str, text: object, *, as_attributes: bool) -> None:
    try:
        if not isinstance(text, str):
            kind = type(text).__name__
            _guard.tell(caller, f"{caller}: `text` must be a text, not {kind}; nothing was recorded.")
            return
        span = _current(caller)
        if span is not None:
            if as_attributes:
                span.set_attribute(name, text)
            _give(span, partial(_part, name, {name: text}, time.time_ns()))
    except Exception as error:  # noqa: BLE001 - the border: nothing of ours may raise into the application
        _guard.caught(caller, error)


def _complaint(query: object, documents: object) -> str | None:
    if isinstance(documents, str | bytes | Mapping) or not isinstance(documents, Sequence):
        return f"`documents` must be a list of texts or documents, not {type(documents).__name__}"
    if query is not None and not isinstance(query, str):
        return f"`query` must be a text, not {type(query).__name__}"
    return None


def _current(caller: str) -> Span | None:
    """Return the current span; where there is none, say so once and for all."""
    global _told_of_no_span  # noqa: PLW0603 - once per process
    span = trace.get_current_span()
    if span.get_span_context().is_valid:
        return span
    if not _told_of_no_span:
        _told_of_no_span = True
        logger.warning("%s was called where no span is current; what it was given is not recorded.", caller)
    return None


def _give(span: Span, part: Callable[[], LogPart]) -> None:
    context = span.get_span_context()
    for reference in _recorders:
        recorder = reference()
        if recorder is not None and recorder.wants(context.trace_id):
            recorder.take(Beside(context.trace_id, context.span_id, "", part))


def _kept(document: Recordable) -> Mapping[str, object]:
    """Take from a document what is judged, before the application changes it."""
    if isinstance(document, str):
        return {"text": document}
    if isinstance(document, Document):
        shown = {"text": document.text, "id": document.id, "score": document.score, "score_kind": document.score_kind}
        return {name: value for name, value in shown.items() if value is not None}
    if isinstance(document, Mapping):
        return dict(document)
    found = {name: getattr(document, name, None) for name in _FIELDS}
    return {name: value for name, value in found.items() if value is not None and not callable(value)}


def _show_retrieval(span: Span, query: str | None, kept: list[Mapping[str, object]]) -> None:
    if query is not None:
        span.set_attribute(semconv.RECORDED_QUERY, query)
    shown = _shown(span) + kept
    span.set_attribute(semconv.RECORDED_DOCUMENTS, json.dumps(shown, ensure_ascii=False, default=str))


def _shown(span: Span) -> list[Mapping[str, object]]:
    """Documents that an earlier retrieval has set on the span."""
    before = (getattr(span, "attributes", None) or {}).get(semconv.RECORDED_DOCUMENTS)
    try:
        found = json.loads(before) if isinstance(before, str) else []
    except ValueError:  # cut by the limit on the length of values
        return []
    return found if isinstance(found, list) else []


def _retrieval(query: str | None, kept: list[Mapping[str, object]], time_ns: int) -> LogPart:
    attributes: dict[str, object] = {semconv.RECORDED_DOCUMENTS: kept}
    if query is not None:
        attributes[semconv.RECORDED_QUERY] = query
    return _part(semconv.RETRIEVAL_PART, attributes, time_ns)


def _part(name: str, attributes: Attributes, time_ns: int) -> LogPart:
    return LogPart(name, attributes={key: clean(value) for key, value in attributes.items()}, time_ns=time_ns)

"""What the application records by hand: beside the span, and as attributes where it was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple, get_args

from spanjudge import semconv
from spanjudge.dialects.decode import decode, is_cut
from spanjudge.dialects.document import document_of
from spanjudge.dialects.documents import Documents, ranked
from spanjudge.dialects.facts import Facts, Kind
from spanjudge.model import ScoreKind

if TYPE_CHECKING:
    from spanjudge.model import Document
    from spanjudge.sources.record import Attributes, SpanRecord

name: Final = "recorded"
scopes: Final[tuple[str, ...]] = ()

_SCORE_KINDS: Final[tuple[ScoreKind, ...]] = get_args(ScoreKind)


def kind(span: SpanRecord) -> Kind | None:
    """A span with an answer and what it was made from is a whole call; with one of the two, a step of one."""
    retrieval = _has(span, semconv.RETRIEVAL_PART, semconv.RECORDED_DOCUMENTS)
    answer = _has(span, semconv.ANSWER_PART, semconv.RECORDED_ANSWER)
    if retrieval:
        return "chain" if answer else "retriever"
    return "llm" if answer else None


def speaks(span: SpanRecord) -> bool:
    """Whether anything but a reference was recorded on the span."""
    return kind(span) is not None


def read(span: SpanRecord) -> Facts:
    """All that was recorded on the span."""
    found = retrievals(span)
    answer = answer_of(span)
    return Facts(
        kind=kind(span),
        query=next((each.query for each in found if each.query), None),
        documents=ranked([one for each in found for one in each.documents], span.span_id) if found else None,
        answer=answer[1] if answer else None,
        cut=not found and is_cut(span.attributes.get(semconv.RECORDED_DOCUMENTS)),
        dialects=(name,),
    )


class Retrieval(NamedTuple):
    """What a retrieval returned, and when: nanoseconds since the Unix epoch."""

    time_ns: int
    query: str | None
    documents: Documents


def retrievals(span: SpanRecord) -> list[Retrieval]:
    """The retrievals that were recorded on a span, in their order.

    What stands beside the span is whole; an attribute counts where nothing stands beside it, and it was not cut.
    """
    given = [(part.time_ns, part.attributes) for part in span.logs if part.event_name == semconv.RETRIEVAL_PART]
    found = (
        _retrieval(time_ns, attributes, span) for time_ns, attributes in given or [(span.start_ns, span.attributes)]
    )
    return [each for each in found if each]


def answer_of(span: SpanRecord) -> tuple[int, str] | None:
    """The last answer that was recorded on a span, and when (nanoseconds since the Unix epoch)."""
    given = [(part.time_ns, part.attributes) for part in span.logs if part.event_name == semconv.ANSWER_PART]
    told = [
        (time_ns, text)
        for time_ns, attributes in given or [(span.end_ns, span.attributes)]
        if (text := _text(attributes, semconv.RECORDED_ANSWER))
    ]
    return told[-1] if told else None


def _has(span: SpanRecord, part_name: str, attribute: str) -> bool:
    return attribute in span.attributes or any(part.event_name == part_name for part in span.logs)


def _text(attributes: Attributes, key: str) -> str | None:
    value = attributes.get(key)
    return value if isinstance(value, str) and value.strip() else None


def _retrieval(time_ns: int, attributes: Attributes, span: SpanRecord) -> Retrieval | None:
    value = decode(attributes.get(semconv.RECORDED_DOCUMENTS))
    if not isinstance(value, list | tuple):
        return None
    found = (_document(item) for item in value if isinstance(item, Mapping))
    documents = ranked([document for document in found if document], span.span_id)
    return Retrieval(time_ns, _text(attributes, semconv.RECORDED_QUERY), documents)


def _document(item: Mapping[str, object]) -> Document | None:
    document = document_of(item)
    told = next((each for each in _SCORE_KINDS if each == item.get("score_kind")), None)
    return replace(document, score_kind=told) if document and told else document

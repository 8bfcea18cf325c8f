"""One document in whatever shape: its text, its id, its score."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from spanjudge.dialects.decode import decode
from spanjudge.model import Document

if TYPE_CHECKING:
    from spanjudge.model import ScoreKind

Record: TypeAlias = "Mapping[str, object]"

_TEXTS: Final = (
    "page_content",
    "pagecontent",
    "text",
    "content",
    "body",
    "passage",
    "chunk",
    "chunk_text",
    "chunk_content",
    "snippet",
    "excerpt",
    "document",
    "paragraph",
    "raw_content",
    "pagetext",
    "summary",
    "description",
    "abstract",
)
_HOLDERS: Final = (
    "node",
    "document",
    "doc",
    "_source",
    "source",
    "payload",
    "fields",
    "properties",
    "entity",
    "record",
    "item",
    "kwargs",
    "data",
    "chunk",
    "content",
    "_additional",
    "metadata",
    "meta",
    "meta_data",
    "cmetadata",
)
_IDS: Final = ("id", "_id", "id_", "doc_id", "document_id", "docid", "documentid", "chunk_id", "chunkid", "node_id")
_NAMES: Final = ("name", "key", "uuid", "ref", "identifier")
_SCORE: Final = re.compile(r"score|similarit|relevance|distance|certainty|confidence", re.IGNORECASE)
_ID_LIKE: Final = re.compile(r"(?:^|[-_.])id_?$|[a-z]Id$|^id[_A-Z]|ID$")


def document_of(record: Record) -> Document | None:
    """Read one document; None where the record has neither text nor a name of its own."""
    text = text_of(record)
    found_id = id_of(record)
    if text is None and found_id is None:
        return None
    score, kind = score_of(record)
    return Document(text=text, id=found_id, score=score, score_kind=kind)


def _levels(record: Record) -> list[Record]:
    """The record and the records inside it which may hold its text, id or score."""
    by_name = {str(key).lower(): item for key, item in record.items()}
    levels = [record]
    for name in _HOLDERS:
        inner = decode(by_name.get(name))
        if isinstance(inner, Mapping):
            levels.append(inner)
            levels += [deep for key in ("metadata", "kwargs", "node") if isinstance(deep := inner.get(key), Mapping)]
    return levels


def text_of(record: Record) -> str | None:
    """Find a record's text, at its usual names, in the record or in the records inside it."""
    for level in _levels(record):
        by_name = {str(key).lower(): item for key, item in level.items()}
        for name in _TEXTS:
            value = by_name.get(name)
            if isinstance(value, str):
                return value
            if isinstance(value, Sequence) and (parts := _parts(value)):
                return "\n".join(parts)
    return None


def _parts(value: Sequence[object]) -> list[str]:
    """Read a text that is given in parts."""
    texts = [part.get("text") if isinstance(part, Mapping) else part for part in value]
    found = [text for text in texts if isinstance(text, str)]
    return found if len(found) == len(texts) else []


def id_of(record: Record) -> str | None:
    """Find a record's id: at its usual names, at any name that looks like one, last at a name without blanks."""
    levels = _levels(record)
    for level in levels:
        by_name = {str(key).lower(): item for key, item in level.items()}
        for name in _IDS:
            if (found := _scalar(by_name.get(name))) is not None:
                return found
        for key, item in level.items():
            if _ID_LIKE.search(str(key)) and (found := _scalar(item)) is not None:
                return found
    for name in _NAMES:
        if (found := _scalar(record.get(name))) is not None and " " not in found:
            return found
    return None


def _scalar(value: object) -> str | None:
    if isinstance(value, str):
        return value or None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def score_of(record: Record) -> tuple[float | None, ScoreKind]:
    """Find a record's score, and what its name says it is."""
    for level in _levels(record):
        for key, item in level.items():
            if _SCORE.search(str(key)) and (number := number_of(item)) is not None:
                return number, score_kind_of(str(key))
    return None, "unknown"


def score_kind_of(name: str) -> ScoreKind:
    """Tell from a score's name what it is."""
    lower = name.lower()
    if "distance" in lower:
        return "distance"
    if "similar" in lower or "certainty" in lower:
        return "similarity"
    return "rerank" if "relevance_score" in lower or "rerank" in lower else "unknown"


def number_of(value: object) -> float | None:
    """Read a finite number, also from a text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None

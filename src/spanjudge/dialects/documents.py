"""Documents in all the shapes that retrievers and tools give them: rules for shapes, not for products."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from spanjudge.dialects.decode import decode, decode_fully, is_prose, is_repr
from spanjudge.dialects.document import Record, document_of, number_of, text_of
from spanjudge.dialects.messages import is_message, is_tool_definition
from spanjudge.model import Document

Documents: TypeAlias = "tuple[Document, ...]"

MAX_DOCUMENTS: Final = 1_000
_MAX_DEPTH: Final = 5
_WRAPPERS: Final = (
    "documents",
    "docs",
    "source_nodes",
    "source_documents",
    "retrieved_documents",
    "relevantcontext",
    "artifact",
    "hits",
    "matches",
    "results",
    "passages",
    "chunks",
    "contexts",
    "context",
    "sources",
    "nodes",
    "points",
    "items",
    "records",
    "rows",
    "data",
    "value",
    "values",
    "structuredcontent",
    "content",
    "output",
    "outputs",
    "result",
    "response",
    "tool_response",
    "raw_output",
    "return_value",
    "kwargs",
    "body",
)
_PLURALS: Final = ("documents", "texts", "contents", "passages", "chunks", "page_contents", "snippets", "contexts")
_BLANK_LINE: Final = re.compile(r"\n[ \t]*\n")


def documents_in(value: object, depth: int = 0) -> Documents | None:
    """Find the list of documents in a value, in its order.

    Args:
        value: What a retriever or a tool returned: a list of records, of texts, parallel lists, rows of a table, any of
            these inside a record, or JSON of it, up to 5 levels deep.
        depth: How deep this value stands.

    Returns:
        Its documents, empty where the list is empty, None where there is no list of documents.

    >>> [d.id for d in documents_in('{"hits": [{"_id": 7, "_source": {"body": "Two years."}}]}')]
    ['7']
    """
    value = decode_fully(value)
    if depth > _MAX_DEPTH:
        return None
    if isinstance(value, Mapping):
        return _in_record({str(key): item for key, item in value.items()}, depth)
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return _in_list(list(value[:MAX_DOCUMENTS]), depth)
    return None


def listed(value: object) -> Documents | None:
    """Read a list that is known to be one of documents, with or without their texts."""
    value = decode(value)
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        return None
    items = _decoded(value[:MAX_DOCUMENTS])
    found = (document_of(item) if isinstance(item, Mapping) else Document(text=str(item)) for item in items)
    return tuple(document for document in found if document)


def ranked(documents: Sequence[Document], span_id: str | None = None) -> Documents:
    """Drop blank documents and number the rest from 0."""
    kept = [document for document in documents if document.text is None or document.text.strip()]
    return tuple(
        replace(document, rank=rank, source_span_id=document.source_span_id or span_id)
        for rank, document in enumerate(kept)
    )


def split_as(text: str, count: int) -> list[str] | None:
    r"""Split joined texts at blank lines, if that gives exactly as many parts as wanted.

    >>> split_as("a\n\nb", 2), split_as("a\n\nb", 3)
    (['a', 'b'], None)
    """
    parts = [part for part in _BLANK_LINE.split(text.strip("\n")) if part.strip()]
    return parts if len(parts) == count else None


def with_ids(documents: Sequence[Document], others: Documents) -> list[Document]:
    """Take ids from an equal list of documents, by position."""
    if len(others) != len(documents) or any(one.text != two.text for one, two in zip(documents, others, strict=True)):
        return list(documents)
    return [replace(one, id=two.id) for one, two in zip(documents, others, strict=True)]


def _decoded(items: Sequence[object]) -> list[object]:
    """Parse texts that hold JSON, where all of them do: a text that merely looks like JSON stands among others."""
    decoded = [decode(item, quoted=True) for item in items]
    texts = sum(isinstance(item, str) for item in items)
    left = sum(isinstance(item, str) for item in decoded)
    return list(items) if left and texts > left else decoded


def _in_list(items: list[object], depth: int) -> Documents | None:
    items = _decoded(items)
    if all(isinstance(item, str) for item in items):
        if any(isinstance(item, str) and is_repr(item) for item in items):
            return None
        return tuple(Document(text=item) for item in items if isinstance(item, str))
    if len(items) == 1:
        inner = _in_single(items[0], depth)
        if inner is not None:
            return inner
    rows = [row for item in items if (row := _row(item)) is not None]
    return _in_rows(rows) if len(rows) == len(items) else None


def _row(item: object) -> Record | None:
    """Take a record as it is; read one out of ``[document, score]`` and ``[id, text, score]``."""
    if isinstance(item, Mapping):
        return item
    if not isinstance(item, Sequence) or isinstance(item, str | bytes):
        return None
    row: dict[str, object] = {}
    texts = sorted((part for part in item if isinstance(part, str)), key=len)
    if texts:
        row["text"] = texts.pop()
        row |= {"id": texts[0]} if texts else {}
    for part in item:
        if isinstance(part, Mapping):
            row |= part
        elif (number := number_of(part)) is not None and not isinstance(part, str):
            row.setdefault("score", number)
    return row if "score" in row and len(row) > 1 else None


def _in_single(item: object, depth: int) -> Documents | None:
    """Look into the only item of a list: another list, or a part of a message that holds one as text."""
    if isinstance(item, Mapping) and is_message(item):
        return None
    if isinstance(item, Mapping) and _only_text(item):
        return documents_in(item.get("text"), depth + 1)
    return None if _is_document(item) else documents_in(item, depth + 1)


def _in_rows(rows: list[Record]) -> Documents | None:
    if any(is_message(row) or is_tool_definition(row) for row in rows):
        return None
    found = [document_of(row) for row in rows]
    if not any(document and document.text is not None for document in found):
        key = _prose_key(rows)
        if key is None:
            return None
        found = [document_of(row) for row in _renamed(rows, key)]
    known = [document for document in found if document is not None]
    return tuple(known) if len(known) * 2 >= len(rows) else None


def _renamed(rows: list[Record], prose: str) -> list[Record]:
    """Give records of unknown names the usual ones: ids are short and differ, scores are fractions."""
    others = [key for key in rows[0] if key != prose and all(key in row for row in rows)]
    ids = [key for key in others if _are_ids([row[key] for row in rows])]
    scores = [key for key in others if all(isinstance(row[key], float) for row in rows)]
    names = {prose: "text"} | dict.fromkeys(ids[:1], "id") | dict.fromkeys(scores[:1], "score")
    return [{names.get(str(key), str(key)): value for key, value in row.items()} for row in rows]


def _are_ids(values: list[object]) -> bool:
    texts = [value for value in values if isinstance(value, str) and value.isascii() and value and " " not in value]
    return len(set(texts)) == len(values)


def _in_message(record: Record, depth: int) -> Documents | None:
    """Look into what a message carries; the message itself is no document, though it has a text and an id."""
    inner = next((body for key in ("data", "kwargs") if isinstance(body := record.get(key), Mapping)), record)
    found = (documents_in(inner.get(key), depth + 1) for key in ("artifact", "content", "parts"))
    return next((documents for documents in found if documents is not None), None)


def _in_record(record: dict[str, object], depth: int) -> Documents | None:
    if is_message(record):
        return _in_message(record, depth)
    if is_tool_definition(record):
        return None
    table = _table(record) or _parallel(record)
    if table is not None:
        return table
    wrapped = _wrapped(record, depth)
    if wrapped:
        return wrapped
    if wrapped is None and _is_document(record) and len(record) > 1:
        one = document_of(record)
        return (one,) if one else None
    return wrapped if wrapped is not None else _under_other_names(record, depth)


def _wrapped(record: dict[str, object], depth: int) -> Documents | None:
    """Documents under one of the usual names; empty only where no name has any."""
    by_name = {key.lower(): item for key, item in record.items()}
    empty: Documents | None = None
    for name in _WRAPPERS:
        inner = by_name.get(name)
        if inner is None or (isinstance(inner, str) and decode(inner, quoted=True) is inner):
            continue
        found = documents_in(inner, depth + 1)
        if found:
            return found
        empty = found if empty is None else empty
    return empty


def _under_other_names(record: dict[str, object], depth: int) -> Documents | None:
    """Documents under unknown names: one that holds a list of them, or each under its id."""
    inner = {
        key: item
        for key, item in record.items()
        if isinstance(item, Sequence | Mapping) and not isinstance(item, str | bytes)
    }
    if len(inner) > 1 and len(inner) == len(record) and all(_is_document(item) for item in inner.values()):
        rows = [{"id": key, **item} for key, item in inner.items() if isinstance(item, Mapping)]
        return tuple(document for row in rows if (document := document_of(row)))
    lists = [found for key, item in inner.items() if key.lower() not in _WRAPPERS and (found := _records(item, depth))]
    marked = [found for found in lists if any(each.id is not None or each.score is not None for each in found)]
    chosen = marked or lists
    return chosen[0] if len(chosen) == 1 else None


def _records(item: object, depth: int) -> Documents | None:
    """Documents in a record, or in a list of records; a list of bare texts under an unknown name may be anything."""
    if isinstance(item, Sequence) and not all(isinstance(each, Mapping) for each in item):
        return None
    return documents_in(item, depth + 1)


def _parallel(record: dict[str, object]) -> Documents | None:
    """Read ``{"ids": [..], "documents": [..], "distances": [..]}``, also with each list in a list of its own."""
    lists: dict[str, Sequence[object]] = {}
    for key, item in record.items():
        if isinstance(item, Sequence) and not isinstance(item, str | bytes):
            inner = item[0] if len(item) == 1 else item
            lists[key.lower()] = inner if isinstance(inner, Sequence) and not isinstance(inner, str | bytes) else item
    for name in _PLURALS:
        texts = lists.get(name)
        if texts is None or not all(isinstance(text, str) for text in texts) or len(lists) < len(("texts", "ids")):
            continue
        beside = {key: values for key, values in lists.items() if len(values) == len(texts) and key != name}
        if not beside:
            continue
        rows = [
            {"text": text, **{key.rstrip("s"): values[index] for key, values in beside.items()}}
            for index, text in enumerate(texts)
        ]
        return tuple(document for row in rows if (document := document_of(row)))
    return None


def _table(record: dict[str, object]) -> Documents | None:
    """Read ``{"columns": [..], "rows": [[..], ..]}``."""
    columns = record.get("columns", record.get("fields"))
    if not isinstance(columns, Sequence) or isinstance(columns, str):
        return None
    names = [str(name.get("name", "")) if isinstance(name, Mapping) else str(name) for name in columns]
    for key in ("rows", "data", "values"):
        rows = record.get(key)
        if isinstance(rows, Sequence) and rows and all(isinstance(row, list | tuple) for row in rows):
            return _in_list([dict(zip(names, row, strict=False)) for row in rows if isinstance(row, list | tuple)], 1)
    return None


def _is_document(item: object) -> bool:
    return isinstance(item, Mapping) and text_of(item) is not None and not _only_text(item, strict=True)


def _only_text(item: Record, *, strict: bool = False) -> bool:
    """Whether a record is a part of a message (``{"type": "text", "text": ...}``) rather than a document."""
    if set(item) - {"text", "type", "annotations"}:
        return False
    return not strict or isinstance(decode(item.get("text"), quoted=True), Mapping | list)


def _prose_key(rows: list[Record]) -> str | None:
    """The name under which several records of an unknown shape hold prose: that of the longest texts."""
    best, longest = None, 0.0
    for key in rows[0]:
        texts = [text for row in rows if isinstance(text := row.get(key), str) and is_prose(text)]
        if len(texts) == len(rows) > 1 and (mean := sum(map(len, texts)) / len(texts)) > longest:
            best, longest = str(key), mean
    return best

"""Calls of vector stores: results stand in events of the span, if anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spanjudge.dialects.attributes import as_record, text
from spanjudge.dialects.document import id_of, number_of, score_kind_of, score_of, text_of
from spanjudge.dialects.documents import ranked
from spanjudge.dialects.facts import Facts, Kind
from spanjudge.model import Document

if TYPE_CHECKING:
    from spanjudge.sources.record import Attributes, SpanRecord

name: Final = "vector_store"
scopes: Final = ()

_SYSTEMS: Final = ("db.system", "db.system.name")
_OPERATIONS: Final = ("db.operation", "db.operation.name")
_STORES: Final = frozenset(
    {
        "azure_ai_search",
        "chroma",
        "chromadb",
        "faiss",
        "lancedb",
        "marqo",
        "milvus",
        "pg_vector",
        "pgvector",
        "pinecone",
        "qdrant",
        "turbopuffer",
        "vespa",
        "weaviate",
    }
)
_SEARCHES: Final = ("query", "search", "near", "retriev", "hybrid", "recommend", "get")
_RESULTS: Final = ("db.query.result", "db.search.result")
_QUERY: Final = "db.vector.query.content"


def kind(span: SpanRecord) -> Kind | None:
    """What the span does: a search in a vector store is a retriever, anything else that is done to one is nothing."""
    return "retriever" if speaks(span) else None


def speaks(span: SpanRecord) -> bool:
    """Whether the span is a search in a vector store."""
    given = span.attributes
    system = text(given, *_SYSTEMS)
    if system is None or system.lower() not in _STORES:
        return False
    done = (text(given, *_OPERATIONS) or span.name.rpartition(".")[2]).lower()
    return any(word in done for word in _SEARCHES)


def read(span: SpanRecord) -> Facts:
    """All that the span says, decoded."""
    given = span.attributes
    found = [_document(event.attributes, event.name) for event in span.events if event.name in _RESULTS]
    known = [document for document in found if document is not None]
    return Facts(
        kind="retriever",
        query=text(given, _QUERY),
        documents=ranked(known, span.span_id) if known else None,
        gaps=len(known) != len(found),
        data_source=text(given, "db.collection.name", "qdrant.search.collection_name", "db.milvus.search.collection"),
        dialects=(name,),
    )


def _document(attributes: Attributes, event: str) -> Document | None:
    given = {key.removeprefix(event + "."): value for key, value in attributes.items()}
    metadata = as_record(given.pop("metadata", None))
    whole = {**given, **({"metadata": metadata} if metadata else {})}
    content, found_id = text_of(whole), id_of(whole)
    if content is None and found_id is None:
        return None
    key = next((key for key in ("distance", "score") if number_of(given.get(key)) is not None), None)
    score, kind_of_score = score_of(whole) if key is None else (number_of(given[key]), score_kind_of(key))
    return Document(text=content, id=found_id, score=score, score_kind=kind_of_score)

"""Forms in which search tools return documents, and what each form tells of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from profiles import Doc


@dataclass(frozen=True)
class Shape:
    """A form of results; `ids`, `scores` and `distance` say which facts it has."""

    name: str
    form: Callable[[Sequence[Doc]], Any]
    ids: bool = True
    scores: bool = True
    distance: bool = False

    def __call__(self, documents: Sequence[Doc]) -> Any:
        return self.form(documents)


def _distance(doc: Doc) -> float:
    return round(1 - (doc.score or 0), 4)


def _elasticsearch(documents: Sequence[Doc]) -> Any:
    hits = [
        {"_index": "kb", "_id": str(doc.id), "_score": doc.score, "_source": {**doc.metadata, "text": doc.text}}
        for doc in documents
    ]
    best = max((doc.score or 0 for doc in documents), default=None)
    total = {"value": len(hits), "relation": "eq"}
    return {"took": 3, "timed_out": False, "hits": {"total": total, "max_score": best, "hits": hits}}


def _pinecone(documents: Sequence[Doc]) -> Any:
    matches = [
        {"id": str(doc.id), "score": doc.score, "values": [], "metadata": {**doc.metadata, "text": doc.text}}
        for doc in documents
    ]
    return {"matches": matches, "namespace": "kb", "usage": {"read_units": 5}}


def _chroma(documents: Sequence[Doc]) -> Any:
    return {
        "ids": [[str(doc.id) for doc in documents]],
        "documents": [[doc.text for doc in documents]],
        "metadatas": [[doc.metadata or None for doc in documents]],
        "distances": [[_distance(doc) for doc in documents]],
    }


def _arrays(documents: Sequence[Doc]) -> Any:
    return {
        "ids": [doc.id for doc in documents],
        "texts": [doc.text for doc in documents],
        "scores": [doc.score for doc in documents],
    }


def _weaviate(documents: Sequence[Doc]) -> Any:
    found = [{"text": doc.text, "_additional": {"id": str(doc.id), "distance": _distance(doc)}} for doc in documents]
    return {"data": {"Get": {"Passage": found}}}


def _qdrant(documents: Sequence[Doc]) -> Any:
    points = [
        {"id": doc.id, "version": 3, "score": doc.score, "payload": {**doc.metadata, "text": doc.text}}
        for doc in documents
    ]
    return {"result": {"points": points}, "status": "ok", "time": 0.002}


def _bedrock(documents: Sequence[Doc]) -> Any:
    results = [
        {
            "content": {"text": doc.text, "type": "TEXT"},
            "location": {"type": "S3", "s3Location": {"uri": f"s3://kb/{doc.id}"}},
            "score": doc.score,
        }
        for doc in documents
    ]
    return {"retrievalResults": results}


def _rows(documents: Sequence[Doc]) -> Any:
    return {
        "columns": ["id", "body", "score"],
        "rows": [[doc.id, doc.text, doc.score] for doc in documents],
        "rowcount": len(documents),
    }


SHAPES = {
    shape.name: shape
    for shape in (
        Shape("plain", lambda docs: [{"id": doc.id, "text": doc.text, "score": doc.score} for doc in docs]),
        Shape(
            "doc_id",
            lambda docs: [
                {"content": doc.text, "doc_id": doc.id, "similarity": doc.score, "metadata": doc.metadata}
                for doc in docs
            ],
        ),
        Shape(
            "results",
            lambda docs: {
                "results": [
                    {"id": doc.id, "title": f"Page {index}", "snippet": doc.text, "score": doc.score}
                    for index, doc in enumerate(docs, start=1)
                ]
            },
        ),
        Shape(
            "total",
            lambda docs: {
                "documents": [{"id": doc.id, "text": doc.text, "score": doc.score} for doc in docs],
                "total": len(docs),
            },
        ),
        Shape(
            "chunks",
            lambda docs: [{"chunk_id": doc.id, "page_content": doc.text, "relevance": doc.score} for doc in docs],
        ),
        Shape("elasticsearch", _elasticsearch),
        Shape("pinecone", _pinecone),
        Shape("chroma", _chroma, distance=True),
        Shape("arrays", _arrays),
        Shape("weaviate", _weaviate, distance=True),
        Shape("qdrant", _qdrant),
        Shape("bedrock", _bedrock, ids=False),
        Shape("rows", _rows),
        Shape(
            "records",
            lambda docs: [{"id": doc.id, "body": doc.text, "distance": _distance(doc)} for doc in docs],
            distance=True,
        ),
        Shape(
            "azure",
            lambda docs: {
                "@odata.count": len(docs),
                "value": [
                    {"@search.score": doc.score, "chunk_id": str(doc.id), "chunk": doc.text, "title": "Manual"}
                    for doc in docs
                ],
            },
        ),
        Shape("strings", lambda docs: [doc.text for doc in docs], ids=False, scores=False),
        Shape(
            "mcp",
            lambda docs: {"content": [{"type": "text", "text": doc.text} for doc in docs], "isError": False},
            ids=False,
            scores=False,
        ),
    )
}


def told(documents: Sequence[Doc], shape: Shape) -> list[dict[str, Any]]:
    """Say what a reader of this form can know: the expected contexts."""
    contexts = []
    for doc in documents:
        score = _distance(doc) if shape.distance else doc.score
        context: dict[str, Any] = {
            "id": str(doc.id) if shape.ids else None,
            "text": doc.text,
            "score": score if shape.scores else None,
        }
        if shape.distance:
            context["score_kind"] = "distance"
        contexts.append(context)
    return contexts


def contexts(documents: Sequence[Doc], *, ids: bool = True, scores: bool = True) -> list[dict[str, Any]]:
    """Say what is expected where documents stand on spans as documents."""
    return [
        {"id": str(doc.id) if ids else None, "text": doc.text, "score": doc.score if scores else None}
        for doc in documents
    ]


def joined(documents: Sequence[Doc], blank: str = "\n\n") -> str:
    return blank.join(doc.text for doc in documents)

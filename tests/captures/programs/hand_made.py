"""People's own instrumentation with the plain SDK: every team names its attributes in its own way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from opentelemetry.trace import SpanKind, StatusCode
from profiles import (
    ARABIC,
    CHINESE,
    CODE,
    EMPTY,
    ENGLISH,
    EQUAL,
    GERMAN,
    HINDI,
    JAPANESE,
    JSON_TEXTS,
    KOREAN,
    LONG,
    MANY,
    NUMBERS,
    SHORT,
    Doc,
    Profile,
)
from shapes import SHAPES, contexts
from stage import Stage


def _plain(docs: tuple[Doc, ...]) -> str:
    return json.dumps([{"id": doc.id, "text": doc.text, "score": doc.score} for doc in docs], ensure_ascii=False)


def _one_span(stage: Stage, name: str, attributes: dict[str, Any]) -> None:
    with stage.tracer.start_as_current_span(name) as span:
        for key, value in attributes.items():
            span.set_attribute(key, value)


def rag_attributes(stage: Stage) -> None:
    with stage.capture(
        "hand_made_rag_attributes", "rag.documents, a JSON string", "three runs, a trace each"
    ) as capture:
        for profile in (ENGLISH, KOREAN, JSON_TEXTS):
            _one_span(
                stage,
                "answer_question",
                {
                    "rag.query": profile.question,
                    "rag.documents": _plain(profile.documents),
                    "rag.answer": profile.answer,
                    "session.id": f"chat-{profile.name}",
                    "user.id": "u-17",
                },
            )
            capture.run(
                profile,
                "answer_question",
                contexts(profile.documents),
                session_id=f"chat-{profile.name}",
                user_id="u-17",
            )


def question_context_answer(stage: Stage) -> None:
    note = "`context` is an array of strings; the last run found nothing and has an empty array"
    with stage.capture("hand_made_question_context_answer", "context, an array of strings", note) as capture:
        for profile in (CHINESE, CODE, EMPTY):
            texts = [doc.text for doc in profile.documents]
            _one_span(
                stage, "rag", {"question": profile.question, "context": texts, "answer": profile.answer, "top_k": 4}
            )
            capture.run(profile, "rag", contexts(profile.documents, ids=False, scores=False))


def flattened(stage: Stage) -> None:
    note = "sixteen documents: index 10 comes after 9, not after 1"
    with stage.capture("hand_made_flattened", "documents.N.text, .id, .score", note) as capture:
        for profile in (MANY, EQUAL):
            attributes: dict[str, Any] = {"question": profile.question, "answer": profile.answer}
            for index, doc in enumerate(profile.documents):
                attributes[f"documents.{index}.id"] = str(doc.id)
                attributes[f"documents.{index}.text"] = doc.text
                attributes[f"documents.{index}.score"] = doc.score
            _one_span(stage, "ask", dict(sorted(attributes.items())))
            capture.run(profile, "ask", contexts(profile.documents))


def event_per_document(stage: Stage) -> None:
    with stage.capture("hand_made_event_per_document", "one span event `document` per document") as capture:
        for profile in (GERMAN, EQUAL):
            with stage.tracer.start_as_current_span("POST /ask", kind=SpanKind.SERVER) as server:
                server.set_attribute("http.request.method", "POST")
                server.set_attribute("url.path", "/ask")
                with stage.tracer.start_as_current_span("rag") as span:
                    span.set_attribute("rag.query", profile.question)
                    for rank, doc in enumerate(profile.documents):
                        span.add_event(
                            "document",
                            {"rank": rank, "document.id": str(doc.id), "text": doc.text, "score": doc.score or 0.0},
                        )
                    span.set_attribute("rag.answer", profile.answer)
            capture.run(profile, "rag", contexts(profile.documents))


def parts_in_children(stage: Stage) -> None:
    note = "the question and answer stand on the outer span, the documents on its child"
    with stage.capture(
        "hand_made_parts_in_children", "documents of the child `retrieve`, JSON string", note
    ) as capture:
        for profile in (JAPANESE, ARABIC):
            with stage.tracer.start_as_current_span("chat") as span:
                span.set_attribute("input", profile.question)
                with stage.tracer.start_as_current_span("retrieve") as inner:
                    inner.set_attribute("query", profile.search)
                    inner.set_attribute("documents", _plain(profile.documents))
                with stage.tracer.start_as_current_span("generate") as inner:
                    inner.set_attribute("model", "stub-model")
                    inner.set_attribute("prompt", f"Use:\n{_plain(profile.documents)}\n\n{profile.question}")
                    inner.set_attribute("completion", profile.answer)
                span.set_attribute("output", profile.answer)
            capture.run(profile, "chat", contexts(profile.documents))


def own_openinference(stage: Stage) -> None:
    note = (
        "OpenInference attributes set by hand; ids and scores on the document attributes; the last two lie side by side"
    )
    with stage.capture("openinference_by_hand", "RETRIEVER span retrieval.documents.*", note) as capture:
        for profile in (SHORT, CODE):
            _by_hand(stage, profile)
            capture.run(profile, "support", contexts(profile.documents), session_id="s-1")
        with stage.tracer.start_as_current_span("nightly batch"):
            for profile in (ENGLISH, EMPTY):
                _by_hand(stage, profile)
                capture.run(profile, "support", contexts(profile.documents), session_id="s-1")


def _by_hand(stage: Stage, profile: Profile) -> None:
    with stage.tracer.start_as_current_span("support") as span:
        span.set_attribute("openinference.span.kind", "CHAIN")
        span.set_attribute("input.value", profile.question)
        span.set_attribute("session.id", "s-1")
        with stage.tracer.start_as_current_span("find") as inner:
            inner.set_attribute("openinference.span.kind", "RETRIEVER")
            inner.set_attribute("input.value", profile.search)
            inner.set_attribute("output.value", _plain(profile.documents))
            for index, doc in enumerate(profile.documents):
                base = f"retrieval.documents.{index}.document"
                inner.set_attribute(f"{base}.id", str(doc.id))
                inner.set_attribute(f"{base}.content", doc.text)
                inner.set_attribute(f"{base}.score", doc.score or 0.0)
        span.set_attribute("output.value", profile.answer)


def other_names(stage: Stage) -> None:
    note = "names of other teams; the last run's documents are the rows of its child"
    with stage.capture("hand_made_other_names", "app.sources, chunks.N.content, rows", note) as capture:
        for profile in (LONG, NUMBERS):
            sources = [{"doc_id": doc.id, "content": doc.text, "similarity": doc.score} for doc in profile.documents]
            _one_span(
                stage,
                "qa",
                {
                    "app.user_question": profile.question,
                    "app.sources": json.dumps({"sources": sources}, ensure_ascii=False),
                    "app.final_answer": profile.answer,
                    "app.prompt_version": "v7",
                },
            )
            capture.run(profile, "qa", contexts(profile.documents))
        for profile in (HINDI,):
            attributes: dict[str, Any] = {"user_query": profile.question, "llm.response": profile.answer}
            for index, doc in enumerate(profile.documents):
                attributes[f"chunks.{index}.content"] = doc.text
                attributes[f"chunks.{index}.source_id"] = str(doc.id)
            _one_span(stage, "rag_pipeline", attributes)
            capture.run(profile, "rag_pipeline", contexts(profile.documents, scores=False))
        profile = CHINESE
        with stage.tracer.start_as_current_span("ask") as span:
            span.set_attribute("question", profile.question)
            with stage.tracer.start_as_current_span("vector_search") as inner:
                inner.set_attribute("db.system", "pgvector")
                inner.set_attribute("results", json.dumps(SHAPES["rows"](profile.documents), ensure_ascii=False))
            span.set_attribute("answer", profile.answer)
        capture.run(profile, "ask", contexts(profile.documents))


def failed(stage: Stage) -> None:
    note = "the span failed after the documents were found: no answer, status ERROR"
    with stage.capture("hand_made_failed", "rag.documents, a JSON string", note) as capture:
        with stage.tracer.start_as_current_span("answer_question") as span:
            span.set_attribute("rag.query", KOREAN.question)
            span.set_attribute("rag.documents", _plain(KOREAN.documents))
            span.set_status(StatusCode.ERROR, "model timed out")
        capture.run(KOREAN, "answer_question", contexts(KOREAN.documents), answer=None, skip="source_error")


def main(out: Path, only: str, _: str) -> None:
    stage = Stage(out, only)
    stage.instrumentation = "opentelemetry-sdk, attributes set by hand"
    rag_attributes(stage)
    question_context_answer(stage)
    flattened(stage)
    event_per_document(stage)
    parts_in_children(stage)
    own_openinference(stage)
    failed(stage)
    other_names(stage)

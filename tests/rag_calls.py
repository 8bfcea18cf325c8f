"""RAG calls as an OpenInference instrumentation writes them, made through the ordinary tracing API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opentelemetry import trace

if TYPE_CHECKING:
    from collections.abc import Sequence

QUESTION = "How long does the battery warranty last?"
DOCUMENTS = ("The battery warranty lasts 24 months.", "It does not cover water damage.")
ANSWER = "The battery warranty lasts 24 months."
KIND, GIVEN, SAID = "openinference.span.kind", "input.value", "output.value"


def rag_call(
    tracer: trace.Tracer,
    *,
    question: str = QUESTION,
    documents: Sequence[str] = DOCUMENTS,
    answer: str = ANSWER,
    ground_truth: str | None = None,
) -> trace.SpanContext:
    """Make a chain with a retriever and a model under it; return the chain's context."""
    with tracer.start_as_current_span("chain") as chain:
        chain.set_attributes({KIND: "CHAIN", GIVEN: question})
        if ground_truth is not None:
            chain.set_attribute("spanjudge.ground_truth", ground_truth)
        with tracer.start_as_current_span("retrieve") as retriever:
            retriever.set_attributes({KIND: "RETRIEVER", GIVEN: question})
            for rank, text in enumerate(documents):
                prefix = f"retrieval.documents.{rank}.document."
                retriever.set_attributes({prefix + "content": text, prefix + "id": f"kb-{rank}"})
            if not documents:
                retriever.set_attribute("retrieval.documents", ())
        with tracer.start_as_current_span("model") as model:
            model.set_attributes({KIND: "LLM", GIVEN: question, SAID: answer})
        chain.set_attribute(SAID, answer)
        return chain.get_span_context()

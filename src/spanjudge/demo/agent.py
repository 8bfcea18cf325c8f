"""A small RAG agent, traced as OpenInference instrumentations trace one: chain, retriever, LLM."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from opentelemetry import context as otel_context

from spanjudge import semconv
from spanjudge.demo.answerer import answer

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

    from spanjudge.demo.bm25 import Bm25, Hit

HITS: Final = 4
MODEL: Final = "extractive"
NAME: Final = "manual"
PROMPT: Final = "Answer from these passages of the manual:"


class ManualAgent:
    """Answers questions about Python from passages of its manual.

    Args:
        tracer: Makes the spans.
        index: Finds passages.
    """

    def __init__(self, tracer: Tracer, index: Bm25) -> None:
        self._tracer = tracer
        self._index = index
        self.dropped_hits = 0
        """How many of its best hits the retriever loses: 0 while it works."""

    def ask(self, question: str) -> str:
        """Answer a question; each call is a trace of its own."""
        with self._tracer.start_as_current_span(
            "answer_question",
            context=otel_context.Context(),
            attributes={semconv.OPENINFERENCE_KIND: "CHAIN", "agent.name": NAME, "input.value": question},
        ) as span:
            hits = self._retrieve(question)
            text = self._answer(question, hits)
            span.set_attribute("output.value", text)
            return text

    def _retrieve(self, question: str) -> list[Hit]:
        with self._tracer.start_as_current_span(
            "search_manual", attributes={semconv.OPENINFERENCE_KIND: "RETRIEVER", "input.value": question}
        ) as span:
            hits = self._index.search(question, HITS + self.dropped_hits)[self.dropped_hits :]
            for rank, hit in enumerate(hits):
                prefix = f"retrieval.documents.{rank}.document"
                span.set_attribute(f"{prefix}.id", hit.passage.id)
                span.set_attribute(f"{prefix}.content", hit.passage.text)
                span.set_attribute(f"{prefix}.score", hit.score)
            return hits

    def _answer(self, question: str, hits: list[Hit]) -> str:
        prompt = "\n\n".join((PROMPT, *(hit.passage.text for hit in hits)))
        with self._tracer.start_as_current_span(
            "extract_answer",
            attributes={
                semconv.OPENINFERENCE_KIND: "LLM",
                "llm.model_name": MODEL,
                "input.value": question,
                "llm.input_messages.0.message.role": "system",
                "llm.input_messages.0.message.content": prompt,
                "llm.input_messages.1.message.role": "user",
                "llm.input_messages.1.message.content": question,
            },
        ) as span:
            text = answer(question, [hit.passage for hit in hits])
            span.set_attribute("llm.output_messages.0.message.role", "assistant")
            span.set_attribute("llm.output_messages.0.message.content", text)
            span.set_attribute("output.value", text)
            return text

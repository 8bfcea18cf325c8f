"""RAG calls as captured runs, as span records, and as real spans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from spanjudge import semconv
from spanjudge.model import Document, RagRun, TargetSpan
from spanjudge.semconv import GROUND_TRUTH
from spanjudge.sources.record import SpanRecord

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opentelemetry.trace import Tracer

QUESTION: Final = "What is the capital of France?"
DOCUMENTS: Final = ("Paris is the capital of France.", "Lyon is known for its food.")
ANSWER: Final = "The capital of France is Paris."

_START_NS: Final = 1_700_000_000_000_000_000
_STEP_NS: Final = 1_000_000
_KIND: Final = semconv.OPENINFERENCE_KIND
_INPUT: Final = "input.value"
_OUTPUT: Final = "output.value"
_NO_DOCUMENTS: Final[dict[str, Any]] = {"retrieval.documents": (), _OUTPUT: '{"documents": []}'}


@dataclass(frozen=True, slots=True)
class _Call:
    question: str
    documents: tuple[str, ...]
    answer: str
    ground_truth: str | None

    def chain(self) -> dict[str, Any]:
        truth = {} if self.ground_truth is None else {GROUND_TRUTH: self.ground_truth}
        return {_KIND: "CHAIN", _INPUT: self.question, _OUTPUT: self.answer, **truth}

    def retriever(self) -> dict[str, Any]:
        documents = {
            f"retrieval.documents.{rank}.document.{name}": value
            for rank, text in enumerate(self.documents)
            for name, value in (("id", f"doc-{rank}"), ("content", text))
        }
        return {_KIND: "RETRIEVER", _INPUT: self.question, **(documents or _NO_DOCUMENTS)}

    def llm(self) -> dict[str, Any]:
        return {
            _KIND: "LLM",
            "llm.model_name": "test-model",
            "llm.input_messages.0.message.role": "user",
            "llm.input_messages.0.message.content": "\n\n".join((*self.documents, self.question)),
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.content": self.answer,
        }

    def children(self) -> Iterator[tuple[str, dict[str, Any]]]:
        yield "retrieve", self.retriever()
        yield "generate", self.llm()


def rag_run(
    question: str | None = QUESTION,
    documents: Sequence[str] | None = DOCUMENTS,
    answer: str | None = ANSWER,
    *,
    number: int = 1,
    **fields: Any,
) -> RagRun:
    """Make a captured run.

    Args:
        question: The user's question, None: not captured.
        documents: Retrieved texts by rank, None: not captured.
        answer: The answer, None: not captured.
        number: Tells runs apart; trace and span ids are made of it.
        fields: Any other field of RagRun, such as ``ground_truth``.

    >>> rag_run(ground_truth="Paris.").ground_truth
    'Paris.'
    """
    given = {"target": TargetSpan(trace_id=_trace_id(number), span_id=_span_id(number, 1), name="answer"), **fields}
    contexts = (
        None
        if documents is None
        else tuple(Document(text, id=f"doc-{rank}", rank=rank) for rank, text in enumerate(documents))
    )
    return RagRun(query=question, contexts=contexts, answer=answer, **given)


def rag_spans(
    question: str = QUESTION,
    documents: Sequence[str] = DOCUMENTS,
    answer: str = ANSWER,
    *,
    ground_truth: str | None = None,
    number: int = 1,
) -> list[SpanRecord]:
    """Make the ended spans of one RAG call as OpenInference writes them: a chain over a retriever and an LLM.

    Args:
        question: The user's question.
        documents: Retrieved texts by rank.
        answer: The answer.
        ground_truth: Reference answer, as an attribute of the chain.
        number: Tells traces apart; trace and span ids are made of it.
    """
    call = _Call(question, tuple(documents), answer, ground_truth)
    children = list(call.children())
    root = _span_id(number, 1)
    spans = [
        SpanRecord(
            trace_id=_trace_id(number),
            span_id=_span_id(number, 2 + place),
            parent_id=root,
            name=name,
            start_ns=_START_NS + (1 + 2 * place) * _STEP_NS,
            end_ns=_START_NS + (2 + 2 * place) * _STEP_NS,
            attributes=attributes,
        )
        for place, (name, attributes) in enumerate(children)
    ]
    end_ns = _START_NS + (2 * len(children) + 1) * _STEP_NS
    chain = SpanRecord(
        trace_id=_trace_id(number),
        span_id=root,
        name="answer",
        start_ns=_START_NS,
        end_ns=end_ns,
        attributes=call.chain(),
    )
    return [chain, *spans]


def trace_rag_call(
    tracer: Tracer,
    question: str = QUESTION,
    documents: Sequence[str] = DOCUMENTS,
    answer: str = ANSWER,
    *,
    ground_truth: str | None = None,
) -> None:
    """Record one RAG call as real spans with a tracer: a chain over a retriever and an LLM, as OpenInference does.

    Args:
        tracer: Where the spans are made.
        question: The user's question.
        documents: Retrieved texts by rank.
        answer: The answer.
        ground_truth: Reference answer, as an attribute of the chain.
    """
    call = _Call(question, tuple(documents), answer, ground_truth)
    with tracer.start_as_current_span("answer", attributes=call.chain()):
        for name, attributes in call.children():
            with tracer.start_as_current_span(name, attributes=attributes):
                pass


def _trace_id(number: int) -> str:
    return f"{number:032x}"


def _span_id(number: int, place: int) -> str:
    return f"{number:08x}{place:08x}"

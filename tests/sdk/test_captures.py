"""Spans of a really instrumented program, taken at their starts and ends."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import pytest
from langchain_core.documents import Document as Page
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnablePassthrough
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.sdk.trace import ReadableSpan, SpanLimits, SpanProcessor, TracerProvider

from spanjudge.assembly import OpenTraces, assemble
from spanjudge.model import RagRun
from spanjudge.sources.sdk import to_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import Span

    from spanjudge.sources.record import SpanRecord

PAGES = [
    Page(id="a", page_content="The warranty lasts two years."),
    Page(id="b", page_content="Returns within 30 days."),
]


class Pages(BaseRetriever):
    """Finds the same pages for every query."""

    found: list[Page]

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Page]:
        del query, run_manager
        return self.found


class Tape(SpanProcessor):
    """Keeps starts and ends in the order in which they happen."""

    def __init__(self) -> None:
        self.spans: deque[SpanRecord] = deque()

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        del parent_context
        self.spans.append(to_record(span))

    def on_end(self, span: ReadableSpan) -> None:
        self.spans.append(to_record(span))

    def play(self) -> list[object]:
        traces = OpenTraces()
        for span in self.spans:
            (traces.ended if span.end_ns else traces.started)(span, 0.0)
        return list(traces.due(1.0))

    def ended(self) -> list[SpanRecord]:
        return [span for span in self.spans if span.end_ns]


@pytest.fixture
def tape(request: pytest.FixtureRequest) -> Iterator[Tape]:
    tape = Tape()
    provider = TracerProvider(span_limits=getattr(request, "param", None))
    provider.add_span_processor(tape)
    instrumentor = LangChainInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    tape.tracer = provider.get_tracer("my-app")  # type: ignore[attr-defined]
    yield tape
    instrumentor.uninstrument()
    provider.shutdown()


def chain(pages: list[Page]) -> Any:
    prompt = ChatPromptTemplate.from_messages([("system", "Use:\n{context}"), ("user", "{question}")])
    answer = FakeListChatModel(responses=["It lasts two years."])
    return {"context": Pages(found=pages), "question": RunnablePassthrough()} | prompt | answer | StrOutputParser()


def told(closed: list[object]) -> list[tuple[object, ...]]:
    runs = [each for each in closed if isinstance(each, RagRun)]
    assert len(runs) == len(closed)
    return sorted((run.query, run.answer, tuple((each.id, each.text) for each in run.contexts or ())) for run in runs)


FOUND = tuple((page.id, page.page_content) for page in PAGES)


def test_chain_under_a_span_of_the_application_is_one_run(tape: Any) -> None:
    with tape.tracer.start_as_current_span("GET /ask"):
        chain(PAGES).invoke("How long?")
        assert told(tape.play()) == [("How long?", "It lasts two years.", FOUND)]
    assert tape.play() == assemble(tape.ended())


def test_chains_in_threads_are_runs_of_their_own(tape: Any) -> None:
    questions = [f"Question {number}?" for number in range(5)]
    chain(PAGES).batch(questions)
    assert told(tape.play()) == [(question, "It lasts two years.", FOUND) for question in questions]


def test_streamed_answer_is_whole(tape: Any) -> None:
    assert "".join(chain(PAGES).stream("How long?")) == "It lasts two years."
    assert told(tape.play()) == [("How long?", "It lasts two years.", FOUND)]


def test_empty_result_is_known(tape: Any) -> None:
    chain([]).invoke("How long?")
    (run,) = tape.play()
    assert (run.contexts, run.complete) == ((), True)


@pytest.mark.parametrize("tape", [SpanLimits(max_span_attributes=8)], indirect=True)
def test_limit_on_attributes_is_told(tape: Any) -> None:
    chain([Page(id=str(number), page_content=f"Text {number}.") for number in range(20)]).invoke("How long?")
    (run,) = tape.play()
    assert (run.skip_reason, run.contexts) == ("attributes_dropped", None)


@pytest.mark.parametrize("tape", [SpanLimits(max_span_attribute_length=40)], indirect=True)
def test_limit_on_lengths_is_told(tape: Any) -> None:
    chain([Page(id="a", page_content="A text that is much longer than the limit allows.")]).invoke("How long?")
    (run,) = tape.play()
    assert run.skip_reason == "truncated"

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from spanjudge.assembly import assemble
from spanjudge.demo.agent import HITS, NAME, ManualAgent
from spanjudge.demo.bm25 import Bm25
from spanjudge.demo.corpus import Passage
from spanjudge.sources.sdk import to_record

TEXTS = [f"The red house number {number} has a blue door." for number in range(9)]


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def agent(exporter: InMemorySpanExporter) -> ManualAgent:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    index = Bm25([Passage(f"t#{number}", "t", "", text) for number, text in enumerate(TEXTS)])
    return ManualAgent(provider.get_tracer("test"), index)


def by_name(exporter: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    return {span.name: span for span in exporter.get_finished_spans()}


def contents(span: ReadableSpan) -> list[object]:
    attributes = span.attributes or {}
    return [attributes.get(f"retrieval.documents.{rank}.document.content") for rank in range(HITS)]


def test_a_call_is_a_chain_over_a_retriever_and_an_llm(agent: ManualAgent, exporter: InMemorySpanExporter) -> None:
    text = agent.ask("red house door")
    spans = by_name(exporter)
    chain, retriever, llm = spans["answer_question"], spans["search_manual"], spans["extract_answer"]
    kinds = [(span.attributes or {})["openinference.span.kind"] for span in (chain, retriever, llm)]
    assert kinds == ["CHAIN", "RETRIEVER", "LLM"]
    assert chain.parent is None
    assert {span.parent and span.parent.span_id for span in (retriever, llm)} == {chain.get_span_context().span_id}
    assert (chain.attributes or {})["output.value"] == text
    assert contents(retriever) == TEXTS[:HITS]


def test_broken_retriever_loses_its_best_hits(agent: ManualAgent, exporter: InMemorySpanExporter) -> None:
    agent.dropped_hits = 3
    agent.ask("red house door")
    assert contents(by_name(exporter)["search_manual"]) == TEXTS[3 : 3 + HITS]


def test_each_call_is_a_trace_of_its_own(agent: ManualAgent, exporter: InMemorySpanExporter) -> None:
    agent.ask("red house")
    agent.ask("blue door")
    assert len({span.get_span_context().trace_id for span in exporter.get_finished_spans()}) == 2


def test_the_trace_is_captured_as_a_complete_run(agent: ManualAgent, exporter: InMemorySpanExporter) -> None:
    answer = agent.ask("red house door")
    (run,) = assemble([to_record(span) for span in exporter.get_finished_spans()])
    assert (run.query, run.answer, run.complete, run.agent) == ("red house door", answer, True, NAME)
    assert run.contexts is not None
    assert [(document.id, document.text) for document in run.contexts] == [
        (f"t#{number}", TEXTS[number]) for number in range(HITS)
    ]
    assert run.target is not None
    assert run.target.name == "answer_question"

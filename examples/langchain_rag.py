"""Adds spanjudge to a LangChain RAG chain and prints the evaluation spans: python examples/langchain_rag.py"""

from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor
from warranty_chain import answer

from spanjudge import JudgeSpanProcessor

provider = TracerProvider()
provider.add_span_processor(JudgeSpanProcessor(tracer_provider=provider, ground_truth=lambda _: "It lasts 24 months."))
show = ConsoleSpanExporter(formatter=lambda span: span.to_json() + "\n" if span.name.startswith("evaluate ") else "")
provider.add_span_processor(SimpleSpanProcessor(show))
LangChainInstrumentor().instrument(tracer_provider=provider)
print(answer("How long does the battery warranty last?"))

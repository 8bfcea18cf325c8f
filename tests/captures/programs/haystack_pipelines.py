"""Haystack pipelines of a retriever, a prompt and a model: its own tracing and OpenInference's."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

from haystack import Document, Pipeline, component, tracing
from haystack.components.builders import ChatPromptBuilder
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.utils import Secret
from opentelemetry.trace import SpanKind
from profiles import ARABIC, CODE, EMPTY, EQUAL, GERMAN, JAPANESE, JSON_TEXTS, KOREAN, MANY, NUMBERS, SHORT
from shapes import contexts
from stage import Stage
from tools import profile_of


@component
class KnowledgeRetriever:
    """A retriever that returns the profile's documents."""

    @component.output_types(documents=list[Document])
    def run(self, query: str) -> dict[str, Any]:
        """Find documents."""
        return {
            "documents": [
                Document(id=str(doc.id), content=doc.text, score=doc.score, meta={"lang": "any", **doc.metadata})
                for doc in profile_of(query).documents
            ]
        }


def pipeline(stage: Stage) -> Pipeline:
    """Build the pipeline of every tutorial."""
    whole = Pipeline()
    template = [
        ChatMessage.from_system("Context:\n{% for doc in documents %}{{ doc.content }}\n{% endfor %}"),
        ChatMessage.from_user("{{ question }}"),
    ]
    whole.add_component("retriever", KnowledgeRetriever())
    whole.add_component("prompt", ChatPromptBuilder(template=template, required_variables=["question", "documents"]))
    whole.add_component(
        "llm",
        OpenAIChatGenerator(
            model="stub-model", api_base_url=stage.model.url, api_key=Secret.from_token("none"), max_retries=0
        ),
    )
    whole.connect("retriever.documents", "prompt.documents")
    whole.connect("prompt.prompt", "llm.messages")
    return whole


def main(out: Path, only: str, framework: str) -> None:
    stage = Stage(out, only)
    if framework.startswith("openinference"):
        from openinference.instrumentation.haystack import HaystackInstrumentor  # noqa: PLC0415

        name, target = "openinference-instrumentation-haystack", "Pipeline.run"
        HaystackInstrumentor().instrument(tracer_provider=stage.provider)
    else:
        from haystack_integrations.tracing.opentelemetry import OpenTelemetryTracer  # noqa: PLC0415

        name, target = "opentelemetry-haystack", "haystack.pipeline.run"
        tracing.tracer.is_content_tracing_enabled = True
        tracing.enable_tracing(OpenTelemetryTracer(stage.provider.get_tracer("haystack")))
    stage.instrumentation = f"{name} {version(name)} (haystack-ai {version('haystack-ai')})"
    for profiles in ((KOREAN, CODE), (EQUAL, EMPTY), (MANY,), (JSON_TEXTS, NUMBERS), (ARABIC, SHORT)):
        names = "_".join(profile.name for profile in profiles)
        with stage.capture(f"{framework}_pipeline_{names}", "the retriever's documents") as capture:
            for profile in profiles:
                stage.plan(profile)
                data = {"retriever": {"query": profile.question}, "prompt": {"question": profile.question}}
                pipeline(stage).run(data)
                capture.run(profile, target, contexts(profile.documents))
    note = "two pipelines one after the other under one HTTP span"
    with (
        stage.capture(f"{framework}_pipeline_http", "the retriever's documents", note) as capture,
        stage.tracer.start_as_current_span("POST /ask", kind=SpanKind.SERVER),
    ):
        for profile in (GERMAN, JAPANESE):
            stage.plan(profile)
            data = {"retriever": {"query": profile.question}, "prompt": {"question": profile.question}}
            pipeline(stage).run(data)
            capture.run(profile, target, contexts(profile.documents))

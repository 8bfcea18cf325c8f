"""Haystack: a pipeline of retriever, prompt and generator."""

from haystack import Document, Pipeline, component
from haystack.components.builders import ChatPromptBuilder
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.utils import Secret
from openinference.instrumentation.haystack import HaystackInstrumentor
from stage import QUESTION, Stage, search

from spanjudge import JudgeSpanProcessor

stage = Stage()
stage.provider.add_span_processor(JudgeSpanProcessor(**stage.settings))
HaystackInstrumentor().instrument()


@component
class HandbookRetriever:
    """Finds passages of the handbook."""

    @component.output_types(documents=list[Document])
    def run(self, query: str) -> dict[str, list[Document]]:
        return {"documents": [Document(id=each.id, content=each.text, score=each.score) for each in search(query)]}


template = "Answer from:{% for each in documents %} {{ each.content }}{% endfor %}\n\n{{ query }}"
pipeline = Pipeline()
pipeline.add_component("retriever", HandbookRetriever())
pipeline.add_component("prompt", ChatPromptBuilder([ChatMessage.from_user(template)], required_variables="*"))
generator = OpenAIChatGenerator(api_key=Secret.from_token("none"), model=stage.model, api_base_url=stage.url)
pipeline.add_component("generator", generator)
pipeline.connect("retriever.documents", "prompt.documents")
pipeline.connect("prompt.prompt", "generator.messages")
result = pipeline.run({"retriever": {"query": QUESTION}, "prompt": {"query": QUESTION}})
stage.tell(result["generator"]["replies"][0].text)

"""LlamaIndex: a query engine over a retriever."""

from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.llms.openai_like import OpenAILike
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
from stage import QUESTION, Stage, search

from spanjudge import JudgeSpanProcessor

stage = Stage()
stage.provider.add_span_processor(JudgeSpanProcessor(**stage.settings))
LlamaIndexInstrumentor().instrument()


class Handbook(BaseRetriever):
    """Finds passages of the handbook."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = search(query_bundle.query_str)
        return [NodeWithScore(node=TextNode(id_=each.id, text=each.text), score=each.score) for each in found]


model = OpenAILike(model=stage.model, api_base=stage.url, api_key="none", is_chat_model=True)
engine = RetrieverQueryEngine(Handbook(), get_response_synthesizer(llm=model))
stage.tell(engine.query(QUESTION))

"""LangChain: a retriever, a prompt and a model in a chain."""

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnablePassthrough
from langchain_openai import ChatOpenAI
from openinference.instrumentation.langchain import LangChainInstrumentor
from stage import QUESTION, Stage, search

from spanjudge import JudgeSpanProcessor

stage = Stage()
stage.provider.add_span_processor(JudgeSpanProcessor(**stage.settings))
LangChainInstrumentor().instrument()


class Handbook(BaseRetriever):
    """Finds passages of the handbook."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        del run_manager
        return [Document(id=each.id, page_content=each.text) for each in search(query)]


prompt = ChatPromptTemplate.from_template("Answer from {context}.\n\n{question}")
model = ChatOpenAI(model=stage.model, base_url=stage.url, api_key="none")
chain = {"context": Handbook(), "question": RunnablePassthrough()} | prompt | model | StrOutputParser()
stage.tell(chain.invoke(QUESTION))

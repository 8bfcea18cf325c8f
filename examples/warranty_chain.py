"""A small LangChain RAG chain, as yours may be. Its model is a stand-in that runs on this machine."""

from __future__ import annotations

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnablePassthrough
from langchain_openai import ChatOpenAI

from spanjudge.testing.model_server import ModelServer

HANDBOOK = (
    "The battery warranty lasts 24 months from the date of purchase.",
    "The warranty covers defects of the battery but no water damage.",
    "Our support desk is open on weekdays from 9 to 17.",
)


class Handbook(BaseRetriever):
    """Finds the sentences that share the most words with the question."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        del run_manager
        words = set(query.lower().strip("?").split())
        ranked = sorted(HANDBOOK, key=lambda text: -len(words & set(text.lower().strip(".").split())))
        return [Document(text) for text in ranked[:2]]


def answer(question: str) -> str:
    """Answer a question from the handbook."""
    with ModelServer(text="The battery warranty lasts 24 months from the date of purchase.") as server:
        prompt = ChatPromptTemplate.from_template("Answer from {context}.\n\n{question}")
        model = ChatOpenAI(model="stand-in", base_url=server.url, api_key="none")
        chain = {"context": Handbook(), "question": RunnablePassthrough()} | prompt | model | StrOutputParser()
        return chain.invoke(question)

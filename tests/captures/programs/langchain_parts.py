"""Chains and agents of LangChain, whatever instrumentation looks on."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from langchain.agents import create_agent
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnablePassthrough
from langchain_core.tools import BaseTool, StructuredTool
from langchain_openai import ChatOpenAI
from model import Model
from profiles import Doc
from shapes import Shape
from tools import found, profile_of


class Knowledge(BaseRetriever):
    """A retriever that returns the documents of the profile, or a part of them."""

    start: int = 0
    stop: int | None = None
    fails: bool = False
    scored: bool = False

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:  # noqa: ARG002
        if self.fails:
            message = "the index is being rebuilt"
            raise ConnectionError(message)
        found = profile_of(query).documents[self.start : self.stop]
        return [_document(doc, scored=self.scored) for doc in found]


def _document(doc: Doc, *, scored: bool) -> Document:
    metadata = {"lang": "any", **doc.metadata, **({"relevance_score": doc.score} if scored else {})}
    return Document(id=str(doc.id), page_content=doc.text, metadata=metadata)


def joined(documents: Sequence[Document]) -> str:
    return "\n\n".join(document.page_content for document in documents)


def chat_model(model: Model, **more: Any) -> ChatOpenAI:
    return ChatOpenAI(base_url=model.url, api_key="none", model="stub-model", temperature=0, max_retries=0, **more)


PROMPT = ChatPromptTemplate.from_messages(
    [("system", "Answer from the context only.\n\n{context}"), ("human", "{question}")]
)


def rag_chain(model: Model, retriever: Runnable[Any, Any]) -> Runnable[Any, str]:
    """Retrieve, format, ask: the chain of every tutorial."""
    given = {"context": retriever | joined, "question": RunnablePassthrough()}
    return given | PROMPT | chat_model(model) | StrOutputParser()


def search_tool(shape: Shape, name: str = "search_kb", *, start: int = 0, stop: int | None = None) -> BaseTool:
    """Make a function tool that returns JSON text in this form."""

    def search(query: str) -> str:
        return json.dumps(shape(found(query, start, stop)), ensure_ascii=False)

    return tool(search, name, "Search the knowledge base.")


def tool(function: Callable[..., Any], name: str, description: str, **more: Any) -> BaseTool:
    return StructuredTool.from_function(function, name=name, description=description, **more)


def agent(model: Model, *tools: BaseTool, name: str | None = None) -> Any:
    return create_agent(chat_model(model), list(tools), system_prompt="Use the tools.", name=name)


def ask(question: str, *earlier: dict[str, Any]) -> dict[str, Any]:
    return {"messages": [*earlier, {"role": "user", "content": question}]}

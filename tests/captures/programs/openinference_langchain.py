"""OpenInference on LangChain chains and LangGraph agents."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import urllib.request
from importlib.metadata import version
from pathlib import Path

from langchain_classic.chains import create_retrieval_chain
from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_more import More
from langchain_parts import Knowledge, chat_model, joined, rag_chain
from langgraph_agents import PROGRAMS
from model import Plan
from openinference.instrumentation import using_attributes
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry import propagate
from opentelemetry.trace import SpanKind
from otlp import Receiver
from profiles import (
    ARABIC,
    CHINESE,
    CODE,
    EMPTY,
    ENGLISH,
    EQUAL,
    GERMAN,
    HINDI,
    JAPANESE,
    JSON_TEXTS,
    KOREAN,
    LONG,
    MANY,
    METADATA,
    NUMBERS,
    SHORT,
    Profile,
)
from shapes import contexts
from stage import Stage

P = "openinference_langchain"
RETRIEVER = "RETRIEVER span retrieval.documents.*; ids only inside output.value JSON"
CHAIN = "RunnableSequence"


def lcel(stage: Stage) -> None:
    for names in ((KOREAN, CHINESE), (ARABIC, HINDI), (CODE,), (MANY,), (EQUAL, EMPTY), (JSON_TEXTS, SHORT), (LONG,)):
        with stage.capture(f"{P}_lcel_{'_'.join(each.name for each in names)}", RETRIEVER) as capture:
            for profile in names:
                stage.plan(profile)
                with using_attributes(session_id=f"s-{profile.name}", user_id="u-1"):
                    rag_chain(stage.model, Knowledge()).invoke(profile.question)
                capture.run(
                    profile,
                    CHAIN,
                    contexts(profile.documents, scores=False),
                    session_id=f"s-{profile.name}",
                    user_id="u-1",
                )


def scored(stage: Stage) -> None:
    with stage.capture(f"{P}_lcel_scored_metadata", RETRIEVER, "scores in metadata.relevance_score") as capture:
        for profile in (METADATA, NUMBERS):
            stage.plan(profile)
            rag_chain(stage.model, Knowledge(scored=True)).invoke(profile.question)
            capture.run(profile, CHAIN, contexts(profile.documents))


def concurrent(stage: Stage) -> None:
    note = "four chains at the same time in one event loop, streaming, a trace each"
    with stage.capture(f"{P}_astream_concurrent", RETRIEVER, note, order="any") as capture:
        four = (ENGLISH, JAPANESE, GERMAN, EQUAL)

        async def one(profile: Profile) -> str:
            chain = rag_chain(stage.model, Knowledge())
            return "".join([part async for part in chain.astream(profile.question)])

        async def every() -> list[str]:
            return list(await asyncio.gather(*(one(stage.plan(profile)) for profile in four)))

        asyncio.run(every())
        for profile in four:
            capture.run(profile, CHAIN, contexts(profile.documents, scores=False))


def batch_under_one_span(stage: Stage) -> None:
    note = "chain.batch under one application span: three runs side by side in one trace"
    with stage.capture(f"{P}_batch_one_trace", RETRIEVER, note, order="any") as capture:
        three = [stage.plan(profile) for profile in (KOREAN, CODE, SHORT)]
        with stage.tracer.start_as_current_span("nightly job"):
            rag_chain(stage.model, Knowledge()).batch([profile.question for profile in three])
        for profile in three:
            capture.run(profile, CHAIN, contexts(profile.documents, scores=False))


def under_http(stage: Stage) -> None:
    with (
        stage.capture(f"{P}_http_two_runs", RETRIEVER, "two runs one after the other under one HTTP span") as capture,
        stage.tracer.start_as_current_span("POST /compare", kind=SpanKind.SERVER) as server,
    ):
        server.set_attribute("http.request.method", "POST")
        server.set_attribute("http.route", "/compare")
        for profile in (GERMAN, CHINESE):
            stage.plan(profile)
            rag_chain(stage.model, Knowledge()).invoke(profile.question)
            capture.run(profile, CHAIN, contexts(profile.documents, scores=False))


def fallback(stage: Stage) -> None:
    note = "the first retriever fails, the fallback finds; the run is sound"
    with stage.capture(f"{P}_retriever_fallback", RETRIEVER, note) as capture:
        for profile in (ENGLISH, ARABIC):
            stage.plan(profile)
            retriever = Knowledge(fails=True).with_fallbacks([Knowledge(stop=2)])
            rag_chain(stage.model, retriever).invoke(profile.question)
            capture.run(profile, CHAIN, contexts(profile.documents[:2], scores=False))


def failed(stage: Stage) -> None:
    note = "the model fails after the documents were found: status ERROR up to the root"
    with stage.capture(f"{P}_model_failed", RETRIEVER, note) as capture:
        stage.plan(JAPANESE, fails=True)
        try:
            rag_chain(stage.model, Knowledge()).invoke(JAPANESE.question)
        except Exception as error:  # noqa: BLE001 - that it fails is the point
            sys.stdout.write(f"failed as planned: {type(error).__name__}\n")
        capture.run(JAPANESE, CHAIN, contexts(JAPANESE.documents, scores=False), answer=None, skip="source_error")


def two_retrievers(stage: Stage) -> None:
    note = "two retrievers in sequence; the second repeats a document of the first, which keeps its first rank"
    with stage.capture(f"{P}_two_retrievers", "two sibling RETRIEVER spans", note) as capture:
        for profile in (GERMAN, CHINESE, EQUAL):
            stage.plan(profile)
            first, second = Knowledge(stop=2), Knowledge(start=1)

            def both(question: str, first: Knowledge = first, second: Knowledge = second) -> str:
                return joined([*first.invoke(question), *second.invoke(question)])

            rag_chain(stage.model, RunnableLambda(both) | (lambda text: [Document(text)])).invoke(profile.question)
            capture.run(profile, CHAIN, contexts(profile.documents, scores=False))


def rewritten(stage: Stage) -> None:
    note = "the model first rewrites the question; the retriever and an LLM span see the rewritten one"
    with stage.capture(f"{P}_rewritten", RETRIEVER, note) as capture:
        for profile in (ENGLISH, KOREAN):
            stage.plan(profile)
            stage.model.say(f"Rewrite for search: {profile.question}", profile.search)
            llm = chat_model(stage.model)
            rewrite = ChatPromptTemplate.from_template("Rewrite for search: {question}") | llm | StrOutputParser()
            chain = (
                RunnablePassthrough.assign(context=rewrite | Knowledge() | joined)
                | ChatPromptTemplate.from_messages([("system", "Answer from:\n{context}"), ("human", "{question}")])
                | llm
                | StrOutputParser()
            )
            chain.invoke({"question": profile.question})
            capture.run(profile, CHAIN, contexts(profile.documents, scores=False))


def retrieval_chain(stage: Stage) -> None:
    note = "the second call of each profile is a follow-up with chat history in the input"
    with stage.capture(f"{P}_retrieval_chain_history", RETRIEVER, note) as capture:
        for profile in (GERMAN, JAPANESE):
            stage.plan(profile)
            stage.model.tell(Plan(profile.follow_up, profile.follow_up_answer))
            prompt = ChatPromptTemplate.from_messages(
                [
                    ("system", "Context: {context}"),
                    MessagesPlaceholder("chat_history", optional=True),
                    ("human", "{input}"),
                ]
            )
            chain = create_retrieval_chain(Knowledge(), create_stuff_documents_chain(chat_model(stage.model), prompt))
            chain.invoke({"input": profile.question})
            found = contexts(profile.documents, scores=False)
            capture.run(profile, "retrieval_chain", found)
            history = [("human", profile.question), ("ai", profile.answer)]
            chain.invoke({"input": profile.follow_up, "chat_history": history})
            capture.run(profile, "retrieval_chain", found, query=profile.follow_up, answer=profile.follow_up_answer)


class Remote(BaseRetriever):
    """A retriever that asks another service, which shares the trace."""

    url: str

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:  # noqa: ARG002
        headers: dict[str, str] = {"Content-Type": "application/json"}
        propagate.inject(headers)
        request = urllib.request.Request(self.url, json.dumps({"query": query}).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            return [Document(**each) for each in json.load(answer)]


def two_processes(stage: Stage) -> None:
    note = (
        "the retriever calls a second process, whose spans (own resource) hang under the HTTP span as a sibling subtree"
    )
    receiver = Receiver()
    service = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("retrieval_service.py"))],
        env={**os.environ, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"{receiver.url}/v1/traces"},
        stdout=subprocess.PIPE,
        text=True,
    )
    url = service.stdout.readline().strip() if service.stdout else ""
    stage.received = receiver.take
    for profile in (ENGLISH, CODE):
        with stage.capture(f"{P}_two_processes_{profile.name}", RETRIEVER, note) as capture:
            stage.plan(profile)
            with stage.tracer.start_as_current_span("POST /ask", kind=SpanKind.SERVER):
                rag_chain(stage.model, Remote(url=url)).invoke(profile.question)
            capture.run(profile, CHAIN, contexts(profile.documents, scores=False))
    service.terminate()
    service.wait()
    stage.received = list


def main(out: Path, only: str, _: str) -> None:
    stage = Stage(out, only)
    parts = ", ".join(f"{name} {version(name)}" for name in ("langchain", "langchain-core", "langgraph"))
    name = "openinference-instrumentation-langchain"
    stage.instrumentation = f"{name} {version(name)} ({parts})"
    LangChainInstrumentor().instrument(tracer_provider=stage.provider)
    for program in (
        lcel,
        scored,
        concurrent,
        batch_under_one_span,
        under_http,
        fallback,
        failed,
        two_retrievers,
        rewritten,
        retrieval_chain,
        two_processes,
        *PROGRAMS,
    ):
        program(stage)
    More(stage, P, dict, lambda: None).run()

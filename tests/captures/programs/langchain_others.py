"""LangChain chains and agents as other instrumentations tell of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.tools import create_retriever_tool
from langchain_parts import Knowledge, agent, ask, chat_model, rag_chain, search_tool, tool
from langgraph.checkpoint.memory import InMemorySaver
from model import Call, Plan
from opentelemetry.trace import SpanKind
from otlp import Json
from profiles import (
    ARABIC,
    CHINESE,
    CODE,
    EMPTY,
    ENGLISH,
    EQUAL,
    GERMAN,
    JAPANESE,
    JSON_TEXTS,
    KOREAN,
    MANY,
    METADATA,
    NUMBERS,
    SHORT,
    Doc,
    Profile,
)
from shapes import SHAPES, contexts, joined, told
from stage import Stage
from tools import found


@dataclass
class Teller:
    """What an instrumentation tells: root names, and the contexts of a chain and of a tool's joined documents."""

    distribution: str
    chain: str
    agent: str
    of_chain: Callable[[Sequence[Doc]], list[Json] | None]
    of_tool: Callable[[Sequence[Doc]], list[Json]]
    also_chain: str | None = None
    also_agent: str | None = None
    thread: bool = False
    loose_thread: bool = False
    large: bool = False
    documents: bool = False
    config: Callable[[], dict[str, Any]] = dict
    finish: Callable[[], Any] = lambda: None


def _split(docs: Sequence[Doc]) -> list[Json]:
    """Texts in one string joined by blank lines, ids beside it: split only where the parts are as many as the ids."""
    text = joined(docs)
    if not docs:
        return []
    if len(text.split("\n\n")) == len(docs):
        return contexts(docs, scores=False)
    return [{"id": None, "text": text, "score": None}]


def _plain(docs: Sequence[Doc]) -> list[Json]:
    return contexts(docs, scores=False)


class Programs:
    def __init__(self, stage: Stage, framework: str, teller: Teller) -> None:
        self.stage, self.framework, self.teller = stage, framework, teller

    def note_chain(self, capture: Any, profile: Profile, docs: Sequence[Doc], **more: Any) -> None:
        found = self.teller.of_chain(docs)
        self.teller.finish()
        if found is None:
            text = joined(docs)
            more = {
                "skip": "no_context_captured",
                **({"with_prompt_pattern": {"contexts": [{"id": None, "text": text, "score": None}]}} if text else {}),
                **more,
            }
        elif docs and found == contexts(docs, scores=False) and self.teller.of_chain is _split:
            more["accept"] = {"contexts": [{"id": None, "text": joined(docs), "score": None}]}
        capture.run(profile, self.teller.chain, found, also=self.teller.also_chain, **more)

    def chains(self) -> None:
        for profiles in ((KOREAN, EQUAL), (CODE, MANY), (JSON_TEXTS, SHORT), (ARABIC, EMPTY)):
            names = "_".join(profile.name for profile in profiles)
            with self.stage.capture(f"{self.framework}_lcel_{names}", "retriever") as capture:
                for profile in profiles:
                    self.stage.plan(profile)
                    rag_chain(self.stage.model, Knowledge()).invoke(profile.question, self.teller.config())
                    self.note_chain(capture, profile, profile.documents)

    def fallback(self) -> None:
        note = "under HTTP; the first retriever fails, the fallback finds"
        with self.stage.capture(f"{self.framework}_retriever_fallback", "retriever", note) as capture:
            for profile in (GERMAN, CHINESE):
                self.stage.plan(profile)
                retriever = Knowledge(fails=True).with_fallbacks([Knowledge(stop=2)])
                with self.stage.tracer.start_as_current_span("POST /ask", kind=SpanKind.SERVER):
                    rag_chain(self.stage.model, retriever).invoke(profile.question, self.teller.config())
                self.note_chain(capture, profile, profile.documents[:2])

    def concurrent(self) -> None:
        note = "three chains at the same time in one event loop, streaming"
        three = (ENGLISH, JAPANESE, NUMBERS)

        async def one(profile: Profile) -> None:
            chain = rag_chain(self.stage.model, Knowledge())
            async for _ in chain.astream(profile.question, self.teller.config()):
                pass

        async def every() -> None:
            await asyncio.gather(*(one(self.stage.plan(profile)) for profile in three))

        with self.stage.capture(f"{self.framework}_astream_concurrent", "retriever", note, order="any") as capture:
            asyncio.run(every())
            for profile in three:
                self.note_chain(capture, profile, profile.documents)

    def agents(self) -> None:
        for name, profiles in {
            "results": (CODE, KOREAN),
            "elasticsearch": (METADATA, EMPTY),
            "chroma": (CHINESE, EQUAL),
            "total": (JSON_TEXTS, NUMBERS),
        }.items():
            shape = SHAPES[name]
            with self.stage.capture(f"{self.framework}_agent_{name}", f"tool result, form `{name}`") as capture:
                for profile in profiles:
                    self.stage.search(profile)
                    agent(self.stage.model, search_tool(shape), name="support").invoke(
                        ask(profile.question), self.teller.config()
                    )
                    self.teller.finish()
                    capture.run(profile, self.teller.agent, told(profile.documents, shape), also=self.teller.also_agent)

    def parallel(self) -> None:
        note = "two search tools and a clock called at once; tools may start in either order"
        one, two = SHAPES["results"], SHAPES["doc_id"]
        with self.stage.capture(f"{self.framework}_agent_parallel", "tool results", note) as capture:
            for profile in (GERMAN,) if self.teller.large else (GERMAN, ENGLISH):
                self.stage.plan(
                    profile,
                    (
                        Call("search_manuals", {"query": profile.search}),
                        Call("get_time", {"zone": "UTC"}),
                        Call("search_faq", {"query": profile.question}),
                    ),
                )
                tools = (
                    search_tool(one, "search_manuals", stop=2),
                    search_tool(two, "search_faq", start=2),
                    tool(lambda zone: json.dumps({"zone": zone, "time": "12:30"}), "get_time", "The time."),
                )
                agent(self.stage.model, *tools, name="support").invoke(ask(profile.question), self.teller.config())
                self.teller.finish()
                first, second = told(profile.documents[:2], one), told(profile.documents[2:], two)
                capture.run(
                    profile,
                    self.teller.agent,
                    [*first, *second],
                    accept={"contexts": [*second, *first]},
                    also=self.teller.also_agent,
                )

    def retriever_tool(self) -> None:
        with self.stage.capture(f"{self.framework}_agent_retriever", "retriever below the tool") as capture:
            for profile in (EQUAL,) if self.teller.large else (MANY, GERMAN):
                self.stage.search(profile)
                searching = create_retriever_tool(
                    Knowledge(), "search_kb", "Search.", response_format="content_and_artifact"
                )
                agent(self.stage.model, searching, name="support").invoke(ask(profile.question), self.teller.config())
                self.teller.finish()
                found = self.teller.of_tool(profile.documents)
                more: dict[str, Any] = {}
                if self.teller.of_tool is _split:
                    more["accept"] = {"contexts": [{"id": None, "text": joined(profile.documents), "score": None}]}
                capture.run(profile, self.teller.agent, found, also=self.teller.also_agent, **more)

    def conversation(self) -> None:
        note = "the second turn's messages hold the first turn's tool result; the third turn calls no tool"
        shape = SHAPES["total"]
        for profile in (KOREAN,):
            with self.stage.capture(f"{self.framework}_conversation", "tool result", note) as capture:
                self.stage.search(profile)
                again = ((Call("search_kb", {"query": profile.follow_up_search}),),)
                self.stage.model.tell(
                    Plan(profile.follow_up, profile.follow_up_answer, again), Plan("고맙습니다.", "천만에요.")
                )

                def search(query: str) -> str:
                    return json.dumps(shape(found(query, 0, 2)), ensure_ascii=False)

                graph = create_agent(
                    chat_model(self.stage.model),
                    [tool(search, "search_kb", "Search.")],
                    checkpointer=InMemorySaver(),
                    name="support",
                )
                config: Any = {**self.teller.config(), "configurable": {"thread_id": "thread-7"}}
                for question, answer, docs, skip in (
                    (profile.question, profile.answer, profile.documents[:2], None),
                    (profile.follow_up, profile.follow_up_answer, profile.documents[2:], None),
                    ("고맙습니다.", "천만에요.", None, "no_context_captured"),
                ):
                    graph.invoke(ask(question), config)
                    self.teller.finish()
                    capture.run(
                        profile,
                        self.teller.agent,
                        None if docs is None else told(docs, shape),
                        query=question,
                        answer=answer,
                        skip=skip,
                        also=self.teller.also_agent,
                        **({"session_id": "thread-7"} if self.teller.thread else {}),
                        **({"accept": {"session_id": None}} if self.teller.loose_thread else {}),
                    )


def _genai(stage: Stage) -> None:
    from opentelemetry.instrumentation.genai.langchain import LangChainInstrumentor  # noqa: PLC0415

    LangChainInstrumentor().instrument(tracer_provider=stage.provider, logger_provider=stage.logger_provider)


def _traceloop(stage: Stage) -> None:
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor  # noqa: PLC0415

    LangchainInstrumentor().instrument(tracer_provider=stage.provider)


def _langfuse(stage: Stage) -> Callable[[], dict[str, Any]]:
    from langfuse import Langfuse  # noqa: PLC0415
    from langfuse.langchain import CallbackHandler  # noqa: PLC0415

    Langfuse(public_key="pk-none", secret_key="none", base_url="http://127.0.0.1:9", tracer_provider=stage.provider)  # noqa: S106 - there is no secret
    return lambda: {"callbacks": [CallbackHandler()]}


TELLERS = {
    "otel_genai_langchain_span_only": Teller(
        "opentelemetry-instrumentation-genai-langchain",
        "invoke_workflow RunnableSequence",
        "invoke_agent support",
        _split,
        _split,
        also_chain="chat stub-model",
        thread=True,
    ),
    "otel_genai_langchain_event_only": Teller(
        "opentelemetry-instrumentation-genai-langchain",
        "invoke_workflow RunnableSequence",
        "invoke_agent support",
        lambda _: None,
        lambda docs: [{"id": None, "text": joined(docs), "score": None}],
        also_chain="chat stub-model",
        also_agent="chat stub-model",
        thread=True,
    ),
    "traceloop_langchain": Teller(
        "opentelemetry-instrumentation-langchain",
        "RunnableSequence.workflow",
        "invoke_agent support",
        _plain,
        _plain,
        also_agent="support.workflow",
        thread=True,
        large=True,
    ),
    "langfuse_langchain": Teller(
        "langfuse", "RunnableSequence", "support", _plain, _plain, thread=True, loose_thread=True, documents=True
    ),
    "mlflow_langchain": Teller(
        "mlflow-tracing", "RunnableSequence", "support", _plain, _plain, thread=True, loose_thread=True, documents=True
    ),
}


def main(out: Path, only: str, framework: str) -> None:
    stage = Stage(out, only)
    teller = TELLERS[framework]
    stage.instrumentation = f"{teller.distribution} {version(teller.distribution)} (langchain {version('langchain')})"
    if framework.startswith("otel"):
        _genai(stage)
    elif framework.startswith("traceloop"):
        _traceloop(stage)
    elif framework.startswith("langfuse"):
        teller.config = _langfuse(stage)
    else:
        import mlflow  # noqa: PLC0415
        from mlflow_exports import mlflow_exports  # noqa: PLC0415

        teller.finish = mlflow_exports(stage)
        mlflow.langchain.autolog()
    programs = Programs(stage, framework, teller)
    programs.chains()
    programs.fallback()
    programs.concurrent()
    programs.agents()
    programs.parallel()
    programs.retriever_tool()
    programs.conversation()
    if teller.documents:
        from langchain_more import More  # noqa: PLC0415 - needs the classic chains

        More(stage, framework, teller.config, teller.finish).run()

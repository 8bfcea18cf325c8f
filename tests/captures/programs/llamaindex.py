"""LlamaIndex: query engines, chat engines, routers of several retrievers and an agent with function tools."""

from __future__ import annotations

import asyncio
import logging
from importlib.metadata import version
from pathlib import Path
from typing import Any

from llama_index.core import Settings
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.chat_engine import CondensePlusContextChatEngine
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever, QueryFusionRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike
from model import Call, Plan
from opentelemetry.trace import SpanKind
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
    MANY,
    METADATA,
    NUMBERS,
    SHORT,
    Profile,
)
from shapes import SHAPES, Shape, contexts, told
from stage import Stage
from tools import profile_of, search_text


class Knowledge(BaseRetriever):
    """A retriever that returns the profile's documents, or a part of them."""

    def __init__(self, start: int = 0, stop: int | None = None, *, fails: bool = False) -> None:
        super().__init__()
        self._part, self._fails = slice(start, stop), fails

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if self._fails:
            message = "the index is being rebuilt"
            raise ConnectionError(message)
        return [
            NodeWithScore(
                node=TextNode(
                    id_=str(doc.id),
                    text=doc.text,
                    metadata=doc.metadata,
                    excluded_llm_metadata_keys=list(doc.metadata),
                ),
                score=doc.score,
            )
            for doc in profile_of(query_bundle.query_str).documents[self._part]
        ]


class Programs:
    def __init__(self, stage: Stage, framework: str) -> None:
        self.stage, self.framework = stage, framework
        traceloop = framework.startswith("traceloop")
        self.engine = "RetrieverQueryEngine.workflow" if traceloop else "RetrieverQueryEngine.query"
        self.async_engine = "RetrieverQueryEngine.workflow" if traceloop else "RetrieverQueryEngine.aquery"

    def llm(self) -> OpenAILike:
        return OpenAILike(
            model="stub-model",
            api_base=self.stage.model.url,
            api_key="none",
            is_chat_model=True,
            is_function_calling_model=True,
            max_retries=0,
        )

    def query_engine(self, *retrievers: BaseRetriever, streaming: bool = False) -> RetrieverQueryEngine:
        retriever = retrievers[0] if len(retrievers) == 1 else None
        if retriever is None:
            retriever = QueryFusionRetriever(
                list(retrievers), llm=MockLLM(), num_queries=1, similarity_top_k=9, use_async=False
            )
        synthesizer = get_response_synthesizer(llm=self.llm(), response_mode=ResponseMode.COMPACT, streaming=streaming)
        return RetrieverQueryEngine(retriever, synthesizer)

    def queries(self) -> None:
        for profiles in ((KOREAN, CODE), (MANY,), (EQUAL, ARABIC), (JSON_TEXTS, NUMBERS), (SHORT, METADATA), (HINDI,)):
            names = "_".join(profile.name for profile in profiles)
            with self.stage.capture(f"{self.framework}_query_{names}", "RETRIEVER span") as capture:
                for profile in profiles:
                    self.stage.plan(profile)
                    self.query_engine(Knowledge()).query(profile.question)
                    capture.run(profile, self.engine, contexts(profile.documents))

    def empty(self) -> None:
        note = "nothing was retrieved: the engine answers `Empty Response` without asking the model"
        with self.stage.capture(f"{self.framework}_query_empty", "RETRIEVER span, output.value []", note) as capture:
            self.stage.plan(EMPTY)
            answer = self.query_engine(Knowledge()).query(EMPTY.question)
            capture.run(EMPTY, self.engine, [], answer=str(answer))

    def stream(self) -> None:
        note = "streamed under an HTTP span; the root's output is no text"
        with self.stage.capture(f"{self.framework}_stream_http", "RETRIEVER span", note) as capture:
            for profile in (JAPANESE, GERMAN):
                self.stage.plan(profile)
                with self.stage.tracer.start_as_current_span("GET /ask", kind=SpanKind.SERVER):
                    reply: Any = self.query_engine(Knowledge(), streaming=True).query(profile.question)
                    "".join(reply.response_gen)
                capture.run(profile, self.engine, contexts(profile.documents))

    def concurrent(self) -> None:
        note = "three queries at the same time in one event loop"
        three = (ENGLISH, CHINESE, CODE)

        async def every() -> None:
            await asyncio.gather(
                *(self.query_engine(Knowledge()).aquery(self.stage.plan(profile).question) for profile in three)
            )

        with self.stage.capture(f"{self.framework}_async_concurrent", "RETRIEVER span", note, order="any") as capture:
            asyncio.run(every())
            for profile in three:
                capture.run(profile, self.async_engine, contexts(profile.documents))

    def fusion(self) -> None:
        note = "two retrievers with different documents below a fusing one, whose order and scores count"
        with self.stage.capture(f"{self.framework}_fusion", "outermost RETRIEVER span", note) as capture:
            for profile in (GERMAN, KOREAN):
                self.stage.plan(profile)
                self.query_engine(Knowledge(stop=2), Knowledge(start=1)).query(profile.question)
                capture.run(profile, self.engine, contexts(profile.documents))

    def chat(self) -> None:
        note = "the second turn's search is a question that the model rewrote; a trace each"
        root = f"CondensePlusContextChatEngine.{'workflow' if 'traceloop' in self.framework else 'chat'}"
        profile = JAPANESE
        with self.stage.capture(f"{self.framework}_chat_engine", "RETRIEVER span", note) as capture:
            self.stage.plan(profile)
            self.stage.model.say("rephrase the follow up question", profile.follow_up_search)
            self.stage.model.say("Follow Up Input", profile.follow_up_search)
            self.stage.model.tell(Plan(profile.follow_up, profile.follow_up_answer))
            engine = CondensePlusContextChatEngine.from_defaults(retriever=Knowledge(), llm=self.llm())
            engine.chat(profile.question)
            capture.run(profile, root, contexts(profile.documents))
            engine.chat(profile.follow_up)
            capture.run(
                profile,
                root,
                contexts(profile.documents),
                query=profile.follow_up,
                answer=profile.follow_up_answer,
            )

    def failed(self) -> None:
        note = "the retriever fails: status ERROR up to the root"
        with self.stage.capture(f"{self.framework}_retriever_failed", "none", note) as capture:
            try:
                self.query_engine(Knowledge(fails=True)).query(ARABIC.question)
            except ConnectionError:
                logging.getLogger(__name__).info("failed as planned")
            capture.run(ARABIC, self.engine, None, answer=None, skip="source_error")

    def agent(self, target: str, also: str | None = None) -> None:
        for name, profiles in {
            "results": (CODE,),
            "pinecone": (METADATA,),
            "total": (EMPTY,),
            "doc_id": (CHINESE,),
            "rows": (NUMBERS,),
        }.items():
            shape = SHAPES[name]
            with self.stage.capture(f"{self.framework}_agent_{name}", f"tool result, form `{name}`") as capture:
                for profile in profiles:
                    self.stage.plan(profile, (Call("search_kb", {"query": profile.search}),))
                    asyncio.run(self._ask(profile, shape))
                    capture.run(profile, target, told(profile.documents, shape), also=also)

    async def _ask(self, profile: Profile, shape: Shape) -> None:
        agent = FunctionAgent(
            tools=[FunctionTool.from_defaults(search_text(shape), name="search_kb")],
            llm=self.llm(),
            name="support",
            streaming=False,
            system_prompt="Use the tools.",
        )
        await agent.run(user_msg=profile.question)


def main(out: Path, only: str, framework: str) -> None:
    stage = Stage(out, only)
    Settings.llm = None
    if framework.startswith("openinference"):
        from openinference.instrumentation.llama_index import LlamaIndexInstrumentor  # noqa: PLC0415

        name = "openinference-instrumentation-llama-index"
        LlamaIndexInstrumentor().instrument(tracer_provider=stage.provider)
    elif framework.startswith("traceloop"):
        from opentelemetry.instrumentation.llamaindex import LlamaIndexInstrumentor  # noqa: PLC0415

        name = "opentelemetry-instrumentation-llamaindex"
        LlamaIndexInstrumentor().instrument(tracer_provider=stage.provider)
    else:
        from opentelemetry.instrumentation.genai.llama_index import LlamaIndexInstrumentor  # noqa: PLC0415

        name = "opentelemetry-instrumentation-genai-llama-index"
        LlamaIndexInstrumentor().instrument(tracer_provider=stage.provider, logger_provider=stage.logger_provider)
    stage.instrumentation = f"{name} {version(name)} (llama-index-core {version('llama-index-core')})"
    programs = Programs(stage, framework)
    if framework.startswith("otel"):
        programs.agent("invoke_agent support")
        return
    programs.queries()
    programs.empty()
    if framework.startswith("openinference"):  # Traceloop never ends the root of a streamed query
        programs.stream()
    programs.concurrent()
    programs.fusion()
    programs.chat()
    if framework.startswith("openinference"):  # Traceloop ends no span of a failed query
        programs.failed()
        programs.agent("FunctionAgent.run")

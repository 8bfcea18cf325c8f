"""Pydantic AI agents: its own instrumentation, that with OpenInference's processor, and Logfire's."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from pathlib import Path
from typing import Any

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
from pydantic_ai import Agent, ModelRetry
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from shapes import SHAPES, Shape, told
from stage import Stage
from tools import found, search_objects, search_text


class Programs:
    """The situations, for one instrumentation."""

    def __init__(self, stage: Stage, framework: str) -> None:
        self.stage, self.framework = stage, framework
        self.version: Any = None

    def agent(self, *tools: Any) -> Agent:
        model = OpenAIChatModel("stub-model", provider=OpenAIProvider(base_url=self.stage.model.url, api_key="none"))
        more = {} if self.version is None else {"version": self.version}
        settings = InstrumentationSettings(tracer_provider=self.stage.provider, **more)
        capabilities = [] if self.framework.startswith("logfire") else [Instrumentation(settings=settings)]
        return Agent(model, name="support", tools=list(tools), instructions="Use the tools.", capabilities=capabilities)

    def ask(self, question: str, *tools: Any, history: Any = None) -> Any:
        return asyncio.run(self.agent(*tools).run(question, message_history=history))

    def tools(self) -> None:
        for name, profiles in {
            "doc_id": (KOREAN, METADATA),
            "results": (CODE, JAPANESE),
            "elasticsearch": (METADATA, EMPTY),
            "total": (MANY, EQUAL),
            "chunks": (JSON_TEXTS, SHORT),
            "qdrant": (NUMBERS, HINDI),
        }.items():
            shape = SHAPES[name]
            with self.stage.capture(f"{self.framework}_tool_{name}", f"tool result, form `{name}`") as capture:
                for profile in profiles:
                    self.stage.search(profile)
                    result = self.ask(profile.question, search_objects(shape))
                    self.note(capture, profile, shape, result)

    def note(self, capture: Any, profile: Profile, shape: Shape, result: Any, **more: Any) -> None:
        target = "agent run" if self.version == 2 else "invoke_agent support"
        capture.run(profile, target, told(profile.documents, shape), session_id=result.conversation_id, **more)

    def text_tool(self) -> None:
        note = "the tool returns JSON text instead of objects"
        shape = SHAPES["plain"]
        with self.stage.capture(f"{self.framework}_tool_json_text", "tool result, JSON text", note) as capture:
            for profile in (ARABIC, CODE):
                self.stage.search(profile)
                self.note(capture, profile, shape, self.ask(profile.question, search_text(shape)))

    def parallel(self) -> None:
        note = "two searches and a clock called at once; tools may start in either order"
        one, two = SHAPES["total"], SHAPES["doc_id"]

        def search_manuals(query: str) -> Any:
            """Search manuals."""
            return one(found(query, 0, 2))

        def search_faq(query: str) -> Any:
            """Search questions."""
            return two(found(query, 2))

        def get_time(query: str) -> dict[str, str]:
            """Tell the time."""
            return {"time": "12:30", "zone": "UTC", "asked": query[:1]}

        with self.stage.capture(f"{self.framework}_parallel_tools", "tool results", note) as capture:
            for profile in (GERMAN, CHINESE):
                self.stage.search(profile, "search_manuals", "get_time", "search_faq")
                result = self.ask(profile.question, search_manuals, search_faq, get_time)
                first, second = told(profile.documents[:2], one), told(profile.documents[2:], two)
                capture.run(
                    profile,
                    "invoke_agent support",
                    [*first, *second],
                    accept={"contexts": [*second, *first]},
                    session_id=result.conversation_id,
                )

    def retry(self) -> None:
        note = "the first call of the tool fails and asks for a retry, the second finds"
        shape = SHAPES["plain"]
        with self.stage.capture(f"{self.framework}_tool_retry_http", "tool result", note) as capture:
            for profile in (KOREAN, GERMAN):
                self.stage.plan(
                    profile,
                    (Call("search_kb", {"query": "?"}),),
                    (Call("search_kb", {"query": profile.search}),),
                )

                def search_kb(query: str) -> Any:
                    """Search the knowledge base."""
                    if query == "?":
                        message = "ask with words"
                        raise ModelRetry(message)
                    return shape(found(query))

                with self.stage.tracer.start_as_current_span("POST /ask", kind=SpanKind.SERVER):
                    result = self.ask(profile.question, search_kb)
                self.note(capture, profile, shape, result)

    def conversation(self) -> None:
        note = "message_history goes on: the second turn's messages hold the first turn's tool result"
        shape = SHAPES["results"]
        with self.stage.capture(f"{self.framework}_conversation", "tool result", note) as capture:
            profile = ENGLISH
            self.stage.search(profile)
            again = ((Call("search_kb", {"query": profile.follow_up_search}),),)
            self.stage.model.tell(
                Plan(profile.follow_up, profile.follow_up_answer, again), Plan("Thanks, that is all.", "Welcome!")
            )
            history, session = None, None
            for question, answer, docs, skip in (
                (profile.question, profile.answer, profile.documents, None),
                (profile.follow_up, profile.follow_up_answer, profile.documents[2:], None),
                ("Thanks, that is all.", "Welcome!", None, "no_context_captured"),
            ):
                result = self.ask(question, search_objects(shape), history=history)
                history, session = result.all_messages(), session or result.conversation_id
                capture.run(
                    profile,
                    "invoke_agent support",
                    None if docs is None else told(docs, shape),
                    query=question,
                    answer=answer,
                    skip=skip,
                    session_id=session,
                )

    def concurrent(self) -> None:
        note = "three agents at the same time in one event loop, streaming"
        three = (JAPANESE, EQUAL, NUMBERS)
        shape = SHAPES["rows"]
        sessions: dict[str, Any] = {}

        async def one(profile: Profile) -> None:
            async with self.agent(search_objects(shape)).run_stream(profile.question) as reply:
                await reply.get_output()
            sessions[profile.name] = reply.conversation_id

        async def every() -> None:
            await asyncio.gather(*(one(self.stage.search(profile)) for profile in three))

        with self.stage.capture(f"{self.framework}_stream_concurrent", "tool result", note, order="any") as capture:
            asyncio.run(every())
            for profile in three:
                capture.run(
                    profile,
                    "invoke_agent support",
                    told(profile.documents, shape),
                    session_id=sessions[profile.name],
                )

    def logfire_span(self) -> None:
        import logfire  # noqa: PLC0415

        note = "the user's own span with a `question` attribute is the root; two runs under one outer span"
        shape = SHAPES["plain"]
        with (
            self.stage.capture(f"{self.framework}_user_span", "tool result", note) as capture,
            logfire.span("batch"),
        ):
            for profile in (KOREAN, CODE):
                self.stage.search(profile)
                with logfire.span("handle request {question=}", question=profile.question):
                    result = self.ask(profile.question, search_objects(shape))
                capture.run(
                    profile,
                    "handle request {question=}",
                    told(profile.documents, shape),
                    also="invoke_agent support",
                    session_id=result.conversation_id,
                )


def main(out: Path, only: str, framework: str) -> None:
    stage = Stage(out, only, own_provider=not framework.startswith("logfire"))
    stage.instrumentation = f"pydantic-ai-slim {version('pydantic-ai-slim')}"
    programs = Programs(stage, framework)
    if framework.startswith("openinference"):
        from openinference.instrumentation.pydantic_ai import OpenInferenceSpanProcessor  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor  # noqa: PLC0415

        name = "openinference-instrumentation-pydantic-ai"
        stage.instrumentation += f", {name} {version(name)}"
        stage.provider._active_span_processor._span_processors = ()
        stage.provider.add_span_processor(OpenInferenceSpanProcessor())
        stage.provider.add_span_processor(SimpleSpanProcessor(stage.spans))
    if framework.startswith("logfire"):
        import logfire  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor  # noqa: PLC0415

        logfire.configure(
            send_to_logfire=False,
            console=False,
            inspect_arguments=False,
            additional_span_processors=[SimpleSpanProcessor(stage.spans)],
        )
        logfire.instrument_pydantic_ai()
        stage.instrumentation += f", logfire {version('logfire')}"
        programs.logfire_span()
        programs.parallel()
        programs.conversation()
        return
    programs.tools()
    programs.text_tool()
    programs.parallel()
    programs.retry()
    programs.conversation()
    if framework.startswith("pydantic"):
        programs.concurrent()
        programs.version = 2
        programs.framework = "pydantic_ai_native_v2"
        programs.text_tool()

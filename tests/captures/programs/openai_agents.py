"""OpenAI Agents SDK with function tools and a hand-over between two agents."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from pathlib import Path
from typing import Any

from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, function_tool
from model import Call
from openai import AsyncOpenAI
from opentelemetry.trace import SpanKind
from profiles import CODE, EMPTY, EQUAL, GERMAN, JAPANESE, JSON_TEXTS, KOREAN, METADATA, NUMBERS, Profile
from shapes import SHAPES, told
from stage import Stage
from tools import search_text

WORKFLOW = "support-workflow"


class Programs:
    """The situations, for one instrumentation."""

    def __init__(self, stage: Stage, framework: str) -> None:
        self.stage, self.framework = stage, framework
        genai = framework.startswith("otel")
        self.target = f"invoke_workflow {WORKFLOW}" if genai else WORKFLOW
        self.also = "chat stub-model" if genai else "generation"
        self.session = {"session_id": "conv-7"} if genai else {}

    def agent(self, *tools: Any) -> Agent[Any]:
        client = AsyncOpenAI(base_url=self.stage.model.url, api_key="none", max_retries=0)
        model = OpenAIChatCompletionsModel("stub-model", openai_client=client)
        return Agent(name="support", instructions="Use the tools.", tools=list(tools), model=model)

    async def ask(self, profile: Profile, *tools: Any) -> Any:
        config = RunConfig(workflow_name=WORKFLOW, group_id="conv-7")
        return await Runner.run(self.agent(*tools), profile.question, run_config=config)

    def tools(self) -> None:
        for name, profiles in {
            "results": (KOREAN, CODE),
            "pinecone": (METADATA, EMPTY),
            "chunks": (EQUAL, JSON_TEXTS),
        }.items():
            shape = SHAPES[name]
            with self.stage.capture(f"{self.framework}_tool_{name}", f"tool result, form `{name}`") as capture:
                for profile in profiles:
                    self.stage.search(profile)
                    asyncio.run(self.ask(profile, function_tool(search_text(shape))))
                    capture.run(profile, self.target, told(profile.documents, shape), also=self.also, **self.session)

    def concurrent(self) -> None:
        note = "two workflows at the same time under one HTTP span; the first call of the tool in each fails"
        shape = SHAPES["doc_id"]
        two = (GERMAN, JAPANESE)
        tool = function_tool(search_text(shape))

        async def every() -> None:
            await asyncio.gather(*(self.ask(profile, tool) for profile in two))

        with self.stage.capture(f"{self.framework}_concurrent", "tool result", note, order="any") as capture:
            for profile in two:
                self.stage.plan(
                    profile,
                    (Call("search_kb", {"query": "gone"}),),
                    (Call("search_kb", {"query": profile.search}),),
                )
            with self.stage.tracer.start_as_current_span("POST /both", kind=SpanKind.SERVER):
                asyncio.run(every())
            for profile in two:
                capture.run(profile, self.target, told(profile.documents, shape), also=self.also, **self.session)

    def rows(self) -> None:
        shape = SHAPES["rows"]
        with self.stage.capture(f"{self.framework}_tool_rows", "tool result, form `rows`") as capture:
            self.stage.search(NUMBERS)
            asyncio.run(self.ask(NUMBERS, function_tool(search_text(shape))))
            capture.run(NUMBERS, self.target, told(NUMBERS.documents, shape), also=self.also, **self.session)


def main(out: Path, only: str, framework: str) -> None:
    stage = Stage(out, only)
    if framework.startswith("otel"):
        from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor  # noqa: PLC0415
        from opentelemetry.instrumentation.genai.openai_agents import OpenAIAgentsInstrumentor  # noqa: PLC0415

        name = "opentelemetry-instrumentation-genai-openai-agents"
        OpenAIAgentsInstrumentor().instrument(tracer_provider=stage.provider)
        OpenAIInstrumentor().instrument(tracer_provider=stage.provider)
        stage.instrumentation = f"{name} {version(name)} beside genai-openai (openai-agents {version('openai-agents')})"
    else:
        from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor  # noqa: PLC0415

        name = "openinference-instrumentation-openai-agents"
        OpenAIAgentsInstrumentor().instrument(tracer_provider=stage.provider)
        stage.instrumentation = f"{name} {version(name)} (openai-agents {version('openai-agents')})"
    programs = Programs(stage, framework)
    programs.tools()
    programs.concurrent()
    programs.rows()

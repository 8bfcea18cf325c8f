"""Pydantic AI: an agent that calls a search tool, with Pydantic AI's own instrumentation."""

from pydantic_ai import Agent
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from stage import QUESTION, Stage, search_handbook

from spanjudge import JudgeSpanProcessor

stage = Stage()
stage.provider.add_span_processor(JudgeSpanProcessor(**stage.settings))

agent = Agent(
    OpenAIChatModel(stage.model, provider=OpenAIProvider(base_url=stage.url, api_key="none")),
    name="support",
    tools=[search_handbook],
    capabilities=[Instrumentation()],
)
stage.tell(agent.run_sync(QUESTION).output)

"""Agno: an agent that calls a search tool."""

from agno.agent import Agent
from agno.models.openai.like import OpenAILike
from openinference.instrumentation.agno import AgnoInstrumentor
from stage import QUESTION, Stage, search_handbook

from spanjudge import JudgeSpanProcessor

stage = Stage()
stage.provider.add_span_processor(JudgeSpanProcessor(**stage.settings))
AgnoInstrumentor().instrument()

model = OpenAILike(id=stage.model, base_url=stage.url, api_key="none")
agent = Agent(name="support", model=model, tools=[search_handbook], telemetry=False)
stage.tell(agent.run(QUESTION).content)

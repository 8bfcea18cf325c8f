"""OpenAI Agents: an agent that calls a search tool."""

from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool
from openai import AsyncOpenAI
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor
from stage import QUESTION, Stage, search_handbook

from spanjudge import JudgeSpanProcessor

stage = Stage()
stage.provider.add_span_processor(JudgeSpanProcessor(**stage.settings))
OpenAIAgentsInstrumentor().instrument()

model = OpenAIChatCompletionsModel(stage.model, AsyncOpenAI(base_url=stage.url, api_key="none"))
agent = Agent(name="support", instructions="Use the tools.", tools=[function_tool(search_handbook)], model=model)
stage.tell(Runner.run_sync(agent, QUESTION).final_output)

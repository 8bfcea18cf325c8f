"""smolagents: an agent that calls a search tool and then the tool of the final answer."""

from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from smolagents import OpenAIServerModel, ToolCallingAgent, tool
from stage import QUESTION, Stage, search_handbook

from spanjudge import JudgeSpanProcessor

stage = Stage()
stage.provider.add_span_processor(JudgeSpanProcessor(**stage.settings))
SmolagentsInstrumentor().instrument()

model = OpenAIServerModel(stage.model, api_base=stage.url, api_key="none")
agent = ToolCallingAgent([tool(search_handbook)], model, verbosity_level=0)
stage.tell(agent.run(QUESTION))

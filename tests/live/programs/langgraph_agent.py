"""LangGraph: an agent that calls a search tool."""

from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from openinference.instrumentation.langchain import LangChainInstrumentor
from stage import QUESTION, Stage, search_handbook

from spanjudge import JudgeSpanProcessor

stage = Stage()
stage.provider.add_span_processor(JudgeSpanProcessor(**stage.settings))
LangChainInstrumentor().instrument()

agent = create_agent(
    ChatOpenAI(model=stage.model, base_url=stage.url, api_key="none"),
    [tool(search_handbook)],
    system_prompt="Use the tools.",
)
state = agent.invoke({"messages": [{"role": "user", "content": QUESTION}]})
stage.tell(state["messages"][-1].content)

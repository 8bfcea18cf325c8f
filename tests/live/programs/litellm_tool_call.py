"""LiteLLM: an agent written by hand, its search a plain function without a span of its own."""

import json

import litellm
from openinference.instrumentation.litellm import LiteLLMInstrumentor
from stage import QUESTION, Stage, search_handbook

from spanjudge import JudgeSpanProcessor

stage = Stage()
stage.provider.add_span_processor(JudgeSpanProcessor(**stage.settings))
LiteLLMInstrumentor().instrument()

parameters = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
tools = [{"type": "function", "function": {"name": "search_handbook", "parameters": parameters}}]
messages = [{"role": "user", "content": QUESTION}]
model = {"model": f"openai/{stage.model}", "api_base": stage.url, "api_key": "none"}
with stage.provider.get_tracer("app").start_as_current_span("POST /ask"):
    asked = litellm.completion(messages=messages, tools=tools, **model).choices[0].message
    messages.append(asked.model_dump(exclude_none=True))
    for call in asked.tool_calls:
        result = search_handbook(**json.loads(call.function.arguments))
        messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    answer = litellm.completion(messages=messages, tools=tools, **model).choices[0].message
stage.tell(answer.content)

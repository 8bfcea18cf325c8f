"""OpenAI SDK: an agent written by hand, its search a plain function without a span of its own."""

import json

from openai import OpenAI
from openinference.instrumentation.openai import OpenAIInstrumentor
from stage import QUESTION, Stage, search_handbook

from spanjudge import JudgeSpanProcessor

stage = Stage()
stage.provider.add_span_processor(JudgeSpanProcessor(**stage.settings))
OpenAIInstrumentor().instrument()

parameters = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
tools = [{"type": "function", "function": {"name": "search_handbook", "parameters": parameters}}]
messages = [{"role": "user", "content": QUESTION}]
client = OpenAI(base_url=stage.url, api_key="none")
with stage.provider.get_tracer("app").start_as_current_span("POST /ask"):
    asked = client.chat.completions.create(model=stage.model, messages=messages, tools=tools).choices[0].message
    messages.append(asked.model_dump(exclude_none=True))
    for call in asked.tool_calls:
        result = search_handbook(**json.loads(call.function.arguments))
        messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    answer = client.chat.completions.create(model=stage.model, messages=messages, tools=tools).choices[0].message
stage.tell(answer.content)

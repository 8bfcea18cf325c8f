"""LiteLLM calls by hand, seen by OpenInference and by LiteLLM's own callback."""

from __future__ import annotations

import json
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import litellm
from profiles import CODE, GERMAN, KOREAN, METADATA
from shapes import SHAPES, joined, told
from stage import Stage
from tools import search_text

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "search_kb",
            "description": "Search.",
            "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
        },
    }
]


def complete(stage: Stage, messages: list[dict[str, Any]], **more: Any) -> Any:
    return litellm.completion(
        model="openai/stub-model", api_base=stage.model.url, api_key="none", messages=messages, num_retries=0, **more
    )


def main(out: Path, only: str, framework: str) -> None:
    stage = Stage(out, only)
    native = framework.startswith("litellm")
    if native:
        from litellm.integrations.opentelemetry import OpenTelemetry, OpenTelemetryConfig  # noqa: PLC0415

        config = OpenTelemetryConfig(exporter="in_memory")
        litellm.callbacks = [OpenTelemetry(config, tracer_provider=stage.provider)]
        stage.instrumentation = f"litellm {version('litellm')} OpenTelemetry callback"
    else:
        from openinference.instrumentation.litellm import LiteLLMInstrumentor  # noqa: PLC0415

        name = "openinference-instrumentation-litellm"
        LiteLLMInstrumentor().instrument(tracer_provider=stage.provider)
        stage.instrumentation = f"{name} {version(name)} (litellm {version('litellm')})"
    prompt_only(stage, framework, native=native)
    if not native:
        tools(stage, framework)


def prompt_only(stage: Stage, framework: str, *, native: bool) -> None:
    note = "the context stands in the prompt alone"
    target = "litellm_request" if native else "completion"
    with stage.capture(f"{framework}_prompt_only", "none but prompt text", note) as capture:
        for profile in (KOREAN, CODE):
            stage.plan(profile)
            text = joined(profile.documents, "\n")
            system = {"role": "system", "content": f"Use the context:\n{text}"}
            complete(stage, [system, {"role": "user", "content": profile.question}])
            if native:
                time.sleep(0.5)  # the callback runs in a thread of its own
            capture.run(
                profile,
                target,
                None,
                skip="no_context_captured",
                with_prompt_pattern={"contexts": [{"id": None, "text": text, "score": None}]},
            )


def tools(stage: Stage, framework: str) -> None:
    shape = SHAPES["results"]
    with stage.capture(f"{framework}_tool_results", "tool messages of the last call") as capture:
        for profile in (GERMAN, METADATA):
            stage.search(profile)
            messages: list[dict[str, Any]] = [{"role": "user", "content": profile.question}]
            with stage.tracer.start_as_current_span("handle_request"):
                call = complete(stage, messages, tools=TOOLS).choices[0].message.tool_calls[0]
                result = search_text(shape)(json.loads(call.function.arguments)["query"])
                function = {"name": call.function.name, "arguments": call.function.arguments}
                messages += [
                    {
                        "role": "assistant",
                        "content": None,
                        "tool_calls": [{"id": call.id, "type": "function", "function": function}],
                    },
                    {"role": "tool", "tool_call_id": call.id, "content": result},
                ]
                complete(stage, messages, tools=TOOLS)
            capture.run(profile, "completion", told(profile.documents, shape), pick="last")

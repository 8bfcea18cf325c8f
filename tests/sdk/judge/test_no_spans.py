"""Judge calls in a process whose HTTP client and LiteLLM are instrumented in all ways at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

PROGRAM = """
import asyncio, json, sys
from opentelemetry import trace
from opentelemetry.instrumentation.httpx import HTTPXClientInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_ON, DEFAULT_ON, Sampler
from openinference.instrumentation.litellm import LiteLLMInstrumentor

exporter = InMemorySpanExporter()
class Switch(Sampler):
    now = DEFAULT_ON
    def should_sample(self, *given, **more):
        return self.now.should_sample(*given, **more)
    def get_description(self):
        return "switch"

switch = Switch()
provider = TracerProvider(sampler=switch)
provider.add_span_processor(SimpleSpanProcessor(exporter))
trace.set_tracer_provider(provider)
HTTPXClientInstrumentor().instrument()
LiteLLMInstrumentor().instrument()

import litellm
litellm.callbacks = ["otel"]

from spanjudge.judge.ask import Ask, JudgeError
from spanjudge.judge.litellm import LiteLLMJudge
from spanjudge.judge.quiet import QUIET_TRACE_ID
from spanjudge.testing.model_server import Hang, ModelServer, Status

def taken():
    spans = exporter.get_finished_spans()
    exporter.clear()
    return [[span.instrumentation_scope.name, span.context.trace_id == QUIET_TRACE_ID] for span in spans]

async def settle():
    # LiteLLM's callbacks run in tasks and threads of their own, after the reply.
    from litellm.litellm_core_utils.logging_worker import GLOBAL_LOGGING_WORKER
    await GLOBAL_LOGGING_WORKER.flush()
    await asyncio.sleep(0.3)

async def application(model, url):
    await litellm.acompletion(model=model, messages=[{"role": "user", "content": "x"}], api_base=url, api_key="k")
    await settle()

async def judge(model, url):
    asked = LiteLLMJudge(model, api_base=url, api_key="k", max_attempts=1, timeout_s=0.3)
    with trace.get_tracer("application").start_as_current_span("request"):
        try:
            await asked.ask(Ask(task="explain", instructions="Say why."))
        except JudgeError:
            pass
    await settle()

found = {}
with ModelServer() as server:
    for sampler in ("default", "always on"):
        switch.now = {"default": DEFAULT_ON, "always on": ALWAYS_ON}[sampler]
        for model in ("openai/m", "hosted_vllm/m"):
            asyncio.run(application(model, server.url))
            found[f"application, {sampler}, {model}"] = taken()
            for name, replies in {"answered": [], "failed": [Status(500)], "silent": [Hang()]}.items():
                server.say(*replies)
                asyncio.run(judge(model, server.url))
                found[f"{name}, {sampler}, {model}"] = taken()
    found["requests"] = len(server.requests)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    # The application's own choice, so that its import of LiteLLM makes no span either.
    environment = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False, timeout=110
    )
    assert done.returncode == 0, done.stderr
    spans: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert spans.pop("requests") == len(spans) == 16
    return spans


def test_the_applications_own_calls_are_traced_by_all(found: dict[str, Any]) -> None:
    scopes = [scope for name, spans in found.items() if name.startswith("application") for scope, _ in spans]
    assert {"litellm", "openinference.instrumentation.litellm"} <= set(scopes)


@pytest.mark.parametrize("outcome", ["answered", "failed", "silent"])
@pytest.mark.parametrize("model", ["openai/m", "hosted_vllm/m"])
def test_a_judges_call_leaves_no_span(found: dict[str, Any], outcome: str, model: str) -> None:
    assert found[f"{outcome}, default, {model}"] == [["application", False]]


@pytest.mark.parametrize("outcome", ["answered", "failed", "silent"])
@pytest.mark.parametrize("model", ["openai/m", "hosted_vllm/m"])
def test_spans_of_a_sampler_that_ignores_parents_can_be_told(found: dict[str, Any], outcome: str, model: str) -> None:
    spans = found[f"{outcome}, always on, {model}"]
    assert [span for span in spans if not span[1]] == [["application", False]]

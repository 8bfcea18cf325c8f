"""Make captures of one framework: `python make.py --framework openinference_langchain --out DIR [--only PART]`."""

from __future__ import annotations

import argparse
import importlib
import os
from pathlib import Path

GENAI = {"OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental"}
SPAN_ONLY = {**GENAI, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "SPAN_ONLY"}
EVENT_ONLY = {
    **GENAI,
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "EVENT_ONLY",
    "OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT": "true",
}
SPAN_AND_EVENT = {
    **GENAI,
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "SPAN_AND_EVENT",
    "OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT": "true",
}
SEMANTIC_KERNEL = {
    "SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS": "true",
    "SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE": "true",
}

# Framework -> the file that runs it and the environment that it wants before anything is imported.
FRAMEWORKS: dict[str, tuple[str, dict[str, str]]] = {
    "hand_made": ("hand_made", {}),
    "openinference_langchain": ("openinference_langchain", {}),
    "openinference_openai": ("openai_client", {}),
    "otel_genai_openai_span_only": ("openai_client", SPAN_ONLY),
    "otel_genai_openai_event_only": ("openai_client", EVENT_ONLY),
    "traceloop_openai": ("openai_client", {}),
    "otel_genai_langchain_span_only": ("langchain_others", SPAN_ONLY),
    "otel_genai_langchain_event_only": ("langchain_others", EVENT_ONLY),
    "traceloop_langchain": ("langchain_others", {}),
    "langfuse_langchain": ("langchain_others", {}),
    "mlflow_langchain": ("langchain_others", {}),
    "openinference_llamaindex": ("llamaindex", {}),
    "traceloop_llamaindex": ("llamaindex", {}),
    "otel_genai_llamaindex_span_only": ("llamaindex", SPAN_ONLY),
    "pydantic_ai_native": ("pydantic_agents", {}),
    "openinference_pydantic_ai": ("pydantic_agents", {}),
    "logfire_pydantic_ai": ("pydantic_agents", {}),
    "openinference_openai_agents": ("openai_agents", {}),
    "otel_genai_openai_agents_span_only": ("openai_agents", SPAN_ONLY),
    "openinference_agno": ("agno_agents", {}),
    "openinference_smolagents": ("smolagents_agents", {}),
    "openinference_haystack": ("haystack_pipelines", {}),
    "haystack_native": ("haystack_pipelines", {"HAYSTACK_CONTENT_TRACING_ENABLED": "true"}),
    "openinference_dspy": ("dspy_modules", {}),
    "openinference_litellm": ("litellm_calls", {}),
    "litellm_native_otel": ("litellm_calls", {}),
    "strands_native": ("strands_agents", {}),
    "strands_native_latest": ("strands_agents", GENAI),
    "google_adk_native_span_and_event": ("google_adk", SPAN_AND_EVENT),
    "google_adk_native_true": ("google_adk", {"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "true"}),
    "semantic_kernel_native": ("semantic_kernel_agents", SEMANTIC_KERNEL),
    "traceloop_sdk": ("decorated", {}),
    "langfuse_sdk": ("decorated", {}),
    "mlflow_sdk": ("decorated", {}),
    "traceloop_chromadb": ("chroma", {}),
    "vercel_ai_new": ("vercel_ai", {}),
    "vercel_ai_legacy": ("vercel_ai", {}),
    "mastra": ("mastra", {}),
}


def main() -> None:
    """Run the programs of one framework."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--framework", required=True, choices=sorted(FRAMEWORKS))
    parser.add_argument("--out", type=Path, required=True, help="where the captures and expected.json go")
    parser.add_argument("--only", default="", help="write only files whose name has this part")
    given = parser.parse_args()
    module, environment = FRAMEWORKS[given.framework]
    os.environ.update({"LITELLM_LOCAL_MODEL_COST_MAP": "True", "OPENAI_API_KEY": "none", **environment})
    given.out.mkdir(parents=True, exist_ok=True)
    importlib.import_module(module).main(given.out, given.only, given.framework)
    os._exit(0)  # some frameworks leave threads that never end


if __name__ == "__main__":
    main()

"""What to switch on, instrumentation by instrumentation: one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from spanjudge.dialects import traceloop
from spanjudge.semconv import SkipCode

Advice: TypeAlias = Mapping[SkipCode, str]


@dataclass(frozen=True, slots=True)
class Instrumentation:
    """One row: whose spans, how to know them, and what to do for each code that is more than the general advice.

    Args:
        name: What its users call it.
        scopes: Starts of the names of its instrumentation scopes.
        dialects: Modules of ``spanjudge.dialects`` that are its own, where it has no scope.
        advice: What to do, as an order, by code.
    """

    name: str
    scopes: tuple[str, ...] = ()
    dialects: tuple[str, ...] = ()
    advice: Advice = field(default_factory=dict)

    def made(self, scope: str) -> bool:
        """Whether a scope of this name is this instrumentation's."""
        return any(
            scope.startswith(start) if start.endswith((".", "/")) else f"{scope}.".startswith(f"{start}.")
            for start in self.scopes
        )


_CONTENT: Final = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_LATEST: Final = "OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental"
_SPAN_ONLY: Final = (
    f"set {_CONTENT}=SPAN_ONLY (the default is no content); with EVENT_ONLY also"
    " OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT=true and JudgeLogProcessor on the logger provider"
)
_PATTERN: Final = (
    "give JudgeSpanProcessor(reading=Reading(context_patterns=[...])) a pattern for where the prompt holds the"
    " contexts, or record the documents with record_retrieval"
)
_OLD_OR_LATEST: Final = f"set {_CONTENT}=true and add JudgeLogProcessor to the logger provider, or set {_LATEST} and"
_MODEL_BESIDE: Final = (
    "add an instrumentation of the model's client beside it (opentelemetry-instrumentation-genai-openai for OpenAI):"
    " alone it tells neither question nor answer"
)
_HIDDEN: Final = (
    "unset OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS and the other OPENINFERENCE_HIDE_* variables (or the"
    " TraceConfig that hides), or mask in a processor that stands after JudgeSpanProcessor"
)
_TRACELOOP_CONTENT: Final = "unset TRACELOOP_TRACE_CONTENT or set it to true"

# The more special scope before the more general one.
INSTRUMENTATIONS: Final = (
    Instrumentation(
        "openinference-instrumentation-llama-index",
        ("openinference.instrumentation.llama_index",),
        advice={
            "attributes_dropped": (
                "set OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT above 4 attributes per document: the default of 128 is too low"
                " from 32 documents on"
            )
        },
    ),
    Instrumentation(
        "openinference-instrumentation-haystack",
        ("openinference.instrumentation.haystack",),
        advice=dict.fromkeys(
            ("no_query", "no_answer", "no_context_captured"),
            "where each call of an agent's model is a trace of its own, use Haystack's own tracing"
            " (opentelemetry-haystack with HAYSTACK_CONTENT_TRACING_ENABLED=true), or call the agent in a span of"
            " yours",
        ),
    ),
    Instrumentation(
        "openinference-instrumentation-pydantic-ai",
        ("openinference.instrumentation.pydantic_ai",),
        advice={"no_content_captured": "add its span processor before JudgeSpanProcessor: it rewrites ended spans"},
    ),
    Instrumentation(
        "openinference-instrumentation-openai",
        ("openinference.instrumentation.openai",),
        advice={"no_context_captured": _PATTERN},
    ),
    Instrumentation(
        "openinference-instrumentation-litellm",
        ("openinference.instrumentation.litellm",),
        advice={"no_context_captured": _PATTERN},
    ),
    Instrumentation(
        "OpenInference",
        ("openinference.instrumentation",),
        dialects=("openinference",),
        advice={"redacted": _HIDDEN, "no_content_captured": _HIDDEN},
    ),
    Instrumentation(
        "opentelemetry-instrumentation-genai-langchain",
        ("opentelemetry.instrumentation.genai.langchain",),
        advice={
            "no_content_captured": _SPAN_ONLY,
            "no_context_captured": (
                f"set {_CONTENT}=SPAN_ONLY (EVENT_ONLY leaves out what retrievers and tools return), or {_PATTERN}"
            ),
        },
    ),
    Instrumentation(
        "opentelemetry-instrumentation-genai-llama-index",
        ("opentelemetry.instrumentation.genai.llama_index",),
        advice={
            "no_content_captured": _SPAN_ONLY,
            "no_answer": (
                "its query engine tells the retrieval alone: record the answer with record_answer in a span of yours"
                " around the query, or use openinference-instrumentation-llama-index, which tells it"
            ),
            "context_text_missing": (
                "its documents are ids and scores: give JudgeSpanProcessor(resolve_documents=...) the function that"
                " knows their texts"
            ),
        },
    ),
    Instrumentation(
        "opentelemetry-instrumentation-genai-openai-agents",
        ("opentelemetry.instrumentation.genai.openai_agents",),
        advice={
            "no_content_captured": (
                f"set {_CONTENT}=SPAN_ONLY (EVENT_ONLY leaves out what tools return), and {_MODEL_BESIDE}"
            ),
            "no_query": _MODEL_BESIDE,
            "no_answer": _MODEL_BESIDE,
        },
    ),
    Instrumentation(
        "opentelemetry-instrumentation-openai-v2",
        ("opentelemetry.instrumentation.openai_v2",),
        advice={"no_content_captured": f"{_OLD_OR_LATEST} {_CONTENT}=SPAN_ONLY", "no_context_captured": _PATTERN},
    ),
    Instrumentation(
        "OpenTelemetry GenAI",
        ("opentelemetry.instrumentation.genai", "opentelemetry.util.genai"),
        advice={"no_content_captured": _SPAN_ONLY, "no_context_captured": _PATTERN},
    ),
    Instrumentation(
        "opentelemetry-instrumentation-qdrant",
        ("opentelemetry.instrumentation.qdrant",),
        advice={
            "no_context_captured": f"its spans tell no results: {_PATTERN}",
        },
    ),
    Instrumentation(
        "LiteLLM's callback otel",
        ("litellm",),
        dialects=("litellm",),
        advice={"no_context_captured": _PATTERN, "no_content_captured": "leave litellm.turn_off_message_logging off"},
    ),
    Instrumentation(
        "Traceloop",
        traceloop.scopes,
        dialects=("traceloop",),
        advice={"no_content_captured": _TRACELOOP_CONTENT, "no_context_captured": _PATTERN},
    ),
    Instrumentation(
        "Google ADK",
        ("gcp.vertex.agent",),
        dialects=("google_adk",),
        advice={"no_content_captured": f"{_OLD_OR_LATEST} {_CONTENT}=SPAN_AND_EVENT"},
    ),
    Instrumentation(
        "Semantic Kernel",
        ("semantic_kernel",),
        dialects=("semantic_kernel",),
        advice=dict.fromkeys(
            ("no_content_captured", "no_query", "no_answer"),
            "set SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS=true and"
            " SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE=true, and add JudgeLogProcessor to"
            " the logger provider",
        ),
    ),
    Instrumentation(
        "Haystack",
        dialects=("haystack",),
        advice={"no_content_captured": "set HAYSTACK_CONTENT_TRACING_ENABLED=true"},
    ),
    Instrumentation(
        "MLflow",
        ("mlflow.",),
        dialects=("mlflow",),
        advice=dict.fromkeys(
            ("no_content_captured", "no_context_captured"),
            "unset MLFLOW_ENABLE_OTEL_GENAI_SEMCONV, which drops what retrievers return",
        ),
    ),
    Instrumentation(
        "Pydantic AI",
        ("pydantic-ai",),
        dialects=("pydantic_ai",),
        advice={"no_content_captured": "set include_content=True in its InstrumentationSettings"},
    ),
    Instrumentation(
        "Logfire",
        ("logfire",),
        dialects=("logfire",),
        advice={
            "redacted": "loosen its scrubbing for the texts that are to be judged: logfire.configure(scrubbing=...)"
        },
    ),
    Instrumentation(
        "Vercel AI SDK",
        ("@ai-sdk/",),
        dialects=("vercel_ai",),
        advice={"no_content_captured": "leave recordInputs and recordOutputs of its telemetry settings on"},
    ),
    Instrumentation(
        "Spring AI",
        dialects=("spring_ai",),
        advice={
            "no_content_captured": "set spring.ai.chat.observations.log-prompt and log-completion to true",
            "no_context_captured": (
                "set spring.ai.vectorstore.observations.log-query-response=true: the documents are in log records,"
                " which the Collector must send too"
            ),
        },
    ),
)

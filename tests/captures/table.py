"""The table of frameworks in the README, made from the captures and from what is read out of them.

``python tests/captures/table.py`` prints it; with ``--write`` it is put into README.md.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from spanjudge.assembly import assemble
from spanjudge.sources.file import read_spans

FOLDER: Final = Path(__file__).parent
README: Final = FOLDER.parents[1] / "README.md"
BEGIN: Final = "<!-- frameworks: written by tests/captures/table.py -->"
END: Final = "<!-- end of frameworks -->"
_CONTENT: Final = "`OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY`"
_EVENTS: Final = (
    f"{_CONTENT}; for `EVENT_ONLY` (with `OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT=true`) also `JudgeLogProcessor`"
)
_LATEST: Final = "`OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental`"


@dataclass(frozen=True)
class Row:
    """One instrumentation: its package, how the names of its captures begin, and what must be switched on."""

    framework: str
    package: str
    prefixes: tuple[str, ...]
    switch_on: str = "nothing"


ROWS: Final = (
    Row(
        "LangChain, LangGraph",
        "openinference-instrumentation-langchain",
        ("openinference_langchain", "openinference_langgraph", "openinference_by_hand"),
    ),
    Row(
        "LlamaIndex",
        "openinference-instrumentation-llama-index",
        ("openinference_llamaindex",),
        "`OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT` above 4 attributes per document: the default of 128 is too low from 32 on",
    ),
    Row("OpenAI Agents", "openinference-instrumentation-openai-agents", ("openinference_openai_agents",)),
    Row("OpenAI", "openinference-instrumentation-openai", ("openinference_openai",)),
    Row("Haystack", "openinference-instrumentation-haystack", ("openinference_haystack",)),
    Row("DSPy", "openinference-instrumentation-dspy", ("openinference_dspy",)),
    Row(
        "Pydantic AI",
        "openinference-instrumentation-pydantic-ai",
        ("openinference_pydantic_ai",),
        "its processor must be added before ours",
    ),
    Row("smolagents", "openinference-instrumentation-smolagents", ("openinference_smolagents",)),
    Row("Agno", "openinference-instrumentation-agno", ("openinference_agno",)),
    Row("LiteLLM", "openinference-instrumentation-litellm", ("openinference_litellm",)),
    Row("LangChain, LangGraph", "opentelemetry-instrumentation-genai-langchain", ("otel_genai_langchain",), _EVENTS),
    Row("LlamaIndex", "opentelemetry-instrumentation-genai-llama-index", ("otel_genai_llamaindex",), _CONTENT),
    Row(
        "OpenAI Agents",
        "opentelemetry-instrumentation-genai-openai-agents",
        ("otel_genai_openai_agents",),
        f"{_CONTENT}, and genai-openai beside it: alone it tells neither question nor answer",
    ),
    Row("OpenAI", "opentelemetry-instrumentation-genai-openai", ("otel_genai_openai", "otel_openai_new"), _EVENTS),
    Row(
        "OpenAI",
        "opentelemetry-instrumentation-openai-v2",
        ("otel_openai_v2",),
        f"`…_CAPTURE_MESSAGE_CONTENT=true` and `JudgeLogProcessor`, or {_LATEST} and `SPAN_ONLY`",
    ),
    Row(
        "LangChain, LangGraph",
        "opentelemetry-instrumentation-langchain",
        ("traceloop_langchain", "traceloop_langgraph"),
    ),
    Row("LlamaIndex", "opentelemetry-instrumentation-llamaindex", ("traceloop_llamaindex",)),
    Row("OpenAI", "opentelemetry-instrumentation-openai", ("traceloop_openai",)),
    Row("Chroma", "opentelemetry-instrumentation-chromadb", ("traceloop_chromadb",)),
    Row("Qdrant", "opentelemetry-instrumentation-qdrant", ("traceloop_qdrant",)),
    Row("decorators", "traceloop-sdk", ("traceloop_sdk",)),
    Row("Pydantic AI", "pydantic-ai-slim", ("pydantic_ai_native",), "its instrumentation"),
    Row("Pydantic AI under Logfire", "logfire", ("logfire",), "`logfire.instrument_pydantic_ai()`"),
    Row(
        "MLflow",
        "mlflow-tracing",
        ("mlflow",),
        "its export as OTLP, without `MLFLOW_ENABLE_OTEL_GENAI_SEMCONV`, which drops what retrievers return",
    ),
    Row("Langfuse", "langfuse", ("langfuse",)),
    Row("Haystack", "opentelemetry-haystack", ("haystack_native",), "`HAYSTACK_CONTENT_TRACING_ENABLED=true`"),
    Row("Strands Agents", "strands-agents", ("strands",)),
    Row(
        "Google ADK",
        "google-adk",
        ("google_adk",),
        f"`…_CAPTURE_MESSAGE_CONTENT=true` and `JudgeLogProcessor`, or {_LATEST} and `SPAN_AND_EVENT`",
    ),
    Row(
        "Semantic Kernel",
        "semantic-kernel",
        ("semantic_kernel",),
        "`SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS`, `…_SENSITIVE` and `JudgeLogProcessor`",
    ),
    Row("LiteLLM", "litellm", ("litellm_native",), "its callback `otel`"),
    Row("Vercel AI SDK", "@ai-sdk/otel", ("vercel_ai",)),
    Row("Mastra", "@mastra/otel-exporter", ("mastra",)),
    Row("by hand", "opentelemetry-sdk", ("hand_made",), "names in common use are known; others by a mapping"),
)


def entries() -> list[tuple[Path, dict[str, Any]]]:
    """All captured files with what they are known to hold."""
    return [
        (folder / entry["file"], entry)
        for folder in (FOLDER, FOLDER / "live")
        for entry in json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    ]


def row_of(file: str) -> Row:
    """The row that a file belongs to: that of the longest beginning of its name."""
    fitting = [(len(prefix), row) for row in ROWS for prefix in row.prefixes if file.startswith(prefix)]
    return max(fitting, key=lambda pair: pair[0])[1]


def table() -> str:
    """The table, without what is around it."""
    runs: dict[Row, Counter[str | None]] = {row: Counter() for row in ROWS}
    versions: dict[Row, dict[str, None]] = {row: {} for row in ROWS}
    for path, entry in entries():
        row = row_of(entry["file"])
        found = re.search(rf"(?:^|[ +,]){re.escape(row.package)} v?(\d[\w.]*)", entry.get("instrumentation", ""))
        if found:
            versions[row][found[1]] = None
        runs[row].update(run.skip_reason for run in assemble(read_spans(path)))
    lines = [
        "| framework | instrumentation (version tested) | runs | complete | others, by reason | to switch on |",
        "|---|---|---|---|---|---|",
    ]
    for row, reasons in runs.items():
        others = ", ".join(f"{count} `{code}`" for code, count in sorted(reasons.items(), key=str) if code)
        package = " ".join((row.package, ", ".join(versions[row]))).strip()
        lines.append(
            f"| {row.framework} | {package} | {reasons.total()} | {reasons[None]} | {others} | {row.switch_on} |"
        )
    return "\n".join(lines)


def in_readme() -> str:
    """The table as it stands in the README."""
    return README.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0].strip()


def main() -> None:
    """Print the table, or write it into the README."""
    if "--write" not in sys.argv:
        sys.stdout.write(table() + "\n")
        return
    before, begin, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{README.name} has no place for the table: put the lines {BEGIN} and {END} into it.")
    README.write_text(f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Every code has its words, and every incomplete capture the advice that its note asks for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from spanjudge.doctor.advice import DROPS, FAILURES, SKIPS
from spanjudge.doctor.captured import Explained, explain
from spanjudge.doctor.instrumentations import INSTRUMENTATIONS
from spanjudge.semconv import DROP_CODES, FAILURE_CODES, SKIP_CODES
from spanjudge.sources.file import read_spans

CAPTURES: Final = Path(__file__).parents[2] / "captures"
CONTENT: Final = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
PATTERN: Final = ("Reading(context_patterns=",)
SPAN_ONLY: Final = (f"{CONTENT}=SPAN_ONLY", "JudgeLogProcessor")
BESIDE: Final = ("opentelemetry-instrumentation-genai-openai",)

# What each incomplete capture's note asks for: its code, and words that the advice must hold.
WANTED: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "google_adk_native": {
        "no_content_captured": (
            f"{CONTENT}=true",
            "JudgeLogProcessor",
            "OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental",
            f"{CONTENT}=SPAN_AND_EVENT",
        )
    },
    "litellm_native_otel_child": {"no_context_captured": PATTERN},
    "litellm_native_otel_root": {"no_context_captured": PATTERN},
    "litellm_native_otel_semconv": {"no_context_captured": PATTERN},
    "litellm_native_otel_wait": {"no_context_captured": PATTERN},
    "mlflow_otlp_semconv": {"no_context_captured": ("unset MLFLOW_ENABLE_OTEL_GENAI_SEMCONV",)},
    "openinference_langchain_retriever_error": {"source_error": ("nothing to switch on", "exception")},
    "openinference_litellm": {"no_context_captured": PATTERN},
    "openinference_llamaindex_top40_attr_limit": {
        "attributes_dropped": ("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "4 attributes per document")
    },
    "openinference_openai_chat": {"no_context_captured": PATTERN},
    "openinference_openai_chat_stream": {"no_context_captured": PATTERN},
    "otel_genai_langchain_event_only_lcel": {"no_context_captured": (f"{CONTENT}=SPAN_ONLY", *PATTERN)},
    "otel_genai_langchain_event_only_lcel_stream": {"no_context_captured": (f"{CONTENT}=SPAN_ONLY", *PATTERN)},
    "otel_genai_langchain_none_agent": {"no_content_captured": SPAN_ONLY},
    "otel_genai_langchain_none_lcel": {"no_content_captured": SPAN_ONLY},
    "otel_genai_langchain_none_lcel_stream": {"no_content_captured": SPAN_ONLY},
    "otel_genai_llamaindex_span_only_query": {
        "no_answer": ("record_answer",),
        "context_text_missing": ("resolve_documents",),
    },
    "otel_genai_openai_agents_event_only_chat_completions": {
        "no_content_captured": (f"{CONTENT}=SPAN_ONLY", "EVENT_ONLY leaves out what tools return", *BESIDE)
    },
    "otel_genai_openai_agents_event_only_responses": {
        "no_content_captured": (f"{CONTENT}=SPAN_ONLY", "EVENT_ONLY leaves out what tools return", *BESIDE)
    },
    "otel_genai_openai_agents_span_only_chat_completions": {"no_query": BESIDE, "no_answer": BESIDE},
    "otel_genai_openai_agents_span_only_responses": {"no_query": BESIDE, "no_answer": BESIDE},
    "traceloop_qdrant_openai": {"no_context_captured": ("its spans tell no results", *PATTERN)},
}


def _incomplete(folder: Path) -> list[dict[str, Any]]:
    entries = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    return [entry for entry in entries if not all(run["complete"] for run in entry["runs"])]


def _runs(file: Path) -> list[Explained]:
    return [run for trace in explain(read_spans(file)).traces for run in trace.runs]


def test_every_code_has_words_and_something_to_do() -> None:
    assert tuple(SKIPS) == SKIP_CODES
    assert tuple(DROPS) == DROP_CODES
    assert tuple(FAILURES) == FAILURE_CODES
    texts = [text for each in (*SKIPS.values(), *DROPS.values()) for text in each] + list(FAILURES.values())
    texts += [text for row in INSTRUMENTATIONS for text in row.advice.values()]
    assert all(len(text) > 10 and text == text.strip() and not text.endswith(".") for text in texts)


def test_every_incomplete_capture_is_in_the_table_of_what_is_wanted() -> None:
    assert {entry["file"].removesuffix(".json") for entry in _incomplete(CAPTURES)} == set(WANTED)


@pytest.mark.parametrize("name", WANTED)
def test_incomplete_capture_gets_the_advice_that_its_note_asks_for(name: str) -> None:
    runs = [run for run in _runs(CAPTURES / f"{name}.json") if not run.run.complete]
    assert runs
    for run in runs:
        advice = {code: " ".join(each.do for each in run.advice if code in each.codes) for code, _ in run.why}
        assert list(advice) == list(WANTED[name])
        assert run.why[0][0] == run.run.skip_reason
        for code, words in WANTED[name].items():
            assert [word for word in words if word not in advice[code]] == [], advice[code]


@pytest.mark.parametrize("entry", _incomplete(CAPTURES / "live"), ids=lambda entry: entry["file"])
def test_incomplete_live_capture_gets_advice_for_its_code(entry: dict[str, Any]) -> None:
    runs = [run for run in _runs(CAPTURES / "live" / entry["file"]) if not run.run.complete]
    assert runs
    for run in runs:
        assert run.run.skip_reason in {code for each in run.advice for code in each.codes}


def test_agent_calls_of_haystack_that_are_traces_of_their_own_are_sent_to_its_own_tracing() -> None:
    runs = _runs(CAPTURES / "openinference_haystack_agent.json")
    assert {run.run.skip_reason for run in runs} == {"no_query", "no_answer", "no_context_captured"}
    for run in runs:
        (advised,) = run.advice
        assert advised.codes == tuple(code for code, _ in run.why)
        assert advised.instrumentation == "openinference-instrumentation-haystack"
        assert "HAYSTACK_CONTENT_TRACING_ENABLED=true" in advised.do


def test_rows_of_one_beginning_are_known_apart() -> None:
    made = {row.name: row.made for row in INSTRUMENTATIONS}
    assert made["openinference-instrumentation-openai"]("openinference.instrumentation.openai")
    assert not made["openinference-instrumentation-openai"]("openinference.instrumentation.openai_agents")
    assert made["Traceloop"]("opentelemetry.instrumentation.openai.v1")
    assert not made["Traceloop"]("opentelemetry.instrumentation.httpx")
    assert made["Vercel AI SDK"]("@ai-sdk/otel")


def test_more_special_rows_come_before_those_that_they_are_part_of() -> None:
    for place, row in enumerate(INSTRUMENTATIONS):
        later = [scope for other in INSTRUMENTATIONS[place + 1 :] for scope in other.scopes]
        hidden = [scope for scope in later if row.made(scope)]
        assert hidden == [], row.name

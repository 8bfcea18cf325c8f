"""Every reason code in plain words, and what to do about it where nothing is known of the instrumentation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spanjudge.semconv import DropCode, FailureCode, SkipCode


class Remedy(NamedTuple):
    """Why, as the end of "it was not judged, because ..."; and what to do, as an order. No full stops."""

    why: str
    do: str


SKIPS: Final[Mapping[SkipCode, Remedy]] = {
    "own_judge": Remedy("its spans are those of a judge's own calls", "nothing: a judge is never judged"),
    "opted_out": Remedy(
        "the application has asked to leave it out", "nothing, or take the mark off that leaves it out"
    ),
    "duplicate": Remedy(
        "a second instrumentation tells of a call that another has told already",
        "nothing: it is judged once; switch one of the two instrumentations off to save spans",
    ),
    "late_span": Remedy(
        "a part of it came after the run was closed", "raise linger_s above the time by which spans come late"
    ),
    "source_error": Remedy(
        "the call itself failed",
        "nothing to switch on: look at the exception on the trace's spans; a failed call is never given a score",
    ),
    "canceled": Remedy(
        "the call was cancelled before it was over", "nothing: a call that its user gave up has no answer"
    ),
    "redacted": Remedy(
        "texts were replaced by a placeholder before spanjudge saw them",
        "show inputs and outputs (OPENINFERENCE_HIDE_INPUTS, _HIDE_OUTPUTS and the like unset), or put the processor"
        " that masks after JudgeSpanProcessor, or record the texts with record_retrieval and record_answer",
    ),
    "attributes_dropped": Remedy(
        "a span had more attributes than the SDK keeps, so some of its content is gone",
        "raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT (default 128), or record the documents with record_retrieval,"
        " which no limit of spans touches",
    ),
    "truncated": Remedy(
        "texts were cut at a limit",
        "raise or unset OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT and OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT, and the limits of"
        " the instrumentation itself, or record the texts with record_retrieval and record_answer",
    ),
    "no_content_captured": Remedy(
        "its spans carry no texts at all",
        "switch content capture on in the instrumentation; where content goes into log records, add JudgeLogProcessor"
        " to the logger provider; where it stands in attributes of your own, name them in"
        " JudgeSpanProcessor(reading=Reading(plain=PlainMapping(...)))",
    ),
    "no_query": Remedy(
        "no question was found on its spans",
        "instrument the chain, agent or model that gets the question, or record it with record_retrieval(query, ...);"
        " where it stands in an attribute of your own, name it in Reading(plain=PlainMapping(query=...))",
    ),
    "no_answer": Remedy(
        "no answer was found on its spans",
        "instrument the model that gives the answer, or record it with record_answer(text); where it stands in an"
        " attribute of your own, name it in Reading(plain=PlainMapping(answer=...))",
    ),
    "no_context_captured": Remedy(
        "no retrieved documents were found on its spans, if the call retrieved any",
        "instrument the retriever, or record the documents with record_retrieval(query, documents); where they stand in"
        " the prompt alone, give Reading(context_patterns=...); where in attributes of your own, Reading(plain=...)",
    ),
    "context_text_missing": Remedy(
        "the documents have ids but no texts",
        "give JudgeSpanProcessor(resolve_documents=...) the function that knows them",
    ),
    "no_ground_truth": Remedy(
        "there is no right answer to compare with",
        "give a golden set (ground_truth=...), or record it with record_reference(text)",
    ),
    "empty_context": Remedy(
        "the retriever returned nothing", "nothing to switch on: that is a finding about the retriever"
    ),
    "no_claims": Remedy("the text states nothing that could be checked", "nothing: there is nothing to judge"),
}

DROPS: Final[Mapping[DropCode, Remedy]] = {
    "inbox_full": Remedy("more spans came than the inbox holds", "raise inbox_size or lower sample_rate"),
    "queue_full": Remedy(
        "more runs came than the judge takes", "raise queue_size or concurrency, or lower sample_rate"
    ),
    "trace_spoiled": Remedy("a span of its trace was lost", "raise inbox_size or lower sample_rate"),
    "too_large": Remedy("its trace was larger or older than allowed", "raise max_trace_bytes or max_trace_age_s"),
    "shutdown": Remedy("the process ended before it was judged", "raise shutdown_timeout_s"),
    "spool_full": Remedy("the spool was full", "give the spool more room"),
    "spool_corrupt": Remedy("its place in the spool could not be read", "look at the disk under the spool"),
}

FAILURES: Final[Mapping[FailureCode, str]] = {
    "judge_timeout": "raise judge_timeout_s and run_timeout_s, or choose a faster model",
    "judge_rate_limited": "wait, lower concurrency, or raise the limit with the provider",
    "judge_unavailable": "see that the provider is up and that this machine reaches it (OPENAI_API_BASE and the like)",
    "judge_auth": "set the provider's key in the environment of the application, as OPENAI_API_KEY",
    "judge_bad_request": "check the judge's name, provider/model as LiteLLM writes it",
    "judge_refused": "choose another model: this one refuses to judge",
    "judge_content_filter": "loosen the provider's content filter for the judge, or choose another model",
    "judge_parse_error": "choose a model that keeps to a JSON schema",
    "judge_truncated": "choose a model with room for longer answers",
    "budget_exhausted": "raise the budget, or wait until it begins anew",
    "scorer_error": "look at the scorer's own code: the log at level DEBUG holds the exception",
}

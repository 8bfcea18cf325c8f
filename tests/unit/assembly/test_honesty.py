from __future__ import annotations

import json
from dataclasses import replace

import pytest

from spanjudge.assembly import assemble
from spanjudge.model import RagRun
from spanjudge.sources.record import SpanRecord
from unit.assembly.tracing import ANSWER, QUERY, TEXTS, Tracing, chain, exception, kind, llm, rag_trace, retriever, tool


def only(spans: list[SpanRecord]) -> RagRun:
    (run,) = assemble(spans)
    return run


def changed(spans: list[SpanRecord], name: str, **changes: object) -> list[SpanRecord]:
    return [replace(span, **changes) if span.name == name else span for span in spans]  # type: ignore[arg-type]


def told(spans: list[SpanRecord], name: str, **attributes: object) -> list[SpanRecord]:
    found = {key.replace("__", "."): value for key, value in attributes.items()}
    return [replace(span, attributes={**span.attributes, **found}) if span.name == name else span for span in spans]


def test_failed_root_is_an_error() -> None:
    assert only(changed(rag_trace(), "chain", error=True)).skip_reason == "source_error"


def test_canceled_root_is_no_error_but_canceled() -> None:
    spans = changed(rag_trace(), "chain", error=True, events=exception("asyncio.exceptions.CancelledError"))
    assert only(spans).skip_reason == "canceled"


def test_failed_retriever_without_another_source_is_an_error() -> None:
    spans = changed(rag_trace(), "retriever", error=True, attributes=kind("RETRIEVER") | {"input.value": QUERY})
    assert (only(spans).skip_reason, only(spans).contexts) == ("source_error", None)


def test_failed_tool_is_not_scored_as_if_it_had_answered() -> None:
    tracing = Tracing()
    root = tracing.span(
        "agent", attributes=kind("AGENT") | {"input.value": QUERY, "output.value": "Something went wrong."}
    )
    tracing.end(tracing.span("search", root, attributes=tool("Error: no connection")), error=True)
    turns = {
        "llm.input_messages.1.message.role": "tool",
        "llm.input_messages.1.message.content": "Error: no connection",
    }
    tracing.span("model", root, attributes=llm("Something went wrong.") | turns)
    run = only(tracing.done())
    assert (run.skip_reason, run.contexts) == ("source_error", None)


def test_tool_message_that_says_it_failed_is_a_failure() -> None:
    tracing = Tracing()
    root = tracing.span("agent", attributes=kind("AGENT") | {"input.value": QUERY, "output.value": ANSWER})
    message = {"type": "tool", "data": {"content": "Error: no connection", "status": "error", "artifact": None}}
    tracing.span("search", root, attributes=tool(json.dumps(message)))
    assert only(tracing.done()).skip_reason == "source_error"


def test_failure_that_a_retry_made_good_does_not_count() -> None:
    tracing = Tracing()
    root = tracing.span("chain", attributes=chain())
    tracing.end(tracing.span("first try", root, attributes=kind("RETRIEVER")), error=True)
    tracing.end(tracing.span("retriever", root, attributes=retriever(*TEXTS)))
    tracing.end(tracing.span("first try", root, attributes=llm(None)), error=True)
    tracing.span("model", root, attributes=llm())
    assert only(tracing.done()).complete


@pytest.mark.parametrize("name", ["chain", "retriever"])
def test_attributes_dropped_from_a_span_that_matters_stop_the_run(name: str) -> None:
    assert only(changed(rag_trace(), name, dropped_attributes=3)).skip_reason == "attributes_dropped"


def test_attributes_dropped_elsewhere_are_a_warning() -> None:
    tracing = Tracing()
    root = tracing.span("chain", attributes=chain())
    tracing.end(tracing.span("retriever", root, attributes=retriever(*TEXTS)))
    tracing.end(tracing.span("step", root, attributes=chain("x", "y"), dropped_attributes=2))
    tracing.span("model", root, attributes=llm())
    run = only(tracing.done())
    assert (run.complete, run.warnings) == (True, ("attributes_dropped",))


def test_ranks_with_gaps_are_no_ranking() -> None:
    attributes = {key.replace(".1.", ".7."): value for key, value in retriever(*TEXTS, ids=("a", "b")).items()}
    run = only(changed(rag_trace(), "retriever", attributes=attributes))
    assert (run.skip_reason, run.contexts) == ("attributes_dropped", None)


def test_redacted_text_that_is_needed_stops_the_run() -> None:
    for name, key in (("chain", "input.value"), ("chain", "output.value")):
        run = only(told(rag_trace(), name, **{key.replace(".", "__"): "__REDACTED__"}))
        assert run.skip_reason == "redacted"
        assert "__REDACTED__" not in (run.query, run.answer)
    documents = {"retrieval__documents__0__document__content": "__REDACTED__"}
    assert only(told(rag_trace(), "retriever", **documents)).skip_reason == "redacted"


def test_redacted_text_elsewhere_is_a_warning() -> None:
    run = only(told(rag_trace(), "model", input__value="__REDACTED__"))
    assert (run.complete, run.warnings) == (True, ("redacted",))


def cut(spans: list[SpanRecord], length: int) -> list[SpanRecord]:
    def shortened(span: SpanRecord) -> SpanRecord:
        values = {key: value[:length] if isinstance(value, str) else value for key, value in span.attributes.items()}
        return replace(span, attributes=values)

    return [shortened(span) for span in spans]


def long_trace() -> list[SpanRecord]:
    tracing = Tracing()
    root = tracing.span("chain", attributes=chain(QUERY, "It lasts two years. " * 8))
    long = [f"Text number {number}: " + "word " * 30 for number in range(3)]
    output = json.dumps({"documents": [{"page_content": text} for text in long]})
    found = retriever(*long, ids="abc") | {"output.value": output}
    tracing.end(tracing.span("retriever", root, attributes=found))
    tracing.span("model", root, attributes=llm("It lasts two years. " * 8))
    return tracing.done()


def test_texts_cut_by_a_limit_stop_the_run_though_nothing_says_that_they_were() -> None:
    assert only(long_trace()).complete
    assert only(cut(long_trace(), 100)).skip_reason == "truncated"


def test_json_cut_in_one_place_and_whole_in_another_is_a_warning() -> None:
    run = only(cut(long_trace(), 200))
    assert (run.complete, run.warnings) == (True, ("truncated",))


def test_result_of_a_tool_that_broke_off_stops_the_run() -> None:
    tracing = Tracing()
    root = tracing.span("agent", attributes=kind("AGENT") | {"input.value": QUERY, "output.value": ANSWER})
    tracing.span(
        "search", root, attributes=tool(json.dumps([{"id": "a", "text": TEXTS[0]}, {"id": "b", "text": TEXTS[1]}])[:60])
    )
    assert only(tracing.done()).skip_reason == "truncated"


def test_switched_off_content_is_told_as_such() -> None:
    tracing = Tracing()
    root = tracing.span("agent", attributes={"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "support"})
    tracing.span("chat", root, attributes={"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"})
    run = only(tracing.done())
    assert (run.skip_reason, run.query, run.answer, run.contexts, run.agent) == (
        "no_content_captured",
        None,
        None,
        None,
        "support",
    )


def test_first_code_in_order_is_told() -> None:
    spans = changed(rag_trace(), "chain", error=True, dropped_attributes=1, attributes=kind("CHAIN"))
    assert only(spans).skip_reason == "source_error"
    tracing = Tracing()
    tracing.span("chain", attributes=kind("CHAIN") | {"output.value": ANSWER})
    assert only(tracing.done()).skip_reason == "no_query"

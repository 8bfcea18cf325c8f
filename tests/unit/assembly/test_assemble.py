from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanjudge.assembly import assemble, capture_json
from spanjudge.model import RagRun
from spanjudge.sources.record import SpanRecord
from unit.assembly.tracing import (
    ANSWER,
    MS,
    QUERY,
    TEXTS,
    TRACE,
    Tracing,
    calling,
    chain,
    kind,
    llm,
    rag_trace,
    retriever,
    tool,
)

OTHER = "1" * 32


def only(spans: list[SpanRecord]) -> RagRun:
    (run,) = assemble(spans)
    return run


def texts(run: RagRun) -> list[str | None] | None:
    return None if run.contexts is None else [document.text for document in run.contexts]


def test_chain_with_retriever_and_model_is_one_complete_run() -> None:
    run = only(rag_trace(under="GET /ask"))
    assert (run.query, run.answer, run.complete, run.model) == (QUERY, ANSWER, True, "small-model")
    assert [(each.id, each.text, each.rank) for each in run.contexts or ()] == [("a", TEXTS[0], 0), ("b", TEXTS[1], 1)]
    assert run.target is not None
    assert run.target.name == "chain"
    assert {each.source_span_id for each in run.contexts or ()} == {f"{3:016x}"}


def test_two_traces_in_flight_never_mix() -> None:
    one, two = rag_trace(), rag_trace(OTHER)
    other = [replace(span, attributes={**span.attributes, "input.value": "Another question?"}) for span in two]
    mixed = [span for pair in zip(one, other, strict=True) for span in pair]
    runs = assemble(mixed)
    assert {(run.target.trace_id if run.target else "", run.query) for run in runs} == {
        (TRACE, QUERY),
        (OTHER, "Another question?"),
    }


def test_chains_side_by_side_are_runs_of_their_own() -> None:
    tracing = Tracing()
    server = tracing.span("websocket", kind=2)
    for number in range(3):
        root = tracing.span("chain", server, attributes=chain(f"Question {number}?", f"Answer {number}."))
        tracing.end(tracing.span("retriever", root, attributes=retriever(f"Text {number}.")))
        tracing.end(root)
    runs = assemble(tracing.done())
    assert [(run.query, run.answer, texts(run)) for run in runs] == [
        (f"Question {number}?", f"Answer {number}.", [f"Text {number}."]) for number in range(3)
    ]


def test_agents_inside_an_agent_belong_to_its_run() -> None:
    tracing = Tracing()
    outer = tracing.span("manager", attributes=kind("AGENT") | {"input.value": QUERY, "output.value": ANSWER})
    handed = tracing.span("ask_researcher", outer, attributes=tool("A summary by the researcher."))
    inner = tracing.span(
        "researcher", handed, attributes=kind("AGENT") | {"input.value": "narrower", "output.value": "A summary."}
    )
    tracing.end(tracing.span("search", inner, attributes=tool(json.dumps([{"id": "a", "text": TEXTS[0]}]))))
    run = only(tracing.done())
    assert (run.query, run.answer, texts(run), run.agent) == (QUERY, ANSWER, [TEXTS[0]], "manager")


def test_calls_side_by_side_are_one_run_about_the_call_that_answers() -> None:
    tracing = Tracing()
    handler = tracing.span("handle", kind=2)
    tracing.end(tracing.span("retriever", handler, attributes=retriever(*TEXTS)))
    model = tracing.end(tracing.span("model", handler, attributes=llm()))
    run = only(tracing.done())
    assert (run.query, run.answer, texts(run), run.complete) == (QUERY, ANSWER, list(TEXTS), True)
    assert run.target is not None
    assert run.target.span_id == model.span_id


def test_calls_under_steps_of_the_application_are_one_run() -> None:
    tracing = Tracing()
    handler = tracing.span("handle", kind=2)
    step = tracing.span("retrieve", handler)
    tracing.end(tracing.span("retriever", step, attributes=retriever(*TEXTS)))
    tracing.end(step)
    step = tracing.span("generate", handler)
    tracing.end(tracing.span("model", step, attributes=llm()))
    run = only(tracing.done())
    assert (texts(run), run.answer, run.complete) == (list(TEXTS), ANSWER, True)


def test_questions_one_after_the_other_under_one_span_are_runs_of_their_own() -> None:
    tracing = Tracing()
    job = tracing.span("job")
    for number in range(3):
        question = f"Question {number}?"
        tracing.end(tracing.span("retriever", job, attributes=retriever(f"Text {number}.", query=question)))
        tracing.end(tracing.span("model", job, attributes=llm(f"Answer {number}.", question)))
    runs = assemble(tracing.done())
    assert [(run.query, run.answer, texts(run)) for run in runs] == [
        (f"Question {number}?", f"Answer {number}.", [f"Text {number}."]) for number in range(3)
    ]


def test_questions_at_the_same_time_in_handlers_of_their_own_do_not_mix() -> None:
    tracing = Tracing()
    job = tracing.span("gather")
    handlers = [tracing.span("answer", job) for _ in range(2)]
    for number, handler in enumerate(handlers):
        tracing.end(tracing.span("retriever", handler, attributes=retriever(f"Text {number}.")))
    for number, handler in enumerate(handlers):
        tracing.end(tracing.span("model", handler, attributes=llm(f"Answer {number}.", f"Question {number}?")))
    runs = assemble(tracing.done())
    assert [(run.answer, texts(run)) for run in runs] == [("Answer 0.", ["Text 0."]), ("Answer 1.", ["Text 1."])]


def test_questions_at_the_same_time_side_by_side_do_not_mix() -> None:
    tracing = Tracing()
    job = tracing.span("gather")
    for number in range(2):
        tracing.end(
            tracing.span("retriever", job, attributes=retriever(f"Text {number}.", query=f"Question {number}?"))
        )
    for number in range(2):
        tracing.end(tracing.span("model", job, attributes=llm(f"Answer {number}.", f"Question {number}?")))
    runs = assemble(tracing.done())
    assert [(run.query, run.answer, texts(run)) for run in runs] == [
        ("Question 0?", "Answer 0.", ["Text 0."]),
        ("Question 1?", "Answer 1.", ["Text 1."]),
    ]


def test_rewriting_the_question_first_keeps_one_run() -> None:
    tracing = Tracing()
    handler = tracing.span("handle")
    tracing.end(tracing.span("rewrite", handler, attributes=llm("warranty duration")))
    tracing.end(tracing.span("retriever", handler, attributes=retriever(*TEXTS, query="warranty duration")))
    tracing.end(tracing.span("model", handler, attributes=llm()))
    run = only(tracing.done())
    assert (run.query, run.answer, texts(run)) == (QUERY, ANSWER, list(TEXTS))


def test_calling_a_tool_and_answering_is_one_run() -> None:
    tracing = Tracing()
    handler = tracing.span("handle")
    tracing.end(tracing.span("model", handler, attributes=calling()))
    tracing.end(tracing.span("search", handler, attributes=tool(json.dumps([{"id": "a", "text": TEXTS[0]}]))))
    model = tracing.end(tracing.span("model", handler, attributes=llm()))
    run = only(tracing.done())
    assert (texts(run), run.answer, run.target and run.target.span_id) == ([TEXTS[0]], ANSWER, model.span_id)


def test_embedding_alone_is_no_run() -> None:
    tracing = Tracing()
    tracing.span("embed", attributes=kind("EMBEDDING") | {"input.value": QUERY})
    assert assemble(tracing.done()) == []


def test_application_without_any_model_is_no_run() -> None:
    tracing = Tracing()
    server = tracing.span("GET /", kind=2, attributes={"http.request.method": "GET"})
    tracing.span("SELECT", server, kind=3, attributes={"db.system": "postgresql"})
    assert assemble(tracing.done()) == []
    assert assemble([]) == []


def test_model_alone_is_an_incomplete_run() -> None:
    tracing = Tracing()
    tracing.span("model", attributes=llm())
    run = only(tracing.done())
    assert (run.query, run.answer, run.contexts, run.skip_reason) == (QUERY, ANSWER, None, "no_context_captured")


def second_instrumentation(*, same_trace: bool = True, answer: str = ANSWER, inside: bool = True) -> list[SpanRecord]:
    tracing = Tracing()
    server = tracing.span("GET /ask", kind=2)
    root = tracing.span("chain", server, attributes=chain())
    tracing.end(tracing.span("retriever", root, attributes=retriever(*TEXTS)))
    tracing.span("model", root, attributes=llm())
    place: dict[str, Any] = {"parent": server} if same_trace else {}
    if not inside:
        tracing.end(root)
    again = tracing.span("ChatCompletion", **place, scope="second", attributes=llm(answer))
    tracing.end(again)
    spans = tracing.done()
    if not same_trace:
        spans = [replace(span, trace_id=OTHER) if span.scope == "second" else span for span in spans]
    return spans


@pytest.mark.parametrize("same_trace", [True, False])
def test_model_call_that_a_second_instrumentation_recorded_again_is_no_run(same_trace: bool) -> None:  # noqa: FBT001
    assert len(assemble(second_instrumentation(same_trace=same_trace))) == 1


@pytest.mark.parametrize("same_trace", [True, False])
def test_other_model_call_inside_the_interval_is_a_run_of_its_own(same_trace: bool) -> None:  # noqa: FBT001
    assert len(assemble(second_instrumentation(same_trace=same_trace, answer="Something else."))) == 2


def test_equal_model_call_after_the_run_is_a_run_of_its_own() -> None:
    assert len(assemble(second_instrumentation(inside=False))) == 2


def test_judging_is_never_part_of_a_run() -> None:
    tracing = Tracing()
    root = tracing.span("chain", attributes=chain())
    tracing.end(tracing.span("retriever", root, attributes=retriever(*TEXTS)))
    tracing.end(tracing.span("model", root, attributes=llm()))
    judged = tracing.span("judge", root, attributes=kind("EVALUATOR"))
    tracing.end(tracing.span("model", judged, attributes=llm("A verdict.")))
    tracing.span("evaluate faithfulness", root, scope="spanjudge", attributes={"input.value": "x"})
    spans = tracing.done()
    assert only(spans) == replace(only(spans[:3]), ended_ns=spans[0].end_ns)
    assert assemble([span for span in spans if span.name == "judge"]) == []


def test_reference_on_any_span_of_the_run_or_on_the_span_around_it_is_its_ground_truth() -> None:
    for index in range(4):
        spans = rag_trace(under="GET /ask")
        marked = {**spans[index].attributes, "spanjudge.ground_truth": "Two years."}
        spans[index] = replace(spans[index], attributes=marked)
        assert only(spans).ground_truth == "Two years."


def test_reference_around_several_runs_belongs_to_none() -> None:
    tracing = Tracing()
    server = tracing.span("job", attributes={"spanjudge.ground_truth": "Two years."})
    for _ in range(2):
        tracing.end(tracing.span("chain", server, attributes=chain()))
    assert [run.ground_truth for run in assemble(tracing.done())] == [None, None]


def test_session_of_the_outer_span_counts_and_metadata_only_where_nothing_else_tells() -> None:
    tracing = Tracing()
    root = tracing.span("chain", attributes=chain() | {"metadata": '{"thread_id": "thread"}'})
    tracing.span("model", root, attributes=llm() | {"session.id": "inner", "user.id": "me"})
    spans = tracing.done()
    assert (only(spans).session_id, only(spans).user_id) == ("inner", "me")
    assert only(spans[:1]).session_id == "thread"
    spans[0] = replace(spans[0], attributes={**spans[0].attributes, "session.id": "outer"})
    assert only(spans).session_id == "outer"


def test_shape_of_the_agent_holds_messages_tools_in_order_and_contexts() -> None:
    tracing = Tracing()
    root = tracing.span("agent", attributes=kind("AGENT") | {"input.value": QUERY, "output.value": ANSWER})
    for number in range(2):
        result = json.dumps([{"id": str(number), "text": TEXTS[number]}])
        tracing.end(tracing.span("t", root, attributes=tool(result, f"search{number}", **{"tool.parameters": "{}"})))
    run = only(tracing.done())
    assert run.input is not None
    assert [(message.role, message.content) for message in run.input.input_messages] == [("user", QUERY)]
    assert run.output is not None
    (message,) = run.output
    assert (message.role, message.content) == ("assistant", ANSWER)
    assert [(call.name, call.state) for call in message.tool_invocations] == [
        ("search0", "result"),
        ("search1", "result"),
    ]
    assert run.output.metadata["retrieved_context"] == list(TEXTS)


def test_captured_run_is_plain_json() -> None:
    told = capture_json(only(rag_trace()))
    assert json.loads(json.dumps(told)) == told
    assert told["contexts"] == [
        {"id": name, "text": text, "score": None, "score_kind": "unknown", "rank": rank, "source_span_id": f"{2:016x}"}
        for rank, (name, text) in enumerate(zip(("a", "b"), TEXTS, strict=True))
    ]
    assert (told["complete"], told["skip_reason"], told["warnings"], told["dialects"]) == (
        True,
        None,
        [],
        ["openinference"],
    )


def test_parents_in_a_circle_and_span_ids_twice_do_not_loop() -> None:
    spans = rag_trace()
    circle = [replace(span, parent_id=spans[(index + 1) % 3].span_id) for index, span in enumerate(spans)]
    assert len(assemble(circle)) == 1
    assert len(assemble([replace(span, parent_id=span.span_id) for span in spans])) >= 1
    assert assemble(spans + spans) == assemble(spans)


def test_shadow_of_a_span_gives_way_to_the_span() -> None:
    spans = rag_trace()
    shadow = replace(spans[0], attributes={"openinference.span.kind": "CHAIN"}, end_ns=spans[0].start_ns)
    assert assemble([shadow, *spans]) == assemble(spans)


def test_two_thousand_spans_one_inside_the_other_are_taken() -> None:
    tracing = Tracing()
    span: SpanRecord | None = None
    for _ in range(2_000):
        span = tracing.span("chain", span, attributes=chain())
    assert len(assemble(tracing.spans)) == 1


attributes = st.dictionaries(
    st.sampled_from(
        [
            "openinference.span.kind",
            "input.value",
            "output.value",
            "retrieval.documents",
            "retrieval.documents.0.document.content",
            "retrieval.documents.3.document.id",
            "llm.input_messages.0.message.content",
            "llm.input_messages.0.message.role",
            "llm.output_messages.0.message.content",
            "tool.name",
            "metadata",
            "gen_ai.operation.name",
            "gen_ai.input.messages",
            "gen_ai.output.messages",
            "gen_ai.retrieval.documents",
            "gen_ai.tool.call.result",
        ]
    ),
    st.sampled_from(
        [
            "CHAIN",
            "LLM",
            "RETRIEVER",
            "TOOL",
            "AGENT",
            "chat",
            "retrieval",
            "invoke_agent",
            "user",
            "assistant",
            "[]",
            "[{",
            "{}",
            QUERY,
        ]
    )
    | st.text(max_size=5)
    | st.integers()
    | st.lists(st.text(max_size=3), max_size=2)
    | st.none(),
    max_size=6,
)
records = st.builds(
    SpanRecord,
    trace_id=st.sampled_from([TRACE, OTHER]),
    span_id=st.sampled_from([f"{number:016x}" for number in range(1, 8)]),
    parent_id=st.none() | st.sampled_from([f"{number:016x}" for number in range(1, 9)]),
    start_ns=st.integers(0, 9).map(lambda number: number * MS),
    end_ns=st.integers(0, 9).map(lambda number: number * MS),
    attributes=attributes,
    error=st.booleans(),
    dropped_attributes=st.integers(0, 2),
    scope=st.sampled_from(["my-app", "openinference.instrumentation.langchain"]),
)


@given(st.lists(records, max_size=8))
@settings(deadline=None)
def test_any_spans_give_runs_that_are_plain_json(spans: list[SpanRecord]) -> None:
    for run in assemble(spans):
        json.dumps(capture_json(run))
        assert not run.complete or (run.query and run.answer and run.contexts is not None)


def fetching_chain(tracing: Tracing, parent: SpanRecord) -> SpanRecord:
    root = tracing.span("fetch", parent, attributes=chain(QUERY, "\n\n".join(TEXTS)))
    tracing.end(tracing.span("retriever", root, attributes=retriever(*TEXTS, ids=("a", "b"))))
    return tracing.end(root)


def test_chain_that_only_fetches_belongs_to_the_model_call_beside_it() -> None:
    tracing = Tracing()
    handler = tracing.span("handle", kind=2)
    fetching_chain(tracing, handler)
    model = tracing.end(tracing.span("model", handler, attributes=llm()))
    run = only(tracing.done())
    assert (run.query, run.answer, texts(run), run.complete) == (QUERY, ANSWER, list(TEXTS), True)
    assert run.target is not None
    assert run.target.span_id == model.span_id


def test_what_a_chain_without_a_model_has_fetched_is_no_answer() -> None:
    tracing = Tracing()
    fetching_chain(tracing, tracing.span("handle", kind=2))
    run = only(tracing.done())
    assert (run.answer, run.skip_reason) == (None, "no_answer")


def test_chain_whose_model_is_not_instrumented_is_a_run() -> None:
    tracing = Tracing()
    root = tracing.span("chain", attributes=chain())
    tracing.span("retriever", root, attributes=retriever(*TEXTS))
    assert only(tracing.done()).complete

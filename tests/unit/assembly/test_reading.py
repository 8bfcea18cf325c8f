"""How the user's settings of the reading change the runs."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from captures.corpus import EXPECTED, spans_of
from spanjudge.assembly import OpenTraces, PlainMapping, Reading, assemble, capture_json
from spanjudge.model import RagRun
from unit.assembly.tracing import ANSWER, QUERY, TEXTS, Tracing, chain, kind, llm, rag_trace, retriever, tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanjudge.sources.record import SpanRecord

DOCUMENTS = json.dumps([{"id": "a", "text": TEXTS[0]}, {"id": "b", "text": TEXTS[1]}])
RATES = json.dumps([{"id": "eur", "text": "1.08", "score": 1.0}])


def texts(run: RagRun) -> list[str | None] | None:
    return None if run.contexts is None else [each.text for each in run.contexts]


def only(spans: Sequence[SpanRecord], **settings: Any) -> RagRun:
    (run,) = assemble(spans, reading=Reading(**settings))
    return run


def streamed(spans: Sequence[SpanRecord], reading: Reading) -> list[RagRun]:
    traces = OpenTraces(reading=reading)
    for span in sorted(spans, key=lambda each: each.start_ns):
        traces.started(replace(span, end_ns=0), 0.0)
    for span in sorted(spans, key=lambda each: each.end_ns):
        traces.ended(span, 0.1)
    return [each for each in traces.due(5.0) if isinstance(each, RagRun)]


def with_two_tools() -> list[SpanRecord]:
    tracing = Tracing()
    root = tracing.span("agent", attributes=kind("AGENT", input__value=QUERY, output__value=ANSWER))
    tracing.end(tracing.span("search", root, attributes=tool(DOCUMENTS, "search")))
    tracing.end(tracing.span("rates", root, attributes=tool(RATES, "rates")))
    tracing.end(tracing.span("model", root, attributes=llm()))
    return tracing.done()


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, [*TEXTS, "1.08"]),
        ({"retrieval_tools": ["search"]}, list(TEXTS)),
        ({"ignored_tools": ["rates"]}, list(TEXTS)),
        ({"ignored_tools": ["rates", "search"]}, None),
        ({"retrieval_tools": ["another"]}, None),
    ],
)
def test_tools_that_are_no_retrieval_give_no_contexts(settings: dict[str, Any], expected: list[str] | None) -> None:
    assert texts(only(with_two_tools(), **settings)) == expected


def test_agent_shape_shows_every_tool_all_the_same() -> None:
    run = only(with_two_tools(), retrieval_tools=["search"])
    assert run.output is not None
    assert [call.name for call in run.output[0].tool_invocations] == ["search", "rates"]


def test_retriever_inside_an_ignored_tool_is_ignored() -> None:
    tracing = Tracing()
    root = tracing.span("agent", attributes=kind("AGENT", input__value=QUERY, output__value=ANSWER))
    outer = tracing.span("memory", root, attributes=tool("done", "memory"))
    tracing.end(tracing.span("retriever", outer, attributes=retriever(TEXTS[0])))
    tracing.end(outer)
    tracing.end(tracing.span("search", root, attributes=tool(DOCUMENTS, "search")))
    assert texts(only(tracing.done(), ignored_tools=["memory"])) == list(TEXTS)


def test_result_in_a_message_is_known_by_the_call_that_it_answers() -> None:
    messages = [
        {"role": "user", "content": QUERY},
        {
            "role": "assistant",
            "tool_calls": [
                {"id": "1", "function": {"name": "rates", "arguments": "{}"}},
                {"id": "2", "function": {"name": "search", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "tool_call_id": "1", "content": RATES},
        {"role": "tool", "tool_call_id": "2", "content": DOCUMENTS},
    ]
    tracing = Tracing()
    said = json.dumps([{"role": "assistant", "content": ANSWER}])
    given = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps(messages)}
    tracing.span("chat", attributes={**given, "gen_ai.output.messages": said})
    assert texts(only(tracing.done(), ignored_tools=["rates"])) == list(TEXTS)
    assert texts(only(tracing.done(), retrieval_tools=["rates"])) == ["1.08"]


PATTERNS = (r"(?s)(?:Use the context:\n|ctx: |context:\n)(.+)", r"\A(The battery warranty lasts[^\n]+)\Z")


@pytest.mark.parametrize(
    "file", [file for file, entry in EXPECTED.items() if any("with_prompt_pattern" in run for run in entry["runs"])]
)
def test_patterns_find_what_captured_prompts_hold(file: str) -> None:
    runs = assemble(spans_of(file), reading=Reading(context_patterns=PATTERNS))
    assert len(runs) == len(EXPECTED[file]["runs"])
    for run, expected in zip(runs, EXPECTED[file]["runs"], strict=True):
        told = capture_json(run)["contexts"]
        assert isinstance(told, list)
        wanted = [(each["id"], each["text"], each["score"]) for each in expected["with_prompt_pattern"]["contexts"]]
        assert [(each["id"], each["text"], each["score"]) for each in told] == wanted
        assert (run.complete, run.warnings) == (True, ("no_context_captured",))


def test_pattern_counts_only_where_no_other_place_has_contexts() -> None:
    run = only(rag_trace(), context_patterns=r"(How long)")
    assert texts(run) == list(TEXTS)
    assert run.warnings == ()


def test_prompt_that_holds_nothing_of_the_kind_gives_no_contexts() -> None:
    tracing = Tracing()
    tracing.span("model", attributes=llm())
    run = only(tracing.done(), context_patterns=r"ctx: (.+)")
    assert (run.contexts, run.skip_reason) == (None, "no_context_captured")


MAPPING = PlainMapping(query="app.q", contexts="app.docs", answer="app.a", session="app.s")


def mapped_parts() -> list[SpanRecord]:
    tracing = Tracing()
    server = tracing.span("POST /ask", kind=2)
    tracing.end(tracing.span("find", server, attributes={"app.q": QUERY, "app.docs": TEXTS}))
    tracing.end(tracing.span("write", server, attributes={"app.a": ANSWER, "app.q": QUERY, "app.s": "s"}))
    return tracing.done()


def test_mapped_spans_side_by_side_are_one_run() -> None:
    run = only(mapped_parts(), plain=MAPPING)
    assert (run.query, texts(run), run.answer, run.session_id) == (QUERY, list(TEXTS), ANSWER, "s")
    assert run.complete
    assert run.target is not None
    assert run.target.name == "write"
    assert assemble(mapped_parts()) == []


def test_mapped_spans_are_known_while_they_come_in() -> None:
    assert streamed(mapped_parts(), Reading(plain=MAPPING)) == assemble(mapped_parts(), reading=Reading(plain=MAPPING))


def test_mapping_goes_before_what_instrumentations_say() -> None:
    tracing = Tracing()
    root = tracing.span("chain", attributes=chain("a prompt with everything pasted into it", "{}"))
    tracing.end(tracing.span("retriever", root, attributes=retriever("raw")))
    tracing.end(tracing.span("mine", root, attributes={"app.q": QUERY, "app.docs": TEXTS, "app.a": ANSWER}))
    run = only(tracing.done(), plain=MAPPING)
    assert (run.query, texts(run), run.answer) == (QUERY, list(TEXTS), ANSWER)


def nested_agents() -> list[SpanRecord]:
    tracing = Tracing()
    outer = tracing.span(
        "manager", attributes=kind("AGENT", input__value=QUERY, output__value=ANSWER, agent__name="manager")
    )
    asked = tracing.span("ask", outer, attributes=tool("They say two years.", "ask"))
    given = kind("AGENT", input__value="warranty?", output__value="They say two years.", agent__name="researcher")
    inner = tracing.span("researcher", asked, attributes=given)
    tracing.end(tracing.span("search", inner, attributes=tool(DOCUMENTS)))
    tracing.end(tracing.span("model", inner, attributes=llm("They say two years.", "warranty?")))
    tracing.end(inner)
    tracing.end(asked)
    tracing.end(tracing.span("model", outer, attributes=llm()))
    return tracing.done()


def test_agents_inside_are_runs_of_their_own_where_wanted() -> None:
    assert [run.agent for run in assemble(nested_agents())] == ["manager"]
    runs = assemble(nested_agents(), reading=Reading(sub_runs=True))
    assert [(run.agent, run.query, run.answer) for run in runs] == [
        ("manager", QUERY, ANSWER),
        ("researcher", "warranty?", "They say two years."),
    ]
    assert [texts(run) for run in runs] == [list(TEXTS), list(TEXTS)]
    assert streamed(nested_agents(), Reading(sub_runs=True)) == runs


def test_agent_that_only_repeats_its_wrapper_is_no_run_of_its_own() -> None:
    tracing = Tracing()
    outer = tracing.span("workflow", attributes={"gen_ai.operation.name": "invoke_workflow"})
    inner = tracing.span("agent", outer, attributes=kind("AGENT", input__value=QUERY, output__value=ANSWER))
    tracing.end(tracing.span("agent", inner, attributes=kind("AGENT", input__value=QUERY, output__value=ANSWER)))
    assert len(assemble(tracing.done(), reading=Reading(sub_runs=True))) == 1


def test_agents_side_by_side_under_a_workflow_are_runs() -> None:
    tracing = Tracing()
    outer = tracing.span("workflow", attributes={"gen_ai.operation.name": "invoke_workflow"})
    for name, answer in (("triage", "I hand over."), ("support", ANSWER)):
        given = kind("AGENT", input__value=QUERY, output__value=answer, agent__name=name)
        tracing.end(tracing.span(name, outer, attributes=given))
    runs = assemble(tracing.done(), reading=Reading(sub_runs=True))
    assert [run.target.name for run in runs if run.target][1:] == ["support"]


def around(attributes: dict[str, object]) -> list[SpanRecord]:
    spans = rag_trace(under="POST /ask")
    server = {"tenant": "acme", "http.route": "/ask"}
    changed = {"POST /ask": server, "chain": {**spans[1].attributes, **attributes}}
    return [
        replace(span, attributes=changed.get(span.name, span.attributes), resource={"region": "eu", "tenant": "none"})
        for span in spans
    ]


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({}, {"tenant": "acme", "region": "eu"}),
        ({"tenant": "own", "other": 1}, {"tenant": "own", "region": "eu"}),
        ({"tenant": True}, {"tenant": "True", "region": "eu"}),
    ],
)
def test_attributes_come_from_the_target_the_spans_around_it_or_the_resource(
    attributes: dict[str, object], expected: dict[str, str]
) -> None:
    reading = Reading(keep_attributes=["tenant", "region", "missing"])
    (run,) = assemble(around(attributes), reading=reading)
    assert run.attributes == expected
    assert [each.attributes for each in streamed(around(attributes), reading)] == [expected]


def test_nothing_is_kept_that_was_not_named() -> None:
    (run,) = assemble(around({}))
    assert run.attributes == {}


def test_second_run_under_the_same_span_has_its_attributes_too() -> None:
    tracing = Tracing()
    server = tracing.span("POST /ask", kind=2, attributes={"tenant": "acme"})
    traces = OpenTraces(reading=Reading(keep_attributes=["tenant"]))
    traces.started(server, 0.0)
    found = []
    for now in (1.0, 10.0):
        root = tracing.span("chain", server, attributes=chain())
        traces.started(root, now)
        traces.ended(tracing.end(root), now)
        found += traces.due(now + 5.0)
    assert [each.attributes for each in found if isinstance(each, RagRun)] == [{"tenant": "acme"}] * 2

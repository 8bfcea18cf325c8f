from __future__ import annotations

import json
from typing import Any

import pytest

from spanjudge.assembly import assemble
from spanjudge.model import RagRun
from spanjudge.sources.record import SpanRecord
from unit.assembly.tracing import ANSWER, QUERY, TEXTS, Tracing, calling, chain, kind, llm, retriever, tool

Start = tuple[Tracing, SpanRecord]


def begun(attributes: dict[str, object] | None = None) -> Start:
    tracing = Tracing()
    return tracing, tracing.span("chain", attributes=attributes or chain())


def finished(tracing: Tracing, root: SpanRecord, answer: dict[str, object] | None = None) -> RagRun:
    tracing.end(tracing.span("model", root, attributes=answer or llm()))
    (run,) = assemble(tracing.done())
    return run


def texts(run: RagRun) -> list[str | None] | None:
    return None if run.contexts is None else [document.text for document in run.contexts]


def ids(run: RagRun) -> list[str | None] | None:
    return None if run.contexts is None else [document.id for document in run.contexts]


def test_outermost_retriever_has_the_last_word() -> None:
    tracing, root = begun()
    outer = tracing.span("rerank", root, attributes=retriever("b", "a"))
    tracing.end(tracing.span("search", outer, attributes=retriever("a", "b", "c")))
    tracing.end(outer)
    assert texts(finished(tracing, root)) == ["b", "a"]


def test_inner_retriever_speaks_where_the_outer_one_is_silent() -> None:
    tracing, root = begun()
    outer = tracing.span("outer", root, attributes=kind("RETRIEVER") | {"input.value": QUERY})
    tracing.end(tracing.span("inner", outer, attributes=retriever("a")))
    tracing.end(outer)
    assert texts(finished(tracing, root)) == ["a"]


def test_outer_retriever_that_filtered_everything_away_found_nothing() -> None:
    tracing, root = begun()
    outer = tracing.span("outer", root, attributes=retriever())
    tracing.end(tracing.span("inner", outer, attributes=retriever("a")))
    tracing.end(outer)
    run = finished(tracing, root)
    assert (run.contexts, run.complete) == ((), True)


def test_retrievers_side_by_side_are_joined_and_what_both_found_counts_once() -> None:
    tracing, root = begun()
    tracing.end(tracing.span("one", root, attributes=retriever("x", "y", ids=("1", "2"))))
    tracing.end(tracing.span("two", root, attributes=retriever("y", "z", ids=("2", "3"))))
    run = finished(tracing, root)
    assert (ids(run), [each.rank for each in run.contexts or ()]) == (["1", "2", "3"], [0, 1, 2])


def test_equal_texts_under_different_ids_are_different_documents() -> None:
    tracing, root = begun()
    tracing.end(tracing.span("one", root, attributes=retriever("x", "x", ids=("1", "2"))))
    tracing.end(tracing.span("two", root, attributes=retriever("x", ids=("3",))))
    assert ids(finished(tracing, root)) == ["1", "2", "3"]


def test_equal_texts_without_ids_in_one_list_keep_their_ranks() -> None:
    tracing, root = begun()
    tracing.end(tracing.span("one", root, attributes=retriever("x", "x")))
    tracing.end(tracing.span("two", root, attributes=retriever("x", "y")))
    assert texts(finished(tracing, root)) == ["x", "x", "y"]


def test_reranker_gives_the_final_order_and_score() -> None:
    tracing, root = begun()
    tracing.end(tracing.span("search", root, attributes=retriever("x", "y", ids=("1", "2"))))
    ranked = {"reranker.output_documents.0.document.id": "2", "reranker.output_documents.0.document.score": 0.9}
    tracing.end(tracing.span("rerank", root, attributes=kind("RERANKER") | ranked))
    run = finished(tracing, root)
    assert [(each.id, each.text, each.score, each.score_kind) for each in run.contexts or ()] == [
        ("2", "y", 0.9, "rerank")
    ]


def test_blank_documents_are_dropped_and_nothing_but_blanks_is_nothing() -> None:
    tracing, root = begun()
    tracing.end(tracing.span("search", root, attributes=retriever(" ", "x", "")))
    assert texts(finished(tracing, root)) == ["x"]
    tracing, root = begun()
    tracing.end(tracing.span("search", root, attributes=retriever(" ", "")))
    assert finished(tracing, root).contexts == ()


def test_twenty_documents_stay_in_the_order_of_their_numbers() -> None:
    many = [f"Text {number}." for number in range(20)]
    attributes = dict(reversed(retriever(*many).items()))
    tracing, root = begun()
    tracing.end(tracing.span("search", root, attributes=attributes))
    assert texts(finished(tracing, root)) == many


def test_tools_stand_in_the_order_in_which_the_model_called_them() -> None:
    tracing, root = begun()
    call = "llm.output_messages.0.message.tool_calls.{}.tool_call.id"
    tracing.end(tracing.span("model", root, attributes=calling() | {call.format(0): "first", call.format(1): "second"}))
    for name, text in (("second", "late"), ("first", "early")):
        tracing.end(
            tracing.span("t", root, attributes=tool(json.dumps([{"text": text, "id": name}]), **{"tool_call.id": name}))
        )
    assert texts(finished(tracing, root)) == ["early", "late"]


def test_tool_that_hands_the_answer_over_is_no_source() -> None:
    tracing, root = begun()
    tracing.end(tracing.span("t", root, attributes=tool(json.dumps([{"id": "a", "text": "x"}]))))
    tracing.end(tracing.span("t", root, attributes=tool(ANSWER, "final_answer")))
    assert texts(finished(tracing, root)) == ["x"]


def test_text_of_a_tool_is_one_context_where_nothing_better_is_there() -> None:
    tracing, root = begun()
    tracing.end(tracing.span("t", root, attributes=tool("[a] The warranty.\n[b] The returns.")))
    assert texts(finished(tracing, root)) == ["[a] The warranty.\n[b] The returns."]


def test_empty_result_of_a_tool_is_no_context_and_not_silence() -> None:
    for empty in ("[]", json.dumps({"results": [], "total": 0})):
        tracing, root = begun()
        tracing.end(tracing.span("t", root, attributes=tool(empty)))
        assert finished(tracing, root).contexts == ()


def test_fallback_after_an_empty_search_counts() -> None:
    tracing, root = begun()
    tracing.end(tracing.span("search", root, attributes=retriever()))
    tracing.end(tracing.span("web", root, attributes=tool(json.dumps([{"url": "u", "content": "from the web"}]))))
    assert texts(finished(tracing, root)) == ["from the web"]


def messages(*contents: tuple[str, str]) -> dict[str, object]:
    made: dict[str, object] = {}
    for number, (role, content) in enumerate(contents):
        made[f"llm.input_messages.{number}.message.role"] = role
        made[f"llm.input_messages.{number}.message.content"] = content
    return made


def test_what_tools_told_the_model_counts_only_for_this_turn() -> None:
    tracing = Tracing()
    old, new = json.dumps([{"id": "a", "text": "old"}]), json.dumps([{"id": "b", "text": "new"}])
    turns = messages(("user", "earlier"), ("tool", old), ("assistant", "x"), ("user", QUERY), ("tool", new))
    tracing.span("model", attributes=llm() | turns)
    (run,) = assemble(tracing.done())
    assert (run.query, texts(run), run.complete) == (QUERY, ["new"], True)


def test_input_of_a_step_named_context_counts() -> None:
    tracing, root = begun()
    step = kind("CHAIN") | {"input.value": json.dumps({"context": list(TEXTS), "question": QUERY})}
    tracing.end(tracing.span("generate", root, attributes=step))
    assert texts(finished(tracing, root)) == list(TEXTS)


def test_variable_of_the_prompt_named_context_counts() -> None:
    tracing, root = begun()
    variables = {"llm.prompt_template.variables": json.dumps({"context": "one text", "question": QUERY})}
    tracing.end(tracing.span("prompt", root, attributes=kind("PROMPT") | variables))
    assert texts(finished(tracing, root)) == ["one text"]


def test_prompt_text_alone_is_no_context() -> None:
    tracing, root = begun()
    run = finished(tracing, root, llm() | messages(("system", "Use the context: a text."), ("user", QUERY)))
    assert (run.contexts, run.skip_reason) == (None, "no_context_captured")


def genai(operation: str, **attributes: object) -> dict[str, object]:
    return {"gen_ai.operation.name": operation} | {
        f"gen_ai.{name.replace('__', '.')}": value for name, value in attributes.items()
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one\n\ntwo", [("a", "one", 0.5), ("b", "two", None)]),
        ("one two", [(None, "one two", None)]),
        ("one\n\ntwo\n\nthree", [(None, "one\n\ntwo\n\nthree", None)]),
        (json.dumps([{"text": "one"}, {"text": "two"}]), [("a", "one", 0.5), ("b", "two", None)]),
    ],
)
def test_ids_without_texts_take_those_of_the_tool_around(text: str, expected: list[Any]) -> None:
    tracing = Tracing()
    root = tracing.span("agent", attributes=genai("invoke_agent"))
    outer = tracing.span("execute_tool", root, attributes=genai("execute_tool", tool__call__result=text))
    found = '[{"id": "a", "score": 0.5}, {"id": "b", "score": null}]'
    tracing.span("retrieval", outer, attributes=genai("retrieval", retrieval__documents=found))
    (run,) = assemble(tracing.done())
    assert [(each.id, each.text, each.score) for each in run.contexts or ()] == expected


def test_ids_whose_texts_stand_nowhere_stay_without() -> None:
    tracing = Tracing()
    root = tracing.span(
        "agent",
        attributes=genai("invoke_agent")
        | {
            "gen_ai.input.messages": json.dumps([{"role": "user", "content": QUERY}]),
            "gen_ai.output.messages": json.dumps([{"role": "assistant", "content": ANSWER}]),
        },
    )
    tracing.span("retrieval", root, attributes=genai("retrieval", retrieval__documents='[{"id": "a"}]'))
    (run,) = assemble(tracing.done())
    assert (ids(run), texts(run), run.skip_reason) == (["a"], [None], "context_text_missing")


def test_messages_in_the_output_of_a_step_are_no_documents() -> None:
    tracing, root = begun()
    said = {"messages": [{"type": "ai", "data": {"content": "Let me look that up.", "id": "run-1"}}]}
    tracing.end(tracing.span("step", root, attributes=kind("CHAIN") | {"output.value": json.dumps(said)}))
    tracing.end(tracing.span("t", root, attributes=tool("The warranty lasts two years.")))
    assert texts(finished(tracing, root)) == ["The warranty lasts two years."]


def test_ids_are_taken_from_a_step_that_was_given_the_same_texts() -> None:
    tracing, root = begun()
    tracing.end(tracing.span("search", root, attributes=retriever(*TEXTS)))
    given = [{"id": name, "page_content": text} for name, text in zip("ab", TEXTS, strict=True)]
    tracing.end(tracing.span("format", root, attributes=kind("CHAIN") | {"input.value": json.dumps(given)}))
    assert ids(finished(tracing, root)) == ["a", "b"]


def test_documents_that_a_step_returned_count_where_no_retriever_was_recorded() -> None:
    tracing, root = begun()
    returned = [{"id": name, "text": text} for name, text in zip("ab", TEXTS, strict=True)]
    tracing.end(tracing.span("look up", root, attributes=kind("CHAIN") | {"output.value": json.dumps(returned)}))
    assert ids(finished(tracing, root)) == ["a", "b"]


def test_result_that_is_a_record_is_shown_as_the_model_saw_it() -> None:
    tracing, root = begun()
    tracing.end(tracing.span("t", root, attributes=tool(json.dumps({"stock": 3, "unit": "Stück"}))))
    assert texts(finished(tracing, root)) == ['{"stock": 3, "unit": "Stück"}']
    tracing, root = begun()
    tracing.end(tracing.span("t", root, attributes=tool(json.dumps({"error": "not found"}))))
    assert finished(tracing, root).contexts is None


def test_search_that_the_provider_ran_counts() -> None:
    tracing = Tracing()
    output = {"output": [{"type": "file_search_call", "results": [{"file_id": "a", "text": TEXTS[0], "score": 0.9}]}]}
    tracing.span("model", attributes=llm() | {"output.value": json.dumps(output)})
    (run,) = assemble(tracing.done())
    assert [(each.id, each.text, each.score) for each in run.contexts or ()] == [("a", TEXTS[0], 0.9)]


def test_order_of_a_later_step_counts_only_where_it_names_what_was_found() -> None:
    for names, expected in ((("b", "a"), ["b", "a"]), (("b",), ["b"]), (("b", "unknown"), ["a", "b"])):
        tracing, root = begun()
        tracing.end(tracing.span("search", root, attributes=retriever(*TEXTS, ids=("a", "b"))))
        output = json.dumps([f"<NodeWithScore(node=TextNode(id_={name}), score=0.5)>" for name in names])
        tracing.end(tracing.span("postprocess", root, attributes=kind("CHAIN") | {"output.value": output}))
        assert ids(finished(tracing, root)) == expected

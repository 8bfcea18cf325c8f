from __future__ import annotations

import json

from spanjudge.assembly import assemble
from spanjudge.model import RagRun
from unit.assembly.tracing import ANSWER, QUERY, TEXTS, Tracing, chain, kind, llm, retriever, tool


def only(tracing: Tracing) -> RagRun:
    (run,) = assemble(tracing.done())
    return run


def genai_messages(*pairs: tuple[str, str]) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]} for role, text in pairs])


def test_last_user_message_is_the_question_and_earlier_ones_are_history() -> None:
    tracing = Tracing()
    talk = {
        "messages": [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "Yes?"},
            {"role": "user", "content": QUERY},
        ]
    }
    tracing.span("graph", attributes=chain(json.dumps(talk)))
    assert only(tracing).query == QUERY


def test_rewritten_query_of_the_retriever_is_not_the_question() -> None:
    tracing = Tracing()
    root = tracing.span("graph", attributes=chain())
    tracing.span("search", root, attributes=retriever(*TEXTS, query="warranty duration"))
    assert only(tracing).query == QUERY


def test_agent_whose_prompt_has_context_pasted_in_keeps_its_own_input() -> None:
    tracing = Tracing()
    root = tracing.span("agent", attributes=kind("AGENT") | {"input.value": QUERY, "output.value": ANSWER})
    tracing.span("model", root, attributes=llm(query=f"{QUERY}\n\nReferences:\n{TEXTS[0]}"))
    assert only(tracing).query == QUERY


def test_question_inside_a_prompt_with_context_is_known_from_the_retriever() -> None:
    tracing = Tracing()
    root = tracing.span("workflow", attributes={"gen_ai.operation.name": "invoke_workflow"})
    found = retriever(*TEXTS)
    tracing.end(tracing.span("search", root, attributes=found))
    tracing.span("model", root, attributes=llm(query=f"Context:\n{TEXTS[0]}\n\nQuestion: {QUERY}"))
    assert only(tracing).query == QUERY


def test_keyword_of_the_retriever_inside_the_question_is_not_the_question() -> None:
    tracing = Tracing()
    handler = tracing.span("handle")
    tracing.end(tracing.span("search", handler, attributes=retriever(*TEXTS, query="warranty")))
    tracing.span("model", handler, attributes=llm())
    assert only(tracing).query == QUERY


def test_question_of_a_root_without_content_stands_at_its_agent() -> None:
    tracing = Tracing()
    root = tracing.span("workflow", attributes={"gen_ai.operation.name": "invoke_workflow"})
    spoken = {
        "gen_ai.input.messages": genai_messages(("user", QUERY)),
        "gen_ai.output.messages": genai_messages(("assistant", ANSWER)),
    }
    tracing.span("agent", root, attributes={"gen_ai.operation.name": "invoke_agent"} | spoken)
    run = only(tracing)
    assert (run.query, run.answer, run.target and run.target.name) == (QUERY, ANSWER, "workflow")


def test_retrievers_query_is_the_question_where_nothing_else_is() -> None:
    tracing = Tracing()
    tracing.span("search", attributes=retriever(*TEXTS))
    run = only(tracing)
    assert (run.query, run.answer, run.skip_reason) == (QUERY, None, "no_answer")


def test_generator_or_repr_as_output_gives_way_to_the_last_model() -> None:
    for output in (
        "<generator object f at 0x7f>",
        "StopEvent(result=Output(text='It la..",
        json.dumps({"gen": "<generator object>"}),
    ):
        tracing = Tracing()
        root = tracing.span("chain", attributes=chain(answer=output))
        tracing.end(tracing.span("model", root, attributes=llm("A draft.")))
        tracing.end(tracing.span("model", root, attributes=llm()))
        assert only(tracing).answer == ANSWER


def test_model_that_ends_last_answers_whatever_started_last() -> None:
    tracing = Tracing()
    root = tracing.span("chain", attributes=chain(answer=None))
    slow = tracing.span("model", root, attributes=llm())
    tracing.end(tracing.span("model", root, attributes=llm("A draft.")))
    tracing.end(slow)
    assert only(tracing).answer == ANSWER


def test_only_the_last_line_end_is_taken_off_an_answer() -> None:
    tracing = Tracing()
    tracing.span("chain", attributes=chain(answer="  It lasts\ntwo years. \n"))
    assert only(tracing).answer == "  It lasts\ntwo years. "


def test_answers_that_are_structured_are_kept_as_the_model_wrote_them() -> None:
    tracing = Tracing()
    root = tracing.span("chain", attributes=chain(answer=None))
    tracing.span("model", root, attributes=llm('{"years": 2}'))
    assert only(tracing).answer == '{"years": 2}'


def test_other_languages_and_quotes_come_through() -> None:
    query, answer = 'Wie lange gilt die „Garantie"?', "两年。\U0001f600"
    tracing = Tracing()
    root = tracing.span("chain", attributes=chain(json.dumps({"question": query}), json.dumps({"answer": answer})))
    tracing.span("t", root, attributes=tool(json.dumps([{"id": "ä", "text": 'Sie "gilt" zwei Jahre.'}])))
    run = only(tracing)
    assert (run.query, run.answer) == (query, answer)
    assert [(each.id, each.text) for each in run.contexts or ()] == [("ä", 'Sie "gilt" zwei Jahre.')]


def test_prompt_that_holds_every_context_is_no_question() -> None:
    tracing = Tracing()
    root = tracing.span("chain", attributes=kind("CHAIN"))
    tracing.end(tracing.span("retriever", root, attributes=retriever(*TEXTS, query="warranty")))
    tracing.span("model", root, attributes=llm(query="Answer from these: " + " ".join(TEXTS)))
    (run,) = assemble(tracing.done())
    assert (run.query, run.skip_reason) == (None, "no_query")


def test_what_a_model_inside_a_tool_was_told_is_not_the_question() -> None:
    tracing = Tracing()
    root = tracing.span("agent", attributes=kind("AGENT"))
    search = tracing.span("search", root, attributes=tool(TEXTS[0]))
    tracing.end(tracing.span("inner", search, attributes=llm(query="warranty duration")))
    tracing.end(search)
    tracing.span("model", root, attributes=llm())
    (run,) = assemble(tracing.done())
    assert run.query == QUERY

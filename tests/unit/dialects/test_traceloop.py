from __future__ import annotations

import pytest

from spanjudge.dialects import traceloop
from unit.dialects.one_span import ANSWER, DOCUMENTS, FOUND, QUERY, TEXTS, contents, found, one, text

KIND, ENTITY = "traceloop.span.kind", "traceloop.entity.name"
INPUT, OUTPUT = "traceloop.entity.input", "traceloop.entity.output"


@pytest.mark.parametrize(
    ("word", "entity", "kind"),
    [
        ("workflow", "rag", "workflow"),
        ("agent", "support", "agent"),
        ("tool", "search", "tool"),
        ("task", "generate", "chain"),
        ("task", "VectorIndexRetriever.task", "retriever"),
        ("task", "OpenAIEmbedding.task", "embedding"),
        ("task", "LLMRerank.task", "reranker"),
        ("task", "SimilarityPostprocessor.task", "reranker"),
        ("unheard", "x", None),
    ],
)
def test_kind_is_told_by_word_or_by_the_name_of_the_class(word: str, entity: str, kind: str | None) -> None:
    assert traceloop.kind(one({KIND: word, ENTITY: entity})) == kind


def test_operation_goes_before_the_name_of_the_class() -> None:
    span = one({KIND: "task", ENTITY: "Knowledge", "gen_ai.operation.name": "vector_db_retrieve"})
    assert traceloop.kind(span) == "retriever"


def test_task_that_answers_a_question_with_an_empty_list_has_found_nothing() -> None:
    span = one({KIND: "task", ENTITY: "Knowledge.task", INPUT: '{"query_bundle": {"query_str": "q"}}', OUTPUT: "[]"})
    assert traceloop.read(span).documents == ()


def test_texts_stand_in_quotes_and_what_matters_in_wrappers() -> None:
    span = one({KIND: "workflow", INPUT: text({"inputs": QUERY, "tags": []}), OUTPUT: text({"outputs": ANSWER})})
    facts = traceloop.read(span)
    assert (facts.input, facts.output) == (QUERY, ANSWER)
    assert traceloop.read(one({KIND: "workflow", OUTPUT: text(ANSWER)})).output == ANSWER


def test_input_of_a_stream_is_known_when_it_ends() -> None:
    span = one(
        {
            KIND: "workflow",
            INPUT: text({"inputs": {"input": ""}}),
            OUTPUT: text({"outputs": ANSWER, "kwargs": {"tags": [], "inputs": QUERY}}),
        }
    )
    assert traceloop.read(span).input == QUERY


def test_nodes_are_read_out_of_json_in_json() -> None:
    nodes = [text({"node": {"id_": each["id"], "text": each["text"]}, "score": each["score"]}) for each in DOCUMENTS]
    span = one(
        {KIND: "task", ENTITY: "BM25Retriever.task", INPUT: text({"str_or_query_bundle": QUERY}), OUTPUT: text(nodes)}
    )
    facts = traceloop.read(span)
    assert (facts.query, found(facts.documents)) == (QUERY, FOUND)


def test_association_properties_are_a_hint_of_the_session_and_the_user() -> None:
    properties = "traceloop.association.properties."
    facts = traceloop.read(one({KIND: "task", properties + "session_id": "s", properties + "user_id": "u"}))
    assert (facts.session, facts.session_hint, facts.user) == (None, "s", "u")


def test_older_names_of_model_calls_are_read() -> None:
    facts = traceloop.read(
        one(
            {
                "llm.request.type": "chat",
                "gen_ai.prompt.0.role": "system",
                "gen_ai.prompt.0.content": TEXTS[0],
                "gen_ai.prompt.1.role": "user",
                "gen_ai.prompt.1.content": QUERY,
                "gen_ai.completion.0.content": ANSWER,
            }
        )
    )
    assert facts.kind == "llm"
    assert contents(facts.input_messages) == [("system", TEXTS[0]), ("user", QUERY)]
    assert contents(facts.output_messages) == [("assistant", ANSWER)]


def test_failed_tool_of_langchain_says_so_in_its_message() -> None:
    message = {"output": {"lc": 1, "kwargs": {"type": "tool", "status": "error", "content": "no such index"}}}
    assert traceloop.read(one({KIND: "tool", ENTITY: "search", OUTPUT: text(message)})).failed


def test_text_whose_quotes_do_not_close_was_cut() -> None:
    assert traceloop.read(one({KIND: "workflow", OUTPUT: '"It lasts two y'})).cut

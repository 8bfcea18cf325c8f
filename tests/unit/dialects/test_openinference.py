from __future__ import annotations

import json
from typing import Any

import pytest

from spanjudge.dialects import openinference
from spanjudge.dialects.facts import Facts
from spanjudge.sources.record import SpanRecord

TEXT = "The warranty lasts two years."


def read(kind: str, **attributes: Any) -> Facts:
    named = {name.replace("__", "."): value for name, value in attributes.items()}
    span = SpanRecord(
        trace_id="1" * 32, span_id="2" * 16, name="step", attributes={"openinference.span.kind": kind} | named
    )
    return openinference.read(span)


@pytest.mark.parametrize(
    ("word", "kind"), [("LLM", "llm"), ("llm", "llm"), ("RETRIEVER", "retriever"), ("UNKNOWN", None)]
)
def test_kind_is_read_in_any_case(word: str, kind: str | None) -> None:
    assert read(word).kind == kind


def test_documents_keep_id_text_score_and_rank() -> None:
    facts = read(
        "RETRIEVER",
        retrieval__documents__10__document__content="eleventh",
        **{f"retrieval.documents.{rank}.document.content": f"text {rank}" for rank in range(10)},
        **{"retrieval.documents.0.document.id": "a", "retrieval.documents.0.document.score": "0.5"},
    )
    documents = facts.documents or ()
    assert [document.rank for document in documents] == list(range(11))
    assert (documents[0].id, documents[0].score, documents[10].text) == ("a", 0.5, "eleventh")
    assert not facts.gaps


@pytest.mark.parametrize(
    ("metadata", "score", "kind"),
    [({"relevance_score": 0.9}, 0.9, "rerank"), ({"score": 0.8}, 0.8, "unknown"), ({}, None, "unknown")],
)
def test_score_may_stand_in_metadata(metadata: dict[str, float], score: float | None, kind: str) -> None:
    facts = read(
        "RETRIEVER",
        retrieval__documents__0__document__content=TEXT,
        retrieval__documents__0__document__metadata=json.dumps(metadata),
    )
    (document,) = facts.documents or ()
    assert (document.score, document.score_kind) == (score, kind)


def test_ids_come_from_the_output_by_position() -> None:
    output = json.dumps({"documents": [{"id": "a", "page_content": TEXT}, {"id": "b", "page_content": TEXT}]})
    facts = read(
        "RETRIEVER",
        retrieval__documents__0__document__content=TEXT,
        retrieval__documents__1__document__content=TEXT,
        output__value=output,
    )
    assert [document.id for document in facts.documents or ()] == ["a", "b"]


def test_ids_of_other_texts_are_not_taken() -> None:
    output = json.dumps({"documents": [{"id": "a", "page_content": "other"}]})
    facts = read("RETRIEVER", retrieval__documents__0__document__content=TEXT, output__value=output)
    assert [document.id for document in facts.documents or ()] == [None]


@pytest.mark.parametrize(
    "found", [{"retrieval__documents": ()}, {"retrieval__documents": "[]"}, {"output__value": "[]"}]
)
def test_empty_result_is_not_silence(found: dict[str, Any]) -> None:
    assert read("RETRIEVER", **found).documents == ()
    assert read("RETRIEVER").documents is None


def test_native_list_of_documents_is_read() -> None:
    facts = read("RETRIEVER", retrieval__documents=({"document": {"id": "a", "content": TEXT, "score": 0.5}},))
    assert [(each.id, each.text, each.score) for each in facts.documents or ()] == [("a", TEXT, 0.5)]


def test_reprs_of_nodes_are_no_documents_but_tell_an_order() -> None:
    output = json.dumps([f"<NodeWithScore(node=TextNode(id_={name}), score=0.5)>" for name in ("b", "a")])
    assert read("RETRIEVER", output__value=output).documents is None
    assert read("CHAIN", output__value=output).order == ("b", "a")
    assert read("CHAIN", output__value='["a", "b"]').order == ()


def test_messages_are_read_with_tools_and_their_results() -> None:
    facts = read(
        "LLM",
        llm__input_messages__0__message__role="user",
        llm__input_messages__0__message__contents__0__message_content__type="text",
        llm__input_messages__0__message__contents__0__message_content__text="How long?",
        llm__input_messages__1__message__role="tool",
        llm__input_messages__1__message__content="found",
        llm__input_messages__1__message__tool_call_id="c1",
        llm__output_messages__0__message__role="assistant",
        llm__output_messages__0__message__tool_calls__0__tool_call__function__name="search",
        llm__output_messages__0__message__tool_calls__0__tool_call__function__arguments='{"q": "x"}',
    )
    assert [(message.role, message.content) for message in facts.input_messages] == [
        ("user", "How long?"),
        ("tool", "found"),
    ]
    (call,) = facts.output_messages[0].tool_invocations
    assert (call.name, call.args, call.state) == ("search", {"q": "x"}, "call")


def test_messages_on_a_chain_are_left_alone() -> None:
    facts = read("CHAIN", llm__input_messages__0__message__role="user", llm__input_messages__0__message__content="Hi")
    assert facts.input_messages == ()


def test_results_of_a_search_in_the_response_are_read() -> None:
    output = {"id": "resp", "output": [{"type": "file_search_call", "results": [{"file_id": "a", "text": TEXT}]}]}
    facts = read("LLM", output__value=json.dumps(output))
    (message,) = facts.output_messages
    assert message.tool_invocations[0].result == [{"file_id": "a", "text": TEXT}]
    assert facts.response_id == "resp"


def test_tool_says_name_arguments_and_result() -> None:
    facts = read("TOOL", tool__name="search", input__value='{"q": "x"}', output__value='[{"id": "a"}]')
    assert (facts.tool_name, facts.tool_args, facts.tool_result, facts.failed) == (
        "search",
        {"q": "x"},
        [{"id": "a"}],
        False,
    )


def test_plain_output_stays_a_text_though_it_starts_with_a_quote() -> None:
    assert read("CHAIN", output__value='"Two years"').output == '"Two years"'


def test_placeholder_of_redaction_is_no_text() -> None:
    facts = read("CHAIN", input__value="__REDACTED__")
    assert (facts.input, facts.redacted, facts.content) == (None, True, False)


def test_broken_json_is_told() -> None:
    assert read("CHAIN", output__value='{"answer": "Two').cut
    assert not read("CHAIN", output__value="[1] Two years.").cut


@pytest.mark.parametrize(
    "written", [(TEXT, "It covers defects."), [TEXT, "It covers defects."], json.dumps([TEXT, "It covers defects."])]
)
def test_plain_texts_under_the_name_of_documents_are_documents(written: object) -> None:
    facts = read("RETRIEVER", retrieval__documents=written)
    assert [document.text for document in facts.documents or ()] == [TEXT, "It covers defects."]


@pytest.mark.parametrize("written", [7, (1, 2), "text"])
def test_what_is_no_list_of_documents_is_not_an_empty_result(written: object) -> None:
    assert read("RETRIEVER", retrieval__documents=written).documents is None


def test_empty_list_of_documents_is_an_empty_result() -> None:
    assert read("RETRIEVER", retrieval__documents=()).documents == ()

"""By the message formats of Spring AI's observation handlers, for which there is no capture."""

from __future__ import annotations

import pytest

from spanjudge.dialects import spring_ai
from spanjudge.sources.record import LogPart
from unit.dialects.one_span import ANSWER, QUERY, TEXTS, contents, one, text

STORE = {"spring.ai.kind": "vector_store", "db.operation.name": "query", "db.vector.query.content": QUERY}


def log(title: str, *texts: str) -> LogPart:
    return LogPart("", title + "\n[" + ", ".join(f'"{each}"' for each in texts) + "]")


def test_documents_stand_in_a_log_record_in_quotes_without_escapes() -> None:
    texts = ('He said "no".', "Two\nlines", TEXTS[0])
    facts = spring_ai.read(one(STORE, logs=(log("Vector Store Query Response:", *texts),)))
    assert facts.kind == "retriever"
    assert facts.query == QUERY
    assert [each.text for each in facts.documents or ()] == list(texts)


def test_empty_response_is_an_empty_result() -> None:
    assert spring_ai.read(one(STORE, logs=(LogPart("", "Vector Store Query Response:\n[]"),))).documents == ()


def test_text_with_the_separator_in_it_is_not_judged_in_halves() -> None:
    logs = (log("Vector Store Query Response:", 'a", "b', "c"),)
    facts = spring_ai.read(one({**STORE, "db.vector.query.top_k": 2}, logs=logs))
    assert (facts.documents, facts.cut) == (None, True)


def test_prompt_and_completion_are_read() -> None:
    logs = (log("Chat Model Prompt Content:", "Be short.", QUERY), log("Chat Model Completion:", ANSWER))
    facts = spring_ai.read(one({"gen_ai.operation.name": "chat"}, logs=logs))
    assert contents(facts.input_messages) == [("system", "Be short."), ("user", QUERY)]
    assert contents(facts.output_messages) == [("assistant", ANSWER)]


def test_only_a_query_of_a_store_is_a_search() -> None:
    assert spring_ai.kind(one({**STORE, "db.operation.name": "add"})) is None


def test_tool_is_read() -> None:
    given = {
        "spring.ai.kind": "tool_call",
        "spring.ai.tool.definition.name": "search",
        "spring.ai.tool.call.result": text(["a"]),
    }
    assert (spring_ai.read(one(given)).tool_name, spring_ai.read(one(given)).tool_result) == ("search", ["a"])


@pytest.mark.parametrize("body", ["Started Application", "Chat Model Completion: x", None, 3])
def test_other_log_records_say_nothing(body: object) -> None:
    assert not spring_ai.speaks(one(logs=(LogPart("", body),)))

from __future__ import annotations

import pytest

from spanjudge.dialects import langfuse
from unit.dialects.one_span import ANSWER, DOCUMENTS, FOUND, QUERY, contents, found, one, text

TYPE, INPUT, OUTPUT = ("langfuse.observation." + each for each in ("type", "input", "output"))


@pytest.mark.parametrize(
    ("word", "kind"),
    [("generation", "llm"), ("retriever", "retriever"), ("AGENT", "agent"), ("span", None), ("event", None)],
)
def test_kind_is_the_type_of_the_observation(word: str, kind: str | None) -> None:
    assert langfuse.kind(one({TYPE: word})) == kind
    assert langfuse.speaks(one({TYPE: word}))


def test_retriever_tells_its_query_and_its_documents() -> None:
    facts = langfuse.read(
        one({TYPE: "retriever", INPUT: text({"args": [QUERY], "kwargs": {}}), OUTPUT: text(DOCUMENTS)})
    )
    assert (facts.query, found(facts.documents)) == (QUERY, FOUND)
    assert {each.source_span_id for each in facts.documents or ()} == {"2" * 16}


def test_generation_tells_its_messages() -> None:
    given = [{"role": "user", "content": QUERY}]
    facts = langfuse.read(
        one({TYPE: "generation", INPUT: text(given), OUTPUT: text({"role": "assistant", "content": ANSWER})})
    )
    assert contents(facts.input_messages) == [("user", QUERY)]
    assert contents(facts.output_messages) == [("assistant", ANSWER)]


def test_tool_tells_its_result_under_the_name_of_its_span() -> None:
    facts = langfuse.read(one({TYPE: "tool", OUTPUT: text(DOCUMENTS)}, name="search"))
    assert (facts.tool_name, facts.tool_result) == ("search", DOCUMENTS)


@pytest.mark.parametrize("value", ['"thread-7"', "thread-7"])
def test_thread_in_metadata_is_a_hint_of_the_session(value: str) -> None:
    assert (
        langfuse.read(one({TYPE: "chain", "langfuse.observation.metadata.thread_id": value})).session_hint == "thread-7"
    )


def test_placeholder_and_broken_json_are_told() -> None:
    assert langfuse.read(one({TYPE: "chain", OUTPUT: "__REDACTED__"})).redacted
    assert langfuse.read(one({TYPE: "chain", OUTPUT: '{"answer": "It la'})).cut

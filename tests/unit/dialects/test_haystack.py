from __future__ import annotations

from typing import Any

import pytest

from spanjudge.dialects import haystack
from spanjudge.dialects.texts import asked
from unit.dialects.one_span import ANSWER, DOCUMENTS, FOUND, QUERY, contents, found, one, text

SAID = {"role": "assistant", "meta": {"model": "m"}, "name": None, "content": [{"text": ANSWER}]}


def component(kind: str, **values: Any) -> Any:
    given = {f"haystack.component.{key}": text(value) for key, value in values.items()}
    return one({"haystack.component.type": kind, **given}, name="haystack.component.run")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("QdrantHybridRetriever", "retriever"),
        ("TransformersSimilarityRanker", "reranker"),
        ("DocumentJoiner", "reranker"),
        ("OpenAIChatGenerator", "llm"),
        ("OpenAITextEmbedder", "embedding"),
        ("ChatPromptBuilder", "chain"),
    ],
)
def test_kind_of_a_component_is_told_by_the_name_of_its_class(kind: str, expected: str) -> None:
    assert haystack.kind(component(kind)) == expected


def test_pipeline_is_known_at_its_start_by_its_name_alone() -> None:
    assert haystack.speaks(one(name="haystack.pipeline.run"))
    assert haystack.kind(one(name="haystack.pipeline.run")) == "chain"
    assert not haystack.speaks(one(name="haystack.else"))
    assert not haystack.speaks(one({"haystack.component.type": "Retriever"}, name="another"))


def test_pipeline_asks_and_answers_through_its_components() -> None:
    span = one(
        {
            "haystack.pipeline.input_data": text({"embedder": {"text": QUERY}, "prompt": {"question": QUERY}}),
            "haystack.pipeline.output_data": text({"embedder": {"meta": {}}, "llm": {"replies": [SAID]}}),
        },
        name="haystack.pipeline.run",
    )
    facts = haystack.read(span)
    assert (asked(facts.input), facts.answer) == (QUERY, ANSWER)


def test_retriever_with_flattened_metadata_is_read() -> None:
    flattened = [{"source": "a.md", "content": each["text"], **each, "embedding": None} for each in DOCUMENTS]
    facts = haystack.read(component("Retriever", input={"query": QUERY}, output={"documents": flattened}))
    assert (facts.query, found(facts.documents)) == (QUERY, FOUND)


def test_vector_of_an_embedder_is_not_kept() -> None:
    assert haystack.read(component("TextEmbedder", output={"embedding": [0.5] * 8})).output is None


def test_agent_its_model_and_its_tool_are_read() -> None:
    call = {
        "role": "assistant",
        "content": [{"tool_call": {"tool_name": "search", "arguments": {"q": "x"}, "id": "c"}}],
    }
    result = {"result": text(DOCUMENTS), "origin": {"tool_name": "search", "id": "c"}, "error": False}
    told = {"role": "tool", "content": [{"tool_call_result": result}]}
    given = {"messages": [{"role": "user", "content": [{"text": QUERY}]}, call, told]}
    span = one(
        {"haystack.agent.step.llm.input": text(given), "haystack.agent.step.llm.output": text({"replies": [SAID]})},
        name="haystack.agent.step.llm",
    )
    facts = haystack.read(span)
    assert contents(facts.input_messages)[0] == ("user", QUERY)
    assert [(each.name, each.state) for message in facts.input_messages for each in message.tool_invocations] == [
        ("search", "call"),
        ("search", "result"),
    ]
    assert (contents(facts.output_messages), facts.model) == ([("assistant", ANSWER)], "m")
    tool = one(
        {"haystack.tool.name": "search", "haystack.agent.step.tool.output": text(DOCUMENTS)},
        name="haystack.agent.step.tool",
    )
    assert (haystack.read(tool).tool_name, haystack.read(tool).tool_result) == ("search", DOCUMENTS)

from __future__ import annotations

import pytest

from spanjudge.dialects import vercel_ai
from unit.dialects.one_span import ANSWER, DOCUMENTS, QUERY, TEXTS, contents, found, one, text

OPERATION = "ai.operationId"


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("ai.generateText", "llm"),
        ("ai.streamText.doStream", "llm"),
        ("ai.toolCall", "tool"),
        ("ai.embed.doEmbed", "embedding"),
        ("ai.rerank", "reranker"),
        ("ai.transcribe", None),
    ],
)
def test_kind_is_the_operation(word: str, kind: str | None) -> None:
    assert vercel_ai.kind(one({OPERATION: word})) == kind


@pytest.mark.parametrize(
    "prompt",
    [
        {"system": "Be short.", "prompt": QUERY},
        {"system": "Be short.", "messages": [{"role": "user", "content": QUERY}]},
    ],
)
def test_prompt_is_a_text_or_messages(prompt: dict[str, object]) -> None:
    facts = vercel_ai.read(one({OPERATION: "ai.generateText", "ai.prompt": text(prompt), "ai.response.text": ANSWER}))
    assert contents(facts.input_messages) == [("system", "Be short."), ("user", QUERY)]
    assert contents(facts.output_messages) == [("assistant", ANSWER)]


def test_results_of_tools_stand_in_the_messages_of_the_next_request() -> None:
    messages = [
        {"role": "user", "content": [{"type": "text", "text": QUERY}]},
        {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c", "toolName": "search", "input": {}}]},
        {
            "role": "tool",
            "content": [
                {
                    "type": "tool-result",
                    "toolCallId": "c",
                    "toolName": "search",
                    "output": {"type": "json", "value": DOCUMENTS},
                }
            ],
        },
    ]
    facts = vercel_ai.read(one({OPERATION: "ai.generateText.doGenerate", "ai.prompt.messages": text(messages)}))
    calls = [each for message in facts.input_messages for each in message.tool_invocations]
    assert [(each.name, each.state) for each in calls] == [("search", "call"), ("search", "result")]


def test_call_that_only_asks_for_tools_says_nothing() -> None:
    span = one(
        {
            OPERATION: "ai.streamText.doStream",
            "ai.response.text": "",
            "ai.response.toolCalls": text([{"toolName": "search", "input": {}}]),
        }
    )
    (message,) = vercel_ai.read(span).output_messages
    assert (message.content, [each.name for each in message.tool_invocations]) == ("", ["search"])


def test_tool_is_read() -> None:
    span = one(
        {
            OPERATION: "ai.toolCall",
            "ai.toolCall.name": "search",
            "ai.toolCall.id": "c",
            "ai.toolCall.result": text(DOCUMENTS),
        }
    )
    facts = vercel_ai.read(span)
    assert (facts.tool_name, facts.tool_call_id, facts.tool_result) == ("search", "c", DOCUMENTS)


def test_reranked_documents_come_in_the_order_of_their_ranking() -> None:
    ranking = [{"originalIndex": 1, "score": 0.8}, {"originalIndex": 0, "score": 0.2}]
    span = one({OPERATION: "ai.rerank", "ai.documents": text(TEXTS), "ai.ranking": text(ranking)})
    assert found(vercel_ai.read(span).documents) == [(None, TEXTS[1], 0.8), (None, TEXTS[0], 0.2)]


@pytest.mark.parametrize("index", [2, -1, "0", None])
def test_ranking_of_documents_that_are_not_there_is_none(index: object) -> None:
    span = one({OPERATION: "ai.rerank", "ai.documents": text(TEXTS), "ai.ranking": text([{"index": index}])})
    assert vercel_ai.read(span).documents is None

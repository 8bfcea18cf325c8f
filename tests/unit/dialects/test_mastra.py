from __future__ import annotations

import pytest

from spanjudge.dialects import mastra
from unit.dialects.one_span import ANSWER, DOCUMENTS, QUERY, one, text

TYPE = "mastra.span.type"


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("agent_run", "agent"),
        ("workflow_run", "workflow"),
        ("model_inference", "llm"),
        ("tool_call", "tool"),
        ("model_chunk", None),
    ],
)
def test_kind_is_the_type_of_the_span(word: str, kind: str | None) -> None:
    assert mastra.kind(one({TYPE: word})) == kind


def test_attributes_are_named_by_the_type() -> None:
    facts = mastra.read(
        one(
            {
                TYPE: "agent_run",
                "mastra.agent_run.input": QUERY,
                "mastra.agent_run.output": text({"text": ANSWER, "files": []}),
                "mastra.metadata.sessionId": "s",
                "mastra.metadata.userId": "u",
                "gen_ai.agent.name": "support",
            }
        )
    )
    assert (facts.input, facts.output) == (QUERY, {"text": ANSWER, "files": []})
    assert (facts.session, facts.user, facts.agent) == ("s", "u", "support")


def test_chunk_of_a_stream_tells_nothing() -> None:
    facts = mastra.read(one({TYPE: "model_chunk", "mastra.model_chunk.output": text({"text": "It la"})}))
    assert not facts.content


def test_tool_is_read_under_its_name() -> None:
    facts = mastra.read(
        one({TYPE: "tool_call", "mastra.tool_call.output": text(DOCUMENTS), "gen_ai.tool.name": "search"})
    )
    assert (facts.tool_name, facts.tool_result) == ("search", DOCUMENTS)

from __future__ import annotations

import pytest

from spanjudge.dialects import google_adk
from unit.dialects.one_span import ANSWER, DOCUMENTS, QUERY, contents, one, text

SYSTEM = "gcp.vertex.agent"
REQUEST = {"model": "m", "contents": [{"role": "user", "parts": [{"text": QUERY}]}], "config": {}}
RESPONSE = {"content": {"role": "model", "parts": [{"text": ANSWER}]}}


@pytest.mark.parametrize(
    ("name", "kind"), [("call_llm", "llm"), ("agent_run [support]", "agent"), ("invocation", None)]
)
def test_older_versions_tell_the_kind_by_the_name(name: str, kind: str | None) -> None:
    assert google_adk.kind(one(name=name, scope=SYSTEM)) == kind
    assert google_adk.kind(one(name=name)) is None


def test_request_and_response_are_read() -> None:
    given = {
        "gcp.vertex.agent.llm_request": text(REQUEST),
        "gcp.vertex.agent.llm_response": text(RESPONSE),
        "gcp.vertex.agent.session_id": "s",
    }
    facts = google_adk.read(one(given, name="call_llm"))
    assert contents(facts.input_messages) == [("user", QUERY)]
    assert contents(facts.output_messages) == [("assistant", ANSWER)]
    assert facts.session == "s"


def test_tool_is_read_but_what_merges_several_is_not() -> None:
    given = {"gcp.vertex.agent.tool_response": text({"result": DOCUMENTS}), "gen_ai.tool.name": "search"}
    assert google_adk.read(one(given)).tool_result == {"result": DOCUMENTS}
    assert google_adk.read(one({**given, "gen_ai.tool.name": "(merged tools)"})).tool_result is None


@pytest.mark.parametrize("value", ["{}", "<not specified>"])
def test_content_that_was_kept_out_is_not_content(value: str) -> None:
    names = ("llm_request", "llm_response", "tool_response")
    facts = google_adk.read(one({f"gcp.vertex.agent.{name}": value for name in names}, name="call_llm"))
    assert not facts.content
    assert not facts.cut

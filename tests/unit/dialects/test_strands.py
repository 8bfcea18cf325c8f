from __future__ import annotations

from spanjudge.dialects import strands
from spanjudge.sources.record import EventRecord
from unit.dialects.one_span import DOCUMENTS, one, text

OPERATION = "gen_ai.operation.name"


def test_cycle_of_the_loop_is_a_step() -> None:
    assert strands.kind(one({OPERATION: "execute_event_loop_cycle"})) == "chain"
    assert strands.kind(one({OPERATION: "chat"})) is None


def test_scope_or_system_tells_who_speaks() -> None:
    assert strands.speaks(one(scope="strands.telemetry.tracer"))
    assert strands.speaks(one({"gen_ai.system": "strands-agents"}))
    assert not strands.speaks(one({"gen_ai.system": "openai"}))


def test_tool_is_told_by_events() -> None:
    events = (
        EventRecord("gen_ai.tool.message", {"content": '{"query": "warranty"}', "id": "c"}),
        EventRecord("gen_ai.choice", {"message": text([{"text": text(DOCUMENTS)}]), "id": "c"}),
    )
    given = {OPERATION: "execute_tool", "gen_ai.tool.name": "search", "gen_ai.tool.call.id": "c"}
    facts = strands.read(one(given, events=events))
    assert (facts.tool_name, facts.tool_call_id, facts.tool_args) == ("search", "c", {"query": "warranty"})
    assert facts.tool_result == [{"text": text(DOCUMENTS)}]
    assert not facts.failed


def test_failed_tool_is_told_by_its_status() -> None:
    assert strands.read(one({OPERATION: "execute_tool", "gen_ai.tool.status": "error"})).failed


def test_other_spans_leave_their_messages_to_the_conventions() -> None:
    facts = strands.read(one({OPERATION: "chat"}, events=(EventRecord("gen_ai.choice", {"message": "x"}),)))
    assert not facts.content

"""Strands Agents: what it adds to the GenAI conventions, on events of its spans."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge import semconv
from spanjudge.dialects.attributes import text
from spanjudge.dialects.decode import decode
from spanjudge.dialects.facts import Facts, Kind
from spanjudge.dialects.message_events import CHOICE

if TYPE_CHECKING:
    from spanjudge.sources.record import SpanRecord

name: Final = "strands"
scopes: Final = ("strands.",)

_CYCLE: Final = "execute_event_loop_cycle"
_SYSTEM: Final = "strands-agents"


def kind(span: SpanRecord) -> Kind | None:
    """What the span does, where the GenAI conventions have no word for it."""
    return "chain" if span.attributes.get(semconv.OPERATION_NAME) == _CYCLE else None


def speaks(span: SpanRecord) -> bool:
    """Whether the span bears this dialect's marks."""
    given = span.attributes
    return span.scope.startswith(scopes) or _SYSTEM in (given.get("gen_ai.system"), given.get("gen_ai.provider.name"))


def read(span: SpanRecord) -> Facts:
    """What a tool was given and gave back; messages are those of the conventions."""
    given = span.attributes
    facts = Facts(kind=kind(span), dialects=(name,))
    if given.get(semconv.OPERATION_NAME) != "execute_tool":
        return facts
    events = {event.name: event.attributes for event in span.events}
    return replace(
        facts,
        tool_name=text(given, "gen_ai.tool.name"),
        tool_call_id=text(given, "gen_ai.tool.call.id"),
        tool_args=decode(events.get("gen_ai.tool.message", {}).get("content")),
        tool_result=decode(events.get(CHOICE, {}).get("message")),
        failed=given.get("gen_ai.tool.status") == "error",
    )

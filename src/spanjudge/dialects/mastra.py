"""Mastra's exporter: attributes named by the type of the span, beside those of the GenAI conventions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge import semconv
from spanjudge.dialects.attributes import text
from spanjudge.dialects.steps import facts_of_step

if TYPE_CHECKING:
    from spanjudge.dialects.facts import Facts, Kind
    from spanjudge.sources.record import SpanRecord

name: Final = "mastra"
scopes: Final = ("@mastra/",)

_TYPE: Final = "mastra.span.type"
_KINDS: Final[dict[str, Kind]] = {
    "agent_run": "agent",
    "workflow_run": "workflow",
    "workflow_step": "chain",
    "model_generation": "llm",
    "model_step": "chain",
    "model_inference": "llm",
    "tool_call": "tool",
    "mcp_tool_call": "tool",
}
_SESSIONS: Final = ("mastra.metadata.sessionId",)
_HINTS: Final = ("mastra.metadata.threadId", "mastra.metadata.thread_id")
_USERS: Final = ("mastra.metadata.userId",)


def kind(span: SpanRecord) -> Kind | None:
    """What the span does."""
    word = span.attributes.get(_TYPE)
    return _KINDS.get(word) if isinstance(word, str) else None


def speaks(span: SpanRecord) -> bool:
    """Whether the span bears this dialect's marks."""
    return _TYPE in span.attributes


def read(span: SpanRecord) -> Facts:
    """All that the span says, decoded; chunks of a stream repeat in part what their step says whole."""
    given = span.attributes
    role = kind(span)
    prefix = f"mastra.{given.get(_TYPE)}."
    taken, said = (given.get(prefix + "input"), given.get(prefix + "output")) if role else (None, None)
    facts = facts_of_step(span, role, taken, said, dialect=name)
    return replace(
        facts,
        agent=text(given, semconv.AGENT_NAME) if role == "agent" else None,
        tool_name=text(given, "gen_ai.tool.name") if role == "tool" else None,
        session=text(given, *_SESSIONS),
        session_hint=text(given, *_HINTS),
        user=text(given, *_USERS),
        model=text(given, semconv.REQUEST_MODEL),
    )

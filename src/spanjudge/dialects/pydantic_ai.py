"""Pydantic AI: the whole conversation on the agent's span, and the older names of its tools."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge.dialects.attributes import any_cut, is_redacted, text
from spanjudge.dialects.decode import decode
from spanjudge.dialects.facts import Facts, Kind
from spanjudge.dialects.messages import messages_in

if TYPE_CHECKING:
    from spanjudge.conversation import Message
    from spanjudge.sources.record import SpanRecord

name: Final = "pydantic_ai"
scopes: Final = ("pydantic-ai",)

_MESSAGES: Final = "pydantic_ai.all_messages"
_OLD_MESSAGES: Final = "all_messages_events"
_EVENTS: Final = "events"
_NEW_FROM: Final = "pydantic_ai.new_message_index"
_RESULT: Final = "final_result"
_TOOL_ARGUMENTS: Final = "tool_arguments"
_TOOL_RESPONSE: Final = "tool_response"
_AGENT: Final = "agent_name"
_CONTENT: Final = (_MESSAGES, _OLD_MESSAGES, _RESULT, _TOOL_RESPONSE, _EVENTS)
_SCOPE: Final = "pydantic-ai"


def kind(span: SpanRecord) -> Kind | None:
    """What the span does, where it does not say it in words of the GenAI conventions."""
    if not speaks(span):
        return None
    given = span.attributes
    if _AGENT in given or _MESSAGES in given:
        return "agent"
    if _TOOL_RESPONSE in given or span.name.startswith("running tool:"):
        return "tool"
    return "llm" if _EVENTS in given else None


def speaks(span: SpanRecord) -> bool:
    """Whether the span bears this dialect's marks."""
    return span.scope == _SCOPE or _MESSAGES in span.attributes


def read(span: SpanRecord) -> Facts:
    """All that its own attributes say; a conversation goes from the question on into what was said."""
    given = span.attributes
    raw = [given.get(key) for key in _CONTENT]
    messages = messages_in(given.get(_MESSAGES) or given.get(_OLD_MESSAGES) or given.get(_EVENTS))
    taken, said = _parted(messages, given.get(_NEW_FROM))
    result = given.get(_RESULT)
    role = kind(span)
    facts = Facts(
        kind=role,
        input_messages=taken,
        output_messages=said,
        answer=result if isinstance(result, str) and result.strip() else None,
        agent=text(given, "gen_ai.agent.name", _AGENT),
        model=text(given, "model_name"),
        redacted=is_redacted(raw),
        cut=any_cut(raw),
        dialects=(name,),
    )
    if role != "tool" and _TOOL_RESPONSE not in given:
        return facts
    return replace(
        facts,
        tool_name=text(given, "gen_ai.tool.name"),
        tool_call_id=text(given, "gen_ai.tool.call.id"),
        tool_args=decode(given.get(_TOOL_ARGUMENTS)),
        tool_result=decode(given.get(_TOOL_RESPONSE)),
    )


def _parted(messages: tuple[Message, ...], new_from: object) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """Part a conversation after the present question."""
    first = new_from if isinstance(new_from, int) and not isinstance(new_from, bool) else 0
    asked = [index for index, message in enumerate(messages) if message.role == "user" and index >= first]
    after = (asked[-1] if asked else first - 1) + 1
    return messages[:after], messages[after:]

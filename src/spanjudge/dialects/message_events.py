"""Messages that stand on events or log records, one each: the GenAI conventions before 1.37 and what grew from them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Final

from spanjudge.dialects.decode import decode, is_cut
from spanjudge.dialects.messages import message_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanjudge.conversation import Message
    from spanjudge.sources.record import LogPart, SpanRecord

CHOICE: Final = "gen_ai.choice"
_CARRIES_JSON: Final = re.compile(r"content|message|tool\.result|gen_ai\..*")
MESSAGES: Final[Mapping[str, str]] = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}


def told_by_events(span: SpanRecord) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """Return what a model was given and what it said, by the events and log records of its span."""
    taken: list[Message] = []
    said: list[Message] = []
    bodies = ((part.event_name, body_of(part)) for part in span.logs)
    for event_name, body in chain(((event.name, event.attributes) for event in span.events), bodies):
        if event_name in MESSAGES:
            taken += _said_in(body, MESSAGES[event_name])
        elif event_name == CHOICE:
            said += _said_in(body, "assistant")
    return tuple(taken), tuple(said)


def cut_in_events(span: SpanRecord) -> bool:
    """Whether what an event or a log record carries as JSON breaks off."""
    told = chain((event.attributes for event in span.events), (part.attributes for part in span.logs))
    return any(is_cut(value) for given in told for key, value in given.items() if _CARRIES_JSON.fullmatch(key))


def body_of(part: LogPart) -> Mapping[str, object]:
    """Return what a log record holds: its body, also as JSON, else its attributes."""
    body = decode(part.body)
    return body if isinstance(body, Mapping) else part.attributes


def _said_in(body: Mapping[str, object], role: str) -> Iterator[Message]:
    content = decode(body.get("message", body.get("content")))
    if isinstance(content, Mapping) and "content" not in body:
        message = message_of({"role": role, **content})
    else:
        call_id = body.get("tool_call_id", body.get("id"))
        message = message_of({**body, "role": role, "content": content, "tool_call_id": call_id})
    if message:
        yield message

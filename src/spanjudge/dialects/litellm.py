"""LiteLLM's own callback: prompts and completions in log records, also of a span that is not its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spanjudge.dialects.attributes import is_redacted, text
from spanjudge.dialects.facts import Facts, Kind
from spanjudge.dialects.message_events import body_of
from spanjudge.dialects.messages import message_of

if TYPE_CHECKING:
    from spanjudge.conversation import Message
    from spanjudge.sources.record import LogPart, SpanRecord

name: Final = "litellm"
# Its spans are made whole when the call is over; at their start nothing need be known of them.
scopes: Final = ()

_PROMPT: Final = "gen_ai.content.prompt"
_COMPLETION: Final = "gen_ai.content.completion"
_MARKS: Final = ("litellm.call_id", "litellm.provider.model")
# This one repeats in reprs what its parent says.
_RAW: Final = "raw_gen_ai_request"


def kind(span: SpanRecord) -> Kind | None:
    """What the span does."""
    if span.name == _RAW:
        return None
    return "llm" if any(key in span.attributes for key in _MARKS) or _told(span) else None


def speaks(span: SpanRecord) -> bool:
    """Whether the span bears this dialect's marks."""
    return kind(span) is not None


def read(span: SpanRecord) -> Facts:
    """The last call that the log records tell of: where several share a span, each one repeats what came before."""
    taken: list[Message] = []
    said: list[Message] = []
    for part, event in _told(span):
        body = body_of(part)
        if event == _COMPLETION:
            said = [message for message in (message_of({"role": "assistant", **body}),) if message]
        else:
            if said:
                taken, said = [], []
            taken += [message for message in (message_of({"role": "user", **body}),) if message]
    given = span.attributes
    return Facts(
        kind="llm",
        input_messages=tuple(taken),
        output_messages=tuple(said),
        session_hint=text(given, "metadata.session_id", "metadata.trace_id"),
        user=text(given, "metadata.user_api_key_end_user_id"),
        model=text(given, "gen_ai.response.model", "gen_ai.request.model"),
        response_id=text(given, "gen_ai.response.id"),
        redacted=is_redacted(message.content for message in (*taken, *said)),
        dialects=(name,),
    )


def _told(span: SpanRecord) -> list[tuple[LogPart, object]]:
    named = ((part, part.event_name or part.attributes.get("event_name")) for part in span.logs)
    return [(part, event) for part, event in named if event in (_PROMPT, _COMPLETION)]

"""Google's Agent Development Kit: its own attributes, beside those of the GenAI conventions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge import semconv
from spanjudge.dialects.attributes import any_cut, as_record, is_redacted, text
from spanjudge.dialects.decode import decode
from spanjudge.dialects.facts import Facts, Kind
from spanjudge.dialects.messages import message_of, messages_in

if TYPE_CHECKING:
    from spanjudge.sources.record import SpanRecord

name: Final = "google_adk"
scopes: Final = ("gcp.vertex.agent",)

_REQUEST: Final = "gcp.vertex.agent.llm_request"
_RESPONSE: Final = "gcp.vertex.agent.llm_response"
_ARGUMENTS: Final = "gcp.vertex.agent.tool_call_args"
_RESULT: Final = "gcp.vertex.agent.tool_response"
_CONTENT: Final = (_REQUEST, _RESPONSE, _ARGUMENTS, _RESULT)
# What the kit writes where it was told to keep content out of spans.
_EMPTY: Final = ("{}", "<not specified>", "<not serializable>")
_SYSTEM: Final = "gcp.vertex.agent"


def kind(span: SpanRecord) -> Kind | None:
    """What the span does; before it spoke the conventions, the kit told it by the name alone."""
    if not speaks(span):
        return None
    if span.name == "call_llm":
        return "llm"
    return "agent" if span.name.startswith("agent_run [") else None


def speaks(span: SpanRecord) -> bool:
    """Whether the span bears this dialect's marks."""
    given = span.attributes
    return span.scope == _SYSTEM or given.get("gen_ai.system") == _SYSTEM or any(key in given for key in _CONTENT)


def read(span: SpanRecord) -> Facts:
    """All that the kit's own attributes say."""
    given = {key: value for key, value in span.attributes.items() if value not in _EMPTY}
    raw = [given.get(key) for key in _CONTENT]
    request, response = as_record(given.get(_REQUEST)), as_record(given.get(_RESPONSE))
    said = message_of({"role": "model", **as_record(response.get("content"))}) if "content" in response else None
    facts = Facts(
        kind=kind(span),
        input_messages=messages_in(request.get("contents")),
        output_messages=(said,) if said else (),
        session=text(given, "gcp.vertex.agent.session_id"),
        model=text(given, semconv.REQUEST_MODEL),
        redacted=is_redacted(raw),
        cut=any_cut(raw),
        dialects=(name,),
    )
    if _RESULT not in given or given.get("gen_ai.tool.name", span.name) == "(merged tools)":
        return facts
    return replace(
        facts,
        tool_name=text(given, "gen_ai.tool.name"),
        tool_call_id=text(given, "gen_ai.tool.call.id"),
        tool_args=decode(given.get(_ARGUMENTS)),
        tool_result=decode(given.get(_RESULT)),
    )

"""OpenTelemetry's own GenAI conventions: on span attributes, span events or log records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from spanjudge import semconv
from spanjudge.dialects.attributes import any_cut, is_redacted, text
from spanjudge.dialects.decode import decode
from spanjudge.dialects.documents import listed, ranked
from spanjudge.dialects.facts import Facts, Kind
from spanjudge.dialects.message_events import cut_in_events, told_by_events
from spanjudge.dialects.messages import message_of, messages_in

if TYPE_CHECKING:
    from spanjudge.sources.record import SpanRecord

name: Final = "otel_genai"
scopes: Final = ("opentelemetry.instrumentation.genai", "opentelemetry.util.genai")

_KINDS: Final[dict[str, Kind]] = {
    "chat": "llm",
    "generate_content": "llm",
    "text_completion": "llm",
    "embeddings": "embedding",
    "retrieval": "retriever",
    "vector_db_retrieve": "retriever",
    "search_memory": "retriever",
    "rerank": "reranker",
    "create_agent": "prompt",
    "invoke_agent": "agent",
    "execute_tool": "tool",
    "invoke_workflow": "workflow",
    "plan": "chain",
    "execute_task": "chain",
}
_INPUT: Final = "gen_ai.input.messages"
_OUTPUT: Final = "gen_ai.output.messages"
_SYSTEM: Final = "gen_ai.system_instructions"
_DOCUMENTS: Final = "gen_ai.retrieval.documents"
_MEMORY: Final = "gen_ai.memory.records"
_QUERY: Final = "gen_ai.retrieval.query.text"
_RESULT: Final = "gen_ai.tool.call.result"
_ARGUMENTS: Final = "gen_ai.tool.call.arguments"
_CONTENT: Final = (_INPUT, _OUTPUT, _DOCUMENTS, _MEMORY, _QUERY, _RESULT)
_VARIABLE: Final = "gen_ai.prompt.variable."


def kind(span: SpanRecord) -> Kind | None:
    """What the span does."""
    word = span.attributes.get(semconv.OPERATION_NAME)
    return _KINDS.get(word.lower()) if isinstance(word, str) else None


def speaks(span: SpanRecord) -> bool:
    """Whether the span bears this dialect's marks."""
    given = span.attributes
    if semconv.OPERATION_NAME in given or any(key in given for key in _CONTENT):
        return True
    names = chain((event.name for event in span.events), (part.event_name for part in span.logs))
    return any(each.startswith("gen_ai.") and each != semconv.EVALUATION_EVENT for each in names)


def read(span: SpanRecord) -> Facts:
    """All that the span says, decoded."""
    given = {**_carried(span), **span.attributes}
    role = kind(span)
    taken, said = told_by_events(span)
    taken = messages_in(given.get(_INPUT)) or taken
    said = messages_in(given.get(_OUTPUT)) or said
    raw = [given.get(key) for key in _CONTENT]
    found = listed(given.get(_DOCUMENTS, given.get(_MEMORY)))
    facts = Facts(
        kind=role,
        system=_system(given.get(_SYSTEM)),
        input_messages=taken,
        output_messages=said,
        query=text(given, _QUERY),
        documents=None if found is None else ranked(found, span.span_id),
        variables={key[len(_VARIABLE) :]: value for key, value in given.items() if key.startswith(_VARIABLE)},
        session=text(given, "gen_ai.conversation.id"),
        model=text(given, "gen_ai.response.model", semconv.REQUEST_MODEL),
        agent=text(given, semconv.AGENT_NAME),
        data_source=text(given, semconv.DATA_SOURCE_ID),
        response_id=text(given, semconv.RESPONSE_ID),
        redacted=is_redacted(raw),
        cut=any_cut(raw),
        cut_beside=cut_in_events(span),
        dialects=(name,),
    )
    if role != "tool":
        return facts
    return replace(
        facts,
        tool_name=text(given, "gen_ai.tool.name"),
        tool_call_id=text(given, "gen_ai.tool.call.id"),
        tool_args=decode(given.get(_ARGUMENTS)),
        tool_result=decode(given.get(_RESULT)),
    )


def _carried(span: SpanRecord) -> dict[str, object]:
    """Content that stands on events or log records of the span instead of the span."""
    carried: dict[str, object] = {}
    for attributes in chain((event.attributes for event in span.events), (part.attributes for part in span.logs)):
        carried |= {key: value for key, value in attributes.items() if key in _CONTENT or key == _SYSTEM}
    for part in span.logs:
        if isinstance(part.body, Mapping):
            carried |= {key: value for key, value in part.body.items() if key in _CONTENT}
    return carried


def _system(value: object) -> str | None:
    """What the model was told to be: parts of a message, or a text."""
    found = decode(value)
    message = message_of({"role": "system", "content": found}) if found else None
    return message.content or None if message else None

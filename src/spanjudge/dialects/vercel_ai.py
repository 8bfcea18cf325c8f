"""The Vercel AI SDK under its older names (``ai.*``); the newer ones are those of the GenAI conventions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge.conversation import Message, ToolInvocation
from spanjudge.dialects.attributes import any_cut, as_record, is_redacted, text
from spanjudge.dialects.decode import decode, plain
from spanjudge.dialects.document import number_of
from spanjudge.dialects.documents import listed, ranked
from spanjudge.dialects.facts import Facts, Kind
from spanjudge.dialects.messages import messages_in

if TYPE_CHECKING:
    from spanjudge.dialects.documents import Documents
    from spanjudge.sources.record import Attributes, SpanRecord

name: Final = "vercel_ai"
scopes: Final = ("@ai-sdk/",)

_OPERATION: Final = "ai.operationId"
_PROMPT: Final = "ai.prompt"
_MESSAGES: Final = "ai.prompt.messages"
_TEXT: Final = "ai.response.text"
_OBJECT: Final = "ai.response.object"
_CALLS: Final = "ai.response.toolCalls"
_RESULT: Final = "ai.toolCall.result"
_ARGUMENTS: Final = "ai.toolCall.args"
_DOCUMENTS: Final = "ai.documents"
_CONTENT: Final = (_PROMPT, _MESSAGES, _TEXT, _OBJECT, _RESULT, _DOCUMENTS)
_KINDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject"), "llm"),
    "ai.toolCall": "tool",
    **dict.fromkeys(("ai.embed", "ai.embedMany"), "embedding"),
    "ai.rerank": "reranker",
}


def kind(span: SpanRecord) -> Kind | None:
    """What the span does: the whole of a call and each request in it are calls of a model."""
    word = span.attributes.get(_OPERATION)
    return _KINDS.get(".".join(word.split(".")[:2])) if isinstance(word, str) else None


def speaks(span: SpanRecord) -> bool:
    """Whether the span bears this dialect's marks."""
    return _OPERATION in span.attributes


def read(span: SpanRecord) -> Facts:
    """All that the span says, decoded."""
    given = span.attributes
    role = kind(span)
    raw = [given.get(key) for key in _CONTENT]
    facts = Facts(
        kind=role,
        session=text(given, "ai.telemetry.metadata.sessionId", "ai.telemetry.metadata.session_id"),
        user=text(given, "ai.telemetry.metadata.userId", "ai.telemetry.metadata.user_id"),
        model=text(given, "ai.response.model", "ai.model.id"),
        agent=text(given, "ai.telemetry.functionId"),
        response_id=text(given, "ai.response.id"),
        redacted=is_redacted(raw),
        cut=any_cut(raw),
        dialects=(name,),
    )
    match role:
        case "llm":
            return replace(facts, input_messages=_asked_of(given), output_messages=_said_in(given))
        case "tool":
            return replace(
                facts,
                tool_name=text(given, "ai.toolCall.name"),
                tool_call_id=text(given, "ai.toolCall.id"),
                tool_args=decode(given.get(_ARGUMENTS)),
                tool_result=decode(given.get(_RESULT), quoted=True),
            )
        case "reranker":
            documents = _ranked(given)
            return replace(facts, documents=None if documents is None else ranked(documents, span.span_id))
        case _:
            return facts


def _asked_of(given: Attributes) -> tuple[Message, ...]:
    if _MESSAGES in given:
        return messages_in(given.get(_MESSAGES))
    prompt = as_record(given.get(_PROMPT))
    system = plain(prompt.get("system"))
    lead = (Message("system", system),) if system else ()
    alone = prompt.get("prompt")
    return lead + (messages_in(alone or prompt) or ((Message("user", alone),) if isinstance(alone, str) else ()))


def _said_in(given: Attributes) -> tuple[Message, ...]:
    """What a call gave back; the whole of it repeats calls of tools that have long been run, beside the text."""
    said = text(given, _TEXT, _OBJECT) or ""
    calls = decode(given.get(_CALLS))
    invocations = [
        ToolInvocation(str(call.get("toolName") or ""), decode(call.get("input", call.get("args"))))
        for call in (calls if isinstance(calls, Sequence) and not isinstance(calls, str) and not said else ())
        if isinstance(call, Mapping)
    ]
    return (Message("assistant", said, invocations),) if said or invocations else ()


def _ranked(given: Attributes) -> Documents | None:
    """Documents in the order of ``ai.ranking``."""
    documents = listed(given.get(_DOCUMENTS))
    ranking = decode(given.get("ai.ranking"))
    if not documents or not isinstance(ranking, Sequence) or isinstance(ranking, str):
        return None
    chosen = []
    for each in map(as_record, ranking):
        index = next((each[key] for key in ("originalIndex", "index") if key in each), None)
        if not isinstance(index, int) or not 0 <= index < len(documents):
            return None
        score = number_of(each.get("score", each.get("relevanceScore")))
        chosen.append(replace(documents[index], score=score, score_kind="unknown" if score is None else "rerank"))
    return tuple(chosen)

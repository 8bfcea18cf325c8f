"""Traceloop (OpenLLMetry): workflows, tasks, agents and tools, and model calls by their older names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge import semconv
from spanjudge.dialects.attributes import any_cut, as_record, is_redacted, text
from spanjudge.dialects.flat import nested, records
from spanjudge.dialects.messages import message_of
from spanjudge.dialects.steps import facts_of_step, unwrapped

if TYPE_CHECKING:
    from spanjudge.conversation import Message
    from spanjudge.dialects.facts import Facts, Kind
    from spanjudge.sources.record import Attributes, SpanRecord

name: Final = "traceloop"
scopes: Final = (
    "traceloop.tracer",
    "opentelemetry.instrumentation.openai",
    "opentelemetry.instrumentation.langchain",
    "opentelemetry.instrumentation.llamaindex",
    "opentelemetry.instrumentation.haystack",
    "opentelemetry.instrumentation.anthropic",
    "opentelemetry.instrumentation.bedrock",
    "opentelemetry.instrumentation.cohere",
    "opentelemetry.instrumentation.crewai",
    "opentelemetry.instrumentation.google_generativeai",
    "opentelemetry.instrumentation.groq",
    "opentelemetry.instrumentation.mistralai",
    "opentelemetry.instrumentation.ollama",
    "opentelemetry.instrumentation.together",
    "opentelemetry.instrumentation.transformers",
    "opentelemetry.instrumentation.vertexai",
    "opentelemetry.instrumentation.watsonx",
)

_KIND: Final = "traceloop.span.kind"
_ENTITY: Final = "traceloop.entity.name"
_INPUT: Final = "traceloop.entity.input"
_OUTPUT: Final = "traceloop.entity.output"
_ASSOCIATED: Final = "traceloop.association.properties."
_REQUEST_TYPE: Final = "llm.request.type"
_PROMPT: Final = "gen_ai.prompt"
_COMPLETION: Final = "gen_ai.completion"
# How LlamaIndex hands a question to a retriever.
_ASKED: Final = ('{"str_or_query_bundle"', '{"query_bundle"')
_KINDS: Final[dict[str, Kind]] = {"workflow": "workflow", "agent": "agent", "tool": "tool"}
_OPERATIONS: Final[dict[str, Kind]] = {
    "vector_db_retrieve": "retriever",
    "execute_tool": "tool",
    "chat": "llm",
    "embeddings": "embedding",
}
_REQUESTS: Final[dict[str, Kind]] = {
    "chat": "llm",
    "completion": "llm",
    "embedding": "embedding",
    "rerank": "reranker",
}
_SESSIONS: Final = tuple(_ASSOCIATED + key for key in ("session_id", "sessionId", "conversation_id", "thread_id"))
_USERS: Final = tuple(_ASSOCIATED + key for key in ("user_id", "userId"))


def kind(span: SpanRecord) -> Kind | None:
    """What the span does; a task tells it by its operation or by the class that it names."""
    given = span.attributes
    word = given.get(_KIND)
    if word == "task":
        return _OPERATIONS.get(str(given.get(semconv.OPERATION_NAME))) or _kind_of_task(given)
    if isinstance(word, str):
        return _KINDS.get(word)
    return _REQUESTS.get(str(given.get(_REQUEST_TYPE)))


def speaks(span: SpanRecord) -> bool:
    """Whether the span bears this dialect's marks."""
    given = span.attributes
    return _KIND in given or _ENTITY in given or _REQUEST_TYPE in given


def read(span: SpanRecord) -> Facts:
    """All that the span says, decoded."""
    given = span.attributes
    role = kind(span)
    raw = (given.get(_INPUT), given.get(_OUTPUT))
    facts = facts_of_step(
        span,
        role,
        _late_input(raw[1]) or unwrapped(raw[0], "inputs", "str_or_query_bundle", "input_str"),
        unwrapped(raw[1], "outputs", "output"),
        dialect=name,
        quoted=True,
    )
    taken, said = _messages(given, _PROMPT), _messages(given, _COMPLETION)
    return replace(
        facts,
        input_messages=taken or facts.input_messages,
        output_messages=said or facts.output_messages,
        tool_name=text(given, _ENTITY) if role == "tool" else None,
        agent=text(given, semconv.AGENT_NAME, _ENTITY) if role == "agent" else None,
        session_hint=text(given, *_SESSIONS),
        user=text(given, *_USERS),
        model=text(given, "gen_ai.response.model", semconv.REQUEST_MODEL),
        redacted=facts.redacted or is_redacted(raw),
        cut=facts.cut or any_cut(raw, quoted=True),
    )


def _late_input(returned: object) -> object:
    """What a step of a stream was given: it is known when the step ends, and stands beside what it gave back."""
    beside = as_record(as_record(returned).get("kwargs"))
    return beside.get("inputs")


def _kind_of_task(given: Attributes) -> Kind:
    """Tell from the name of its class what a task does, or from a question that it answers with a list."""
    plain = str(given.get(_ENTITY)).removesuffix(".task")
    if "rerank" in plain.lower() or plain.endswith("Postprocessor"):
        return "reranker"
    if plain.endswith("Retriever"):
        return "retriever"
    if str(given.get(_INPUT)).startswith(_ASKED) and str(given.get(_OUTPUT)).startswith("["):
        return "retriever"
    return "embedding" if plain.endswith(("Embedding", "Embeddings")) else "chain"


def _messages(given: Attributes, prefix: str) -> tuple[Message, ...]:
    if f"{prefix}.0.role" not in given and f"{prefix}.0.content" not in given:
        return ()
    found, _ = records(given, prefix)
    role = "assistant" if prefix == _COMPLETION else "user"
    read_ones = (message_of({"role": role, **nested(item)}) for item in found or ())
    return tuple(message for message in read_ones if message)

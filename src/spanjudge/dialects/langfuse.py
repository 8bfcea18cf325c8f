"""Langfuse's SDK and its callback for LangChain."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge.dialects.attributes import text
from spanjudge.dialects.decode import decode
from spanjudge.dialects.steps import facts_of_step

if TYPE_CHECKING:
    from spanjudge.dialects.facts import Facts, Kind
    from spanjudge.sources.record import Attributes, SpanRecord

name: Final = "langfuse"
scopes: Final = ("langfuse",)

_TYPE: Final = "langfuse.observation.type"
_INPUT: Final = "langfuse.observation.input"
_OUTPUT: Final = "langfuse.observation.output"
_KINDS: Final[dict[str, Kind]] = {
    "generation": "llm",
    "agent": "agent",
    "chain": "chain",
    "tool": "tool",
    "retriever": "retriever",
    "embedding": "embedding",
    "guardrail": "guardrail",
    "evaluator": "evaluator",
}
_HINTS: Final = tuple(
    f"langfuse.{level}.metadata.{key}"
    for level in ("trace", "observation")
    for key in ("session_id", "conversation_id", "thread_id")
)


def kind(span: SpanRecord) -> Kind | None:
    """What the span does; a plain ``span`` may be anything."""
    word = span.attributes.get(_TYPE)
    return _KINDS.get(word.lower()) if isinstance(word, str) else None


def speaks(span: SpanRecord) -> bool:
    """Whether the span bears this dialect's marks."""
    given = span.attributes
    return _TYPE in given or _INPUT in given or _OUTPUT in given


def read(span: SpanRecord) -> Facts:
    """All that the span says, decoded."""
    given = span.attributes
    return replace(
        facts_of_step(span, kind(span), given.get(_INPUT), given.get(_OUTPUT), dialect=name),
        session=text(given, "langfuse.session.id"),
        session_hint=_hint(given),
        user=text(given, "langfuse.user.id"),
        model=text(given, "langfuse.observation.model.name"),
    )


def _hint(given: Attributes) -> str | None:
    """Metadata of LangChain, whose texts stand in quotes."""
    found = decode(text(given, *_HINTS), quoted=True)
    return found if isinstance(found, str) else None

"""Haystack's own tracing: pipelines, components and agents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge.dialects.attributes import as_record, text
from spanjudge.dialects.steps import facts_of_step
from spanjudge.dialects.texts import answered

if TYPE_CHECKING:
    from spanjudge.dialects.facts import Facts, Kind
    from spanjudge.sources.record import SpanRecord

name: Final = "haystack"
scopes: Final = ()

_PREFIX: Final = "haystack."
_PIPELINES: Final = ("haystack.pipeline.run", "haystack.async_pipeline.run")
_COMPONENT: Final = "haystack.component.run"
_AGENT: Final = "haystack.agent.run"
_LLM: Final = "haystack.agent.step.llm"
_TOOL: Final = "haystack.agent.step.tool"
_TYPE: Final = "haystack.component.type"
_NAMES: Final[dict[str, Kind]] = {
    **dict.fromkeys(_PIPELINES, "chain"),
    _AGENT: "agent",
    "haystack.agent.step": "chain",
    _LLM: "llm",
    _TOOL: "tool",
}
# What a component's class is called tells what it does; the first that fits.
_ENDINGS: Final[tuple[tuple[str, Kind], ...]] = (
    ("Retriever", "retriever"),
    ("WebSearch", "retriever"),
    ("Ranker", "reranker"),
    ("DocumentJoiner", "reranker"),
    ("Embedder", "embedding"),
    ("Generator", "llm"),
    ("Agent", "agent"),
)
_ANSWERS: Final = ("answers", "replies", "answer", "response", "messages", "output")


def kind(span: SpanRecord) -> Kind | None:
    """What the span does, by its name, and a component's by that of its class."""
    if not span.name.startswith(_PREFIX):
        return None
    if span.name != _COMPONENT:
        return _NAMES.get(span.name)
    component = str(span.attributes.get(_TYPE))
    found: Kind | None = next((role for ending, role in _ENDINGS if component.endswith(ending)), None)
    return found or "chain"


def speaks(span: SpanRecord) -> bool:
    """Whether the span bears this dialect's marks."""
    return span.name.startswith(_PREFIX) and (span.name in _NAMES or span.name == _COMPONENT)


def read(span: SpanRecord) -> Facts:
    """All that the span says, decoded."""
    given = span.attributes
    role = kind(span)
    if span.name in _PIPELINES:
        returned = given.get("haystack.pipeline.output_data")
        facts = facts_of_step(span, role, given.get("haystack.pipeline.input_data"), returned, dialect=name)
        # Its input names components, whatever their names are.
        return replace(
            facts, input={"data": facts.input} if facts.input is not None else None, answer=_answer_in(facts.output)
        )
    place = "haystack.component" if span.name == _COMPONENT else span.name.removesuffix(".run")
    taken, said = given.get(place + ".input"), given.get(place + ".output")
    facts = facts_of_step(span, role, taken, None if role == "embedding" else said, dialect=name)
    return replace(
        facts,
        tool_name=text(given, "haystack.tool.name") if role == "tool" else None,
        agent=text(given, "haystack.component.name") if role == "agent" else None,
        model=_model(facts.output) if role == "llm" else None,
    )


def _answer_in(output: object) -> str | None:
    """The answer among what the components of a pipeline gave back."""
    parts = [part for part in as_record(output).values() if isinstance(part, Mapping)]
    for key in _ANSWERS:
        for part in parts:
            found = answered({key: part[key]}) if part.get(key) else None
            if found:
                return found
    return None


def _model(output: object) -> str | None:
    replies = as_record(output).get("replies")
    meta = replies[0].get("meta") if isinstance(replies, list) and replies and isinstance(replies[0], dict) else None
    return text(as_record(meta), "model")

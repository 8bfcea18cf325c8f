"""A step that is told by what it was given and what it gave back, as tracing libraries of many makers do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from spanjudge.dialects.attributes import any_cut, is_redacted
from spanjudge.dialects.decode import REDACTED, decode
from spanjudge.dialects.documents import documents_in, ranked
from spanjudge.dialects.facts import Facts, Kind
from spanjudge.dialects.messages import messages_in, tells_error
from spanjudge.dialects.texts import asked

if TYPE_CHECKING:
    from spanjudge.sources.record import SpanRecord


def facts_of_step(
    span: SpanRecord, kind: Kind | None, given: object, returned: object, *, dialect: str, quoted: bool = False
) -> Facts:
    """Read a step by its kind.

    Args:
        span: The span of the step; its name is the tool's or the agent's where nothing else tells it.
        kind: What the step does.
        given: What it was given, as it stands in the attribute.
        returned: What it gave back, likewise.
        dialect: Name of the dialect that reads.
        quoted: Whether texts stand in quotes, as JSON.
    """
    raw = (given, returned)
    taken, said = (None if value == REDACTED else decode(value, quoted=quoted) for value in raw)
    facts = Facts(
        kind=kind,
        input=taken,
        output=said,
        redacted=is_redacted(raw),
        cut=any_cut(raw, quoted=quoted),
        dialects=(dialect,),
    )
    match kind:
        case "llm":
            return replace(facts, input_messages=messages_in(taken), output_messages=messages_in(said))
        case "retriever" | "reranker":
            documents = documents_in(said)
            return replace(
                facts,
                query=asked(taken),
                documents=None if documents is None else ranked(documents, span.span_id),
                redacted=facts.redacted or any(document.text == REDACTED for document in documents or ()),
            )
        case "tool":
            return replace(
                facts, tool_name=span.name or None, tool_args=taken, tool_result=said, failed=tells_error(said)
            )
        case "agent":
            return replace(facts, agent=span.name or None)
        case _:
            return facts


def unwrapped(value: object, *names: str) -> object:
    """Take what a record holds under the first of some names that it has; anything else comes back as it is.

    >>> unwrapped('{"outputs": {"a": 1}, "kwargs": {}}', "outputs")
    {'a': 1}
    """
    found = decode(value, quoted=True)
    if isinstance(found, Mapping):
        return next((found[name] for name in names if name in found), value)
    return value

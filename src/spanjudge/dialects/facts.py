"""What one span says, whatever its dialect."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spanjudge.conversation import Message
    from spanjudge.model import Document
    from spanjudge.sources.record import SpanRecord

Kind: TypeAlias = Literal[
    "agent",
    "workflow",
    "chain",
    "llm",
    "retriever",
    "reranker",
    "tool",
    "embedding",
    "prompt",
    "guardrail",
    "evaluator",
]
# What instrumentations mark as a whole: the root of a run, with text or without.
WHOLE_KINDS: Final[frozenset[Kind]] = frozenset({"agent", "workflow", "chain"})
# Kinds that alone are no run.
SIDE_KINDS: Final[frozenset[Kind]] = frozenset({"embedding", "prompt", "guardrail", "evaluator"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What one span says. None everywhere means: not said.

    Args:
        kind: What the span does.
        input: What it was given, as text or decoded structure.
        output: What it gave back, likewise.
        query: The question that the dialect names as such: a retriever's query, an agent's prompt.
        answer: The final answer that the dialect names as such.
        system: What the model was told to be, where it stands beside the conversation.
        input_messages: The conversation that it was given, oldest first.
        output_messages: What a model said.
        documents: What a retriever or reranker returned; empty where it returned nothing.
        told: Which of ``query``, ``documents`` and ``answer`` stand where the user says that they do.
        order: Ids of documents in the order that a step has brought them into.
        order_cut: Whether such an order broke off.
        tool_name: Name of the tool.
        tool_call_id: Id under which the model called the tool.
        tool_args: Arguments of the call.
        tool_result: Result of the call, as text or decoded structure.
        variables: Variables of the prompt by name.
        session: Id of the conversation.
        session_hint: A weaker sign of it, such as a thread's id in metadata.
        user: Id of the user.
        model: Name of the model.
        agent: Name of the agent.
        data_source: Name of what was searched.
        response_id: Id of the model's response.
        ground_truth: The reference answer.
        failed: Whether the content says that the step failed, whatever the status of the span.
        gaps: Whether ranks of documents are missing.
        redacted: Whether content was replaced by a placeholder.
        cut: Whether a value of the span broke off.
        cut_beside: Whether a value of one of its events or log records did.
    """

    kind: Kind | None = None
    input: object = None
    output: object = None
    query: str | None = None
    answer: str | None = None
    system: str | None = None
    input_messages: tuple[Message, ...] = ()
    output_messages: tuple[Message, ...] = ()
    documents: tuple[Document, ...] | None = None
    told: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    order_cut: bool = False
    tool_name: str | None = None
    tool_call_id: str | None = None
    tool_args: object = None
    tool_result: object = None
    variables: Mapping[str, object] = field(default_factory=dict)
    session: str | None = None
    session_hint: str | None = None
    user: str | None = None
    model: str | None = None
    agent: str | None = None
    data_source: str | None = None
    response_id: str | None = None
    ground_truth: str | None = None
    failed: bool = False
    gaps: bool = False
    redacted: bool = False
    cut: bool = False
    cut_beside: bool = False
    dialects: tuple[str, ...] = ()

    @property
    def content(self) -> bool:
        """Whether the span carries any text of the run."""
        return bool(
            self.documents is not None
            or self.input_messages
            or self.output_messages
            or self.variables
            or any(
                value is not None and value != ""
                for value in (self.input, self.output, self.query, self.answer, self.tool_args, self.tool_result)
            )
        )


class Dialect(Protocol):
    """One way of writing RAG facts on spans."""

    @property
    def name(self) -> str:
        """Name of its module."""
        ...

    @property
    def scopes(self) -> tuple[str, ...]:
        """Starts of the names of instrumentation scopes all of whose spans belong to runs."""
        ...

    def kind(self, span: SpanRecord) -> Kind | None:
        """What the span does, by a look at single attributes."""
        ...

    def speaks(self, span: SpanRecord) -> bool:
        """Whether the span bears this dialect's marks, by a look at single attributes."""
        ...

    def read(self, span: SpanRecord) -> Facts:
        """All that the span says, decoded."""
        ...


def merge(first: Facts, second: Facts) -> Facts:
    """Join what two dialects say of one span; where both speak, the first is right."""
    changes = {
        item.name: theirs
        for item in fields(Facts)
        if (ours := getattr(first, item.name)) in (None, (), {}, False)
        and (theirs := getattr(second, item.name)) != ours
    }
    changes["dialects"] = first.dialects + tuple(name for name in second.dialects if name not in first.dialects)
    # An empty list of documents is an answer, not silence.
    if first.documents == ():
        changes["documents"] = first.documents
    return replace(first, **changes)

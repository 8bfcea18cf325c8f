"""A captured run in the shape that extractors of contexts receive: messages in, messages out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanjudge.assembly.places import ANSWER_TOOLS, tools_of
from spanjudge.assembly.view import failed
from spanjudge.conversation import AgentInput, AgentOutput, Message, ToolInvocation
from spanjudge.dialects.messages import messages_in, this_turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanjudge.assembly.view import RunView
    from spanjudge.model import Document


def input_of(run: RunView, query: str | None) -> AgentInput:
    """What the agent was given; a question that stands alone is one user message."""
    for node in (run.root, *run.of_kind("agent", "workflow")):
        found = node.facts.input_messages or messages_in(node.facts.input)
        if found and node.kind != "llm":
            return AgentInput(list(found))
    first = next((node for node in run.of_kind("llm") if node.facts.input_messages), None)
    if first is not None and run.root.kind == "llm":
        return AgentInput(list(first.facts.input_messages))
    return AgentInput([Message("user", query)] if query else [])


def output_of(run: RunView, answer: str | None, contexts: Sequence[Document] | None) -> AgentOutput:
    """What the agent gave back: one message with its answer and the tools that it called, in order."""
    invocations = [
        ToolInvocation(
            name=node.facts.tool_name or node.span.name,
            args=node.facts.tool_args,
            state="call" if failed(node) or node.facts.tool_result is None else "result",
            result=None if failed(node) else node.facts.tool_result,
        )
        for node in tools_of(run)
    ]
    if not invocations and run.speaker is not None:
        spoken = (*this_turn(run.speaker.facts.input_messages), *run.speaker.facts.output_messages)
        invocations = [
            call
            for message in spoken
            for call in message.tool_invocations
            if call.state == "result" and call.name not in ANSWER_TOOLS
        ]
    metadata: dict[str, object] = {}
    if contexts is not None:
        metadata["retrieved_context"] = [document.text for document in contexts if document.text is not None]
    messages = [Message("assistant", answer or "", invocations)] if answer or invocations else []
    return AgentOutput(messages, metadata)

"""The agent's shape of input and output, as extractors of contexts receive them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True)
class ToolInvocation:
    """One call of a tool; ``result`` is None until ``state`` is ``"result"``."""

    name: str
    args: object = None
    state: Literal["call", "result"] = "call"
    result: object = None


@dataclass(frozen=True, slots=True)
class Message:
    """One message; ``content`` is its text, empty where it only calls tools."""

    role: str
    content: str = ""
    tool_invocations: list[ToolInvocation] = field(default_factory=list)
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AgentInput:
    """What the agent was given: its input messages, oldest first."""

    input_messages: list[Message] = field(default_factory=list)


class AgentOutput(list[Message]):
    """What the agent gave back: its messages, oldest first, and ``metadata`` of the whole."""

    def __init__(self, messages: Iterable[Message] = (), metadata: Mapping[str, object] | None = None) -> None:
        super().__init__(messages)
        self.metadata: Mapping[str, object] = dict(metadata or {})

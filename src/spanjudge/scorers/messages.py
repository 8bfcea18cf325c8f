"""Reading what callers pass as input and output: the agent's shape where it is one, else its text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from spanjudge.conversation import AgentInput, AgentOutput, Message, ToolInvocation

_QUESTION_KEYS: Final = ("prompt", "question", "query", "text", "content", "input", "user")
_ANSWER_KEYS: Final = ("text", "content", "answer", "output", "response")
_DEPTH: Final = 6


def as_json(value: object) -> str:
    """Write a value as text: a string as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def agent_input(value: object) -> AgentInput | None:
    """Return the agent's input if ``value`` has that shape: messages, alone or as ``input_messages``."""
    if isinstance(value, AgentInput):
        return value
    inner = _field(value, "input_messages", "inputMessages")
    messages = _messages(value if inner is None else inner)
    return None if messages is None else AgentInput(messages)


def agent_output(value: object) -> AgentOutput | None:
    """Return the agent's output if ``value`` has that shape: a list of messages."""
    if isinstance(value, AgentOutput):
        return value
    messages = _messages(value)
    if messages is None:
        return None
    metadata = getattr(value, "metadata", None)
    return AgentOutput(messages, metadata if isinstance(metadata, Mapping) else None)


def question_of(value: object, depth: int = _DEPTH) -> str | None:
    """Return the user's question: the first user message with a text, or the text of a plain run."""
    agent = agent_input(value)
    if agent is not None:
        return next((each.content for each in agent.input_messages if each.role == "user" and each.content), None)
    nested = _field(value, "messages")
    if nested is not None and depth:
        return question_of(nested, depth - 1)
    return _plain(value, _QUESTION_KEYS, question_of, depth)


def answer_of(value: object, depth: int = _DEPTH) -> str | None:
    """Return the answer: the last assistant message with a text, or the text of a plain run."""
    agent = agent_output(value)
    if agent is not None:
        texts = [each.content for each in agent if each.role == "assistant" and each.content.strip()]
        return texts[-1] if texts else None
    nested = _field(value, "messages")
    if nested is not None and depth:
        return answer_of(nested, depth - 1)
    return _plain(value, _ANSWER_KEYS, answer_of, depth)


def tool_results(output: AgentOutput | None) -> list[str]:
    """Return the finished tool results of an output, as texts, in order."""
    invocations = [call for message in output or () for call in message.tool_invocations]
    return [as_json(call.result) for call in invocations if call.state == "result" and call.result is not None]


def _plain(value: object, keys: Sequence[str], read: Any, depth: int) -> str | None:
    if value is None or isinstance(value, str):
        return value
    for key in keys:
        inner = _field(value, key)
        if inner is not None and not callable(inner):
            if isinstance(inner, str):
                return inner
            return read(inner, depth - 1) if depth else None
    return None


def _field(value: object, *names: str) -> object:
    for name in names:
        found = value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
        if found is not None:
            return found
    return None


def _messages(value: object) -> list[Message] | None:
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)) or not value:
        return None
    messages = [_message(each) for each in value]
    return None if any(message is None for message in messages) else [each for each in messages if each is not None]


def _message(value: object) -> Message | None:
    if isinstance(value, Message):
        return value
    role = _field(value, "role")
    if not isinstance(role, str):
        return None
    content = _field(value, "content")
    metadata = _field(value, "metadata")
    calls = [*_invocations(value), *(_invocations(content) if isinstance(content, Mapping) else ())]
    if role == "tool" and not calls and content is not None:
        calls = [ToolInvocation(str(_field(value, "name") or ""), state="result", result=content)]
    return Message(role, _content_text(content), calls, metadata if isinstance(metadata, Mapping) else {})


def _content_text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        inner = content.get("content") or content.get("text")
        return inner if isinstance(inner, str) else _content_text(content.get("parts"))
    if isinstance(content, Sequence):
        texts = [_field(part, "text") for part in content if not isinstance(part, str)]
        texts = [part for part in content if isinstance(part, str)] or texts
        return next((text for text in reversed(texts) if isinstance(text, str)), "")
    return ""


def _invocations(holder: object) -> list[ToolInvocation]:
    listed = _field(holder, "tool_invocations", "toolInvocations")
    found = list(listed) if isinstance(listed, Sequence) and not isinstance(listed, str) else []
    parts = _field(holder, "parts")
    if not found and isinstance(parts, Sequence) and not isinstance(parts, str):
        found = [inner for part in parts if (inner := _field(part, "tool_invocation", "toolInvocation")) is not None]
    return [_invocation(each) for each in found]


def _invocation(value: object) -> ToolInvocation:
    if isinstance(value, ToolInvocation):
        return value
    result = _field(value, "result")
    state = _field(value, "state")
    finished = state == "result" or (state is None and result is not None)
    name = str(_field(value, "name", "tool_name", "toolName") or "")
    return ToolInvocation(name, _field(value, "args"), "result" if finished else "call", result)

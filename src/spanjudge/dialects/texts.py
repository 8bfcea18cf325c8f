"""The question in what an agent was given, and the answer in what it gave back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from spanjudge.dialects.decode import decode, is_prose, plain
from spanjudge.dialects.messages import last_text, messages_in

Record: TypeAlias = "Mapping[str, object]"

_MAX_DEPTH: Final = 4
_QUESTIONS: Final = (
    "question",
    "query",
    "query_str",
    "user_query",
    "user_question",
    "user_input",
    "user_message",
    "user_prompt",
    "user_msg",
    "task",
    "input",
    "inputs",
    "prompt",
    "message",
    "text",
    "content",
    "q",
    "goal",
    "request",
)
_CALLS: Final = ("kwargs", "args", "data", "payload", "body", "params", "arguments", "query_bundle", "variables")
_ANSWERS: Final = ("answer", "final_answer", "final_result", "final_output", "response", "output_text")
_LOOSE_ANSWERS: Final = (
    "output",
    "outputs",
    "result",
    "results",
    "text",
    "content",
    "message",
    "reply",
    "replies",
    "completion",
    "choices",
    "generations",
    "generated_text",
    "return_value",
    "return_values",
)
_DOCUMENT_NAMES: Final = frozenset({"id", "score", "metadata", "page_content"})
_CONVERSATIONS: Final = ("messages", "chat_messages", "conversation", "chat_history")


def asked(value: object, depth: int = 0) -> str | None:
    """Find what the user asked: a plain text, the last user message, or the field that is named so.

    Args:
        value: What an agent, a chain or a function was given, as text, structure or JSON.
        depth: How deep this value stands; below 4 levels nothing is looked for.

    >>> asked('{"args": [], "kwargs": {"question": "How long?", "k": 3}}')
    'How long?'
    """
    value = decode(value)
    if isinstance(value, str):
        return plain(value)
    if depth > _MAX_DEPTH:
        return None
    messages = messages_in(value)
    if messages:
        return last_text(messages, "user")
    if isinstance(value, Mapping):
        return _asked_in(_lower(value), depth)
    if isinstance(value, Sequence) and not isinstance(value, bytes) and value:
        return asked(value[0], depth + 1)
    return None


def _asked_in(record: Record, depth: int) -> str | None:
    for name in _CONVERSATIONS:
        found = last_text(messages_in(record.get(name)), "user")
        if found:
            return found
    for name in _QUESTIONS:
        if record.get(name) is not None and (found := asked(record[name], depth + 1)):
            return found
    for name in _CALLS:
        inner = decode(record.get(name))
        if isinstance(inner, Mapping):
            found = _asked_in(_lower(inner), depth + 1) or _asked_of_parts(inner)
            if found:
                return found
        elif inner is not None and (found := asked(inner, depth + 1)):
            return found
    return _single_text(record)


def _asked_of_parts(parts: Record) -> str | None:
    """Look through the inputs of a pipeline's components, the plainest name first."""
    records = [_lower(part) for part in parts.values() if isinstance(part, Mapping)]
    for name in _QUESTIONS:
        for record in records:
            found = plain(record.get(name))
            if found:
                return found
    return None


def answered(value: object, depth: int = 0) -> str | None:
    """Find the answer: a plain text, the last assistant message with text, or the field that is named so.

    Args:
        value: What an agent, a chain or a model gave back, as text, structure or JSON.
        depth: How deep this value stands; below 4 levels nothing is looked for.

    >>> answered('{"question": "How long?", "context": ["a"], "answer": "Two years."}')
    'Two years.'
    """
    value = decode(value)
    if isinstance(value, str):
        return plain(value)
    if depth > _MAX_DEPTH:
        return None
    messages = messages_in(value)
    if messages:
        return last_text(messages, "assistant")
    if isinstance(value, Mapping):
        return _answered_in(_lower(value), depth)
    if isinstance(value, Sequence) and not isinstance(value, bytes) and len(value) == 1 and not _is_document(value[0]):
        return answered(value[0], depth + 1)
    return None


def _is_document(value: object) -> bool:
    return isinstance(value, Mapping) and not _DOCUMENT_NAMES.isdisjoint(value)


def _answered_in(record: Record, depth: int) -> str | None:
    for name in _ANSWERS:
        # An answer may itself be JSON, as a model with a schema writes it.
        if record.get(name) is not None and (found := answered(record[name], depth + 1) or plain(record[name])):
            return found
    for name in _CONVERSATIONS:
        found = last_text(messages_in(record.get(name)), "assistant")
        if found:
            return found
    for name in _LOOSE_ANSWERS:
        if record.get(name) is not None and (found := answered(record[name], depth + 1)):
            return found
    return _single_text({name: item for name, item in record.items() if name not in _QUESTIONS})


def _single_text(record: Record) -> str | None:
    """The one text in a record of unknown names."""
    texts = [text for item in record.values() if (text := plain(item)) and decode(text) is text]
    return texts[0] if len(texts) == 1 and is_prose(texts[0]) else None


def _lower(record: Record) -> dict[str, object]:
    return {str(key).lower(): item for key, item in record.items()}

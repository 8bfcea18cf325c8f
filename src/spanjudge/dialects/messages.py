"""Messages in all the shapes that model APIs and frameworks give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from spanjudge.conversation import Message, ToolInvocation
from spanjudge.dialects.decode import REDACTED, decode, is_repr

Record: TypeAlias = "Mapping[str, object]"

MAX_MESSAGES: Final = 1_000
CALL_ID: Final = "tool_call_id"
CALL_IDS: Final = "tool_call_ids"
_MAX_DEPTH: Final = 4
_ROLES: Final = {
    "user": "user",
    "human": "user",
    "humanmessage": "user",
    "humanmessagechunk": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "aimessage": "assistant",
    "aimessagechunk": "assistant",
    "model": "assistant",
    "chatbot": "assistant",
    "bot": "assistant",
    "system": "system",
    "systemmessage": "system",
    "developer": "system",
    "tool": "tool",
    "toolmessage": "tool",
    "function": "tool",
    "functionmessage": "tool",
    "ipython": "tool",
}
_LISTS: Final = (
    "messages",
    "chat_messages",
    "input_messages",
    "output_messages",
    "message_history",
    "chat_history",
    "choices",
    "replies",
)
_ITEMS: Final = {"function_call": "assistant", "function_call_output": "tool", "message": "assistant"}
_TEXT_TYPES: Final = {"text", "input_text", "output_text", "refusal"}
_CALL_KEYS: Final = ("tool_call", "tool_use", "toolUse", "function_call", "functionCall")
_RESULT_KEYS: Final = (
    "tool_call_response",
    "tool_result",
    "tool_return",
    "toolResult",
    "function_response",
    "functionResponse",
    "server_tool_call_response",
    "tool_call_result",
)
_RESULTS: Final = ("response", "result", "results", "content", "output")
_SCHEMAS: Final = ("parameters", "inputSchema", "input_schema", "args_schema", "parameters_json_schema", "json_schema")
_NAMES: Final = ("name", "tool_name", "toolName")


def messages_in(value: object, depth: int = 0) -> tuple[Message, ...]:
    """Find the messages in a value.

    Args:
        value: A list of messages, one message, a record that holds them, or JSON of any of these.
        depth: How deep this value stands; below 4 levels nothing is looked for.
    """
    value = decode(value)
    if depth > _MAX_DEPTH:
        return ()
    if isinstance(value, Mapping):
        one = message_of(value)
        return (one,) if one else next(filter(None, (messages_in(value.get(name), depth + 1) for name in _LISTS)), ())
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        return ()
    if len(value) == 1 and not isinstance(value[0], Mapping):
        return messages_in(value[0], depth + 1)
    return tuple(one for item in value[:MAX_MESSAGES] if isinstance(item, Mapping) and (one := message_of(item)))


def last_text(messages: Sequence[Message], role: str) -> str | None:
    """Return the text of the last message of a role that has one."""
    for message in reversed(messages):
        if message.role == role and message.content.strip() and message.content.strip() != REDACTED:
            return message.content
    return None


def this_turn(messages: Sequence[Message]) -> Sequence[Message]:
    """Return what follows the last user message: what belongs to the present question."""
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role == "user":
            return messages[index + 1 :]
    return messages


def tells_error(result: object) -> bool:
    """Whether what a tool gave back is a message that says it failed."""
    for _ in range(_MAX_DEPTH):
        if not isinstance(result, Mapping):
            return False
        if result.get("status") == "error" and is_message({"type": result.get("type", "tool"), **result}):
            return True
        result = next((result[key] for key in ("output", "data", "kwargs") if key in result), None)
    return False


def is_message(item: Record) -> bool:
    """Whether a record is a message of a conversation, rather than anything else that has content."""
    inner = item.get("kwargs")
    if "lc" in item and isinstance(inner, Mapping):
        return is_message(inner)
    name = item.get("role", item.get("type"))
    bodies = ("content", "parts", "data", "kwargs", "tool_calls", "message")
    return isinstance(name, str) and name.lower() in _ROLES and any(key in item for key in bodies)


def is_tool_definition(item: Record) -> bool:
    """Whether a record tells of a tool that may be called."""
    inner = item.get("function")
    source = inner if isinstance(inner, Mapping) else item
    return "name" in source and any(isinstance(decode(source.get(key)), Mapping) for key in _SCHEMAS)


def message_of(item: Record, depth: int = 0) -> Message | None:
    """Read one message; None where the record is none."""
    inner = _inner(item)
    if inner is not None and depth < _MAX_DEPTH:
        found = message_of(inner, depth + 1)
        role = _role(item)
        if found is None and role and "content" in inner:
            found = message_of({**inner, "role": role}, depth + 1)
        return found
    kind = item.get("type")
    if kind == "file_search_call":
        return _searched(item)
    if isinstance(kind, str) and kind in _ITEMS and "role" not in item:
        return _api_item(item)
    role = _role(item)
    if not role or not any(key in item for key in ("content", "parts", "blocks", "contents", "tool_calls", "text")):
        return Message(role) if role and set(item) <= {"role", "name", CALL_ID} else None
    parts = next((item[key] for key in ("parts", "blocks", "contents", "content", "text") if item.get(key)), None)
    text, invocations, ids = _content(parts)
    calls, call_ids = _calls(item.get("tool_calls"))
    if role == "tool":
        if parts is not None and not invocations:
            results = _results_in(parts)
            invocations = [ToolInvocation(str(item.get("name") or ""), None, "result", each) for each in results]
            ids = [*[""] * (len(results) - 1), str(item.get(CALL_ID) or "")]
    elif invocations and not text and not calls and all(each.state == "result" for each in invocations):
        role = "tool" if role == "user" else role
    return Message(role, text, invocations + calls, {CALL_IDS: tuple(ids + call_ids)} if ids or call_ids else {})


def _results_in(parts: object) -> list[object]:
    """Take what a tool's message holds out of the records that some conventions put around each part.

    Where each part is a structure of its own, they are results of several calls, written as one message under the id of
    the last.
    """
    if not isinstance(parts, Sequence) or isinstance(parts, str | bytes):
        return [parts]
    inner = [part.get("message_content") if isinstance(part, Mapping) else None for part in parts]
    records = [each for each in inner if isinstance(each, Mapping)]
    if not records or len(records) < len(inner):
        return [parts]
    found = [decode(record.get("text")) for record in records]
    return found if all(isinstance(each, Mapping | list) for each in found) else [records]


def _inner(item: Record) -> Record | None:
    for key in ("message", "data", "kwargs"):
        inner = item.get(key)
        if isinstance(inner, Mapping) and (key == "message" or _role(item) or "lc" in item):
            return {**inner, "type": _class_name(item)} if key == "kwargs" and "type" not in inner else inner
    return None


def _class_name(item: Record) -> str:
    names = item.get("id")
    return str(names[-1]) if isinstance(names, Sequence) and not isinstance(names, str) and names else ""


def _role(item: Record) -> str | None:
    for key in ("role", "type"):
        name = item.get(key)
        if isinstance(name, str):
            role = _ROLES.get(name.lower())
            if role or key == "role":
                return role or (name.lower() if name else None)
    return None


def _api_item(item: Record) -> Message | None:
    call_id = str(item.get("call_id") or "")
    if item.get("type") == "function_call":
        call = ToolInvocation(str(item.get("name") or ""), decode(item.get("arguments")))
        return Message("assistant", "", [call], {CALL_IDS: (call_id,)})
    if item.get("type") == "function_call_output":
        result = item.get("output")
        text = result if isinstance(result, str) else ""
        return Message("tool", text, [ToolInvocation("", None, "result", result)], {CALL_IDS: (call_id,)})
    return message_of({**item, "role": "assistant"}) if "content" in item else None


def _searched(item: Record) -> Message:
    return Message("assistant", "", [_served("file_search", item)])


def _served(name: str, call: Record) -> ToolInvocation:
    """Read a search that the model's provider has run itself."""
    results = call.get("results")
    return ToolInvocation(name, call.get("queries"), "call" if results is None else "result", results)


def _calls(calls: object) -> tuple[list[ToolInvocation], list[str]]:
    found: list[ToolInvocation] = []
    ids: list[str] = []
    for item in calls if isinstance(calls, Sequence) and not isinstance(calls, str) else ():
        call = item.get("tool_call", item) if isinstance(item, Mapping) else None
        if not isinstance(call, Mapping):
            continue
        function = call.get("function")
        source = function if isinstance(function, Mapping) else call
        arguments = source.get("arguments", source.get("args", source.get("input")))
        found.append(ToolInvocation(str(source.get("name") or ""), decode(arguments)))
        ids.append(str(call.get("id") or ""))
    return found, ids


def _content(parts: object) -> tuple[str, list[ToolInvocation], list[str]]:
    if isinstance(parts, str):
        return ("" if is_repr(parts) else parts), [], []
    if isinstance(parts, Mapping):
        parts = [parts]
    texts: list[str] = []
    invocations: list[ToolInvocation] = []
    ids: list[str] = []
    for part in parts[:MAX_MESSAGES] if isinstance(parts, Sequence) and not isinstance(parts, bytes) else ():
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping):
            wrapped = part.get("message_content")
            piece = wrapped if isinstance(wrapped, Mapping) else part
            invocation, call_id = _invocation(piece)
            if invocation:
                invocations.append(invocation)
                ids.append(call_id)
            elif str(piece.get("type", "text")) in _TEXT_TYPES:
                text = piece.get("text", piece.get("content", piece.get("refusal")))
                texts.append(text if isinstance(text, str) else "")
    return "\n".join(text for text in texts if text), invocations, ids


def _invocation(part: Record) -> tuple[ToolInvocation | None, str]:
    kind = str(part.get("type")).replace("-", "_")
    for key in _CALL_KEYS:
        body = part.get(key)
        if kind == key or isinstance(body, Mapping):
            source = body if isinstance(body, Mapping) else part
            arguments = source.get("arguments", source.get("args", source.get("input")))
            return ToolInvocation(_name(source), decode(arguments)), _call_id(source)
    server = part.get("server_tool_call")
    if isinstance(server, Mapping):
        return _served(str(part.get("name") or server.get("type") or ""), server), _call_id(part)
    for key in _RESULT_KEYS:
        body = part.get(key)
        if kind == key or body is not None:
            source = body if isinstance(body, Mapping) and "type" not in body else part
            result = next((source[name] for name in _RESULTS if source.get(name) is not None), None)
            origin = source.get("origin")
            caller = origin if isinstance(origin, Mapping) else source
            return ToolInvocation(_name(caller), None, "result", result), _call_id(caller)
    return None, ""


def _name(source: Record) -> str:
    return str(next((source[key] for key in _NAMES if source.get(key)), ""))


def _call_id(source: Record) -> str:
    names = ("id", "toolUseId", "tool_use_id", "toolCallId", CALL_ID)
    return str(next((source[name] for name in names if source.get(name)), ""))

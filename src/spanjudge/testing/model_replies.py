"""What a scripted model says: replies as data, and the forms that the OpenAI protocol gives them."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

Json: TypeAlias = "dict[str, object]"

_DIMENSIONS = 64
_CREATED = 1_700_000_000
_DEPTH = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A chat reply in full.

    ``usage`` replaces the token counts (None: the server counts words; an empty mapping: no usage is told).
    ``tool_calls`` are OpenAI's objects, ``{"id", "type", "function": {"name", "arguments"}}``.
    """

    content: str | None = None
    finish_reason: str = "stop"
    refusal: str | None = None
    tool_calls: Sequence[Mapping[str, object]] = ()
    usage: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Status:
    """An error reply: HTTP status, the error's code and message, and headers such as ``Retry-After``."""

    status: int
    code: str | None = None
    message: str = "scripted error"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hang:
    """No reply at all, until the client goes away or the server stops."""


@dataclass(frozen=True, slots=True)
class Disconnect:
    """The connection is closed without a reply."""


@dataclass(frozen=True, slots=True)
class Slow:
    """A reply that comes after so many seconds."""

    seconds: float
    reply: ModelReply = ""


ModelReply: TypeAlias = "str | Mapping[str, object] | Sequence[object] | Completion | Status | Hang | Disconnect | Slow"
ModelReplies: TypeAlias = "Sequence[ModelReply] | Callable[[Json], ModelReply]"


def as_completion(reply: str | Mapping[str, object] | Sequence[object] | Completion) -> Completion:
    """Take text as it is and anything else as the JSON that the model writes."""
    if isinstance(reply, Completion):
        return reply
    return Completion(content=reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False))


def answer_by_schema(schema: Mapping[str, object], *, items: int = 1, text: str = "text") -> object:
    """Build the plainest value that a JSON schema allows.

    Lists get ``items`` entries, integers inside them count up from 0, enumerations take their first word.

    Args:
        schema: JSON schema; ``$ref`` into its own ``$defs`` is followed.
        items: Length of every list.
        text: Value of every string.

    >>> answer_by_schema({"type": "object", "properties": {"claims": {"type": "array", "items": {"type": "string"}}}})
    {'claims': ['text']}
    """
    return _answer(schema, schema, items, text, 0, _DEPTH)


def _answer(
    schema: Mapping[str, object], root: Mapping[str, object], items: int, text: str, place: int, depth: int
) -> object:
    schema = _resolve(schema, root)
    if depth == 0:
        return None
    if "const" in schema:
        return schema["const"]
    if words := cast("Sequence[object]", schema.get("enum", ())):
        return words[0]
    kind = schema.get("type")
    if kind == "object":
        properties = cast("Mapping[str, Mapping[str, object]]", schema.get("properties", {}))
        return {name: _answer(part, root, items, text, place, depth - 1) for name, part in properties.items()}
    if kind == "array":
        part = cast("Mapping[str, object]", schema.get("items", {}))
        return [_answer(part, root, items, text, index, depth - 1) for index in range(items)]
    return {"string": text, "integer": place, "number": float(place), "boolean": True}.get(str(kind))


def _resolve(schema: Mapping[str, object], root: Mapping[str, object]) -> Mapping[str, object]:
    definitions = cast("Mapping[str, Mapping[str, object]]", root.get("$defs", {}))
    for _ in range(_DEPTH):
        options = [option for key in ("anyOf", "oneOf", "allOf") for option in cast("list[Json]", schema.get(key, []))]
        if options:
            schema = options[0]
        elif "$ref" in schema:
            schema = definitions.get(str(schema["$ref"]).rsplit("/", 1)[-1], {})
        else:
            break
    return schema


def embed(text: str) -> list[float]:
    """Hash a text's words to a unit vector, so that texts that share words are near each other."""
    vector = [0.0] * _DIMENSIONS
    for word in re.findall(r"\w+", text.lower()) or [text]:
        digest = hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()
        vector[digest[0] % _DIMENSIONS] += 1.0 if digest[1] % 2 else -1.0
    length = math.sqrt(sum(value * value for value in vector))
    return [value / length for value in vector] if length else [1.0] + [0.0] * (_DIMENSIONS - 1)


def completion_json(completion: Completion, request: Json) -> Json:
    """Write a reply as the body of ``/v1/chat/completions``."""
    message: Json = {"role": "assistant", "content": completion.content}
    if completion.refusal is not None:
        message["refusal"] = completion.refusal
    if completion.tool_calls:
        message["tool_calls"] = list(completion.tool_calls)
    body = _head("chat.completion", request)
    body["choices"] = [{"index": 0, "message": message, "finish_reason": completion.finish_reason, "logprobs": None}]
    if usage := usage_json(completion, request):
        body["usage"] = usage
    return body


def completion_events(completion: Completion, request: Json) -> Iterator[str]:
    """Write a reply as the events of a streamed ``/v1/chat/completions``, word by word."""
    deltas: list[Json] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": part} for part in re.findall(r"\S+\s*|\s+", completion.content or "")]
    if completion.refusal is not None:
        deltas.append({"refusal": completion.refusal})
    if completion.tool_calls:
        calls = [{"index": index, **call} for index, call in enumerate(completion.tool_calls)]
        deltas.append({"tool_calls": calls})
    for delta in deltas:
        yield _event({**_head("chat.completion.chunk", request), "choices": [_choice(delta, None)]})
    last = {**_head("chat.completion.chunk", request), "choices": [_choice({}, completion.finish_reason)]}
    yield _event(last)
    options = request.get("stream_options")
    usage = usage_json(completion, request)
    if usage and isinstance(options, dict) and cast("Json", options).get("include_usage"):
        yield _event({**_head("chat.completion.chunk", request), "choices": [], "usage": usage})
    yield "data: [DONE]\n\n"


def embeddings_json(request: Json) -> Json:
    """Write the body of ``/v1/embeddings`` for texts or for lists of token numbers."""
    given = request.get("input", "")
    batch = cast("list[object]", given) if isinstance(given, list) else [given]
    if batch and all(isinstance(entry, int) for entry in batch):
        batch = [batch]
    vectors = [embed(_words(entry)) for entry in batch]
    packed = request.get("encoding_format") == "base64"
    data = [
        {"object": "embedding", "index": index, "embedding": _pack(vector) if packed else vector}
        for index, vector in enumerate(vectors)
    ]
    count = sum(len(_words(entry).split()) for entry in batch)
    usage = {"prompt_tokens": count, "total_tokens": count}
    return {"object": "list", "data": data, "model": str(request.get("model", "model")), "usage": usage}


def error_json(status: Status) -> Json:
    """Write an error reply's body."""
    return {"error": {"message": status.message, "type": "error", "param": None, "code": status.code}}


def usage_json(completion: Completion, request: Json) -> Json:
    """Return the scripted usage, or words counted as tokens."""
    if completion.usage is not None:
        return dict(completion.usage)
    given = len(json.dumps(request.get("messages", []), ensure_ascii=False).split())
    written = len((completion.content or "").split())
    return {
        "prompt_tokens": given,
        "completion_tokens": written,
        "total_tokens": given + written,
        "prompt_tokens_details": {"cached_tokens": 0},
    }


def _head(kind: str, request: Json) -> Json:
    return {"id": "chatcmpl-0", "object": kind, "created": _CREATED, "model": str(request.get("model", "model"))}


def _choice(delta: Json, finish_reason: str | None) -> Json:
    return {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}


def _event(body: Json) -> str:
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n"


def _words(entry: object) -> str:
    return " ".join(map(str, cast("list[object]", entry))) if isinstance(entry, list) else str(entry)


def _pack(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode("ascii")

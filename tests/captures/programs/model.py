"""A model on this machine: speaks the OpenAI protocol, calls the tools and gives the answers that it is told to."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import math
import struct
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Call:
    name: str
    arguments: Json


@dataclass(frozen=True)
class Plan:
    """What to do for a question: rounds of tool calls (an empty round is an error), then the answer."""

    question: str
    answer: str
    rounds: tuple[tuple[Call, ...], ...] = ()
    fails: bool = False


class Model:
    """The server. A request is matched by the longest planned question in its user messages."""

    def __init__(self) -> None:
        self.plans: list[Plan] = []
        self.rules: list[tuple[str, str]] = []
        self._numbers = itertools.count(1)
        model = self

        class Handler(_Handler):
            owner = model

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()

    def tell(self, *plans: Plan) -> None:
        self.plans.extend(plans)

    def say(self, sign: str, reply: str) -> None:
        """Answer requests whose text has the sign with this reply."""
        self.rules.append((sign, reply))

    def forget(self) -> None:
        self.plans.clear()
        self.rules.clear()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def number(self) -> int:
        return next(self._numbers)

    def reply(self, body: Json) -> tuple[str | None, list[Call]] | None:
        messages = [(message.get("role"), _text(message.get("content"))) for message in body["messages"]]
        whole = "\n".join(text for _, text in messages)
        for sign, reply in self.rules:
            if sign in whole:
                return reply, []
        best: tuple[int, int, Plan] | None = None
        for place, (role, text) in enumerate(messages):
            for plan in self.plans:
                if role == "user" and plan.question in text:
                    rank = (place, len(plan.question), plan)
                    best = rank if best is None or rank[:2] >= best[:2] else best
        if best is None:
            return "I do not know.", []
        place, _, plan = best
        if plan.fails:
            return None
        done = sum(role == "assistant" for role, _ in messages[place + 1 :])
        if done < len(plan.rounds) and body.get("tools"):
            return None if not plan.rounds[done] else (None, list(plan.rounds[done]))
        return plan.answer, []


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: Model

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
        if self.path.endswith("/embeddings"):
            self._send(200, "application/json", json.dumps(_embeddings(body)).encode())
            return
        reply = self.owner.reply(body)
        if reply is None:
            error = {"error": {"message": "the model is overloaded", "type": "server_error", "code": "overloaded"}}
            self._send(400, "application/json", json.dumps(error).encode())
            return
        number = self.owner.number()
        head = {"id": f"chatcmpl-{number:06d}", "created": int(time.time()), "model": body.get("model", "stub-model")}
        text, calls = reply
        tools = [
            {
                "id": f"call_{number:04d}_{place}",
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
            }
            for place, call in enumerate(calls)
        ]
        end = "tool_calls" if tools else "stop"
        usage = {"prompt_tokens": 40 + number, "completion_tokens": 10, "total_tokens": 50 + number}
        if body.get("stream"):
            events = "".join(_events(head, text, tools, end, usage if body.get("stream_options") else None))
            self._send(200, "text/event-stream", events.encode())
            return
        message: Json = {"role": "assistant", "content": text}
        if tools:
            message["tool_calls"] = tools
        choice = {"index": 0, "message": message, "finish_reason": end, "logprobs": None}
        whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
        self._send(200, "application/json", json.dumps(whole, ensure_ascii=False).encode())

    def _send(self, status: int, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _events(head: Json, text: str | None, tools: list[Json], end: str, usage: Json | None) -> Iterator[str]:
    deltas: list[Json] = [{"role": "assistant", "content": "" if text else None}]
    deltas += [{"content": text[at : at + 7]} for at in range(0, len(text or ""), 7)] if text else []
    deltas += [{"tool_calls": [{"index": index, **tool}]} for index, tool in enumerate(tools)]
    for delta in deltas:
        choice = {"index": 0, "delta": delta, "finish_reason": None}
        yield _event({**head, "object": "chat.completion.chunk", "choices": [choice]})
    choice = {"index": 0, "delta": {}, "finish_reason": end}
    yield _event({**head, "object": "chat.completion.chunk", "choices": [choice]})
    if usage:
        yield _event({**head, "object": "chat.completion.chunk", "choices": [], "usage": usage})
    yield "data: [DONE]\n\n"


def _event(body: Json) -> str:
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n"


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content)
    return str(content or "")


def embed(text: str, size: int = 8) -> list[float]:
    vector = [0.01] * size
    for word in text.lower().split():
        digest = hashlib.sha256(word.encode()).digest()
        vector[digest[0] % size] += 1.0 if digest[1] % 2 else -1.0
    length = math.sqrt(sum(value * value for value in vector))
    return [round(value / length, 6) for value in vector]


def _embeddings(body: Json) -> Json:
    given = body["input"] if isinstance(body["input"], list) else [body["input"]]
    data: list[Json] = []
    for index, entry in enumerate(given):
        vector: Any = embed(str(entry))
        if body.get("encoding_format") == "base64":
            vector = base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode("ascii")
        data.append({"object": "embedding", "index": index, "embedding": vector})
    usage = {"prompt_tokens": 5, "total_tokens": 5}
    return {"object": "list", "data": data, "model": body.get("model"), "usage": usage}

"""A model on this machine: a real HTTP server that speaks the OpenAI protocol and says what a test tells it to."""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections import deque
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from spanjudge.testing.model_replies import (
    Completion,
    Disconnect,
    Hang,
    Json,
    ModelReplies,
    ModelReply,
    Slow,
    Status,
    answer_by_schema,
    as_completion,
    completion_events,
    completion_json,
    embeddings_json,
    error_json,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType

    from typing_extensions import Self

__all__ = [
    "Completion",
    "Disconnect",
    "Hang",
    "ModelReplies",
    "ModelReply",
    "ModelRequest",
    "ModelServer",
    "Slow",
    "Status",
    "answer_by_schema",
]

ResponseFormat: TypeAlias = Literal["json_schema", "json_object"]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request that the server received: its path, headers (lower-case names) and JSON body."""

    path: str
    body: Json
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def response_format(self) -> str | None:
        """The asked-for format's type, None for plain text."""
        asked = self.body.get("response_format")
        return str(cast("Json", asked).get("type")) if isinstance(asked, dict) else None

    def text(self, role: str = "user") -> str:
        """Join the texts of all messages of a role."""
        messages = cast("list[Json]", self.body.get("messages", []))
        return "\n".join(_text(message.get("content")) for message in messages if message.get("role") == role)


class ModelServer:
    """A stand-in for a model provider, for tests and examples.

    ``/v1/chat/completions`` (plain and streamed) answers with the scripted replies in order, or with what the
    function says; when the script has run out or there is none, a request with a JSON schema is answered by the
    schema, and any other with ``text``. ``/v1/embeddings`` is deterministic: texts that share words are near.

    Args:
        replies: Replies in order, or a function of the request's JSON body. A str is the model's text, a mapping
            or list the JSON that it writes; `Completion`, `Status`, `Hang`, `Disconnect` and `Slow` say more.
        text: What the model says to a request without a schema.
        items: Length of every list in answers by schema.
        rejects: Response formats that the server refuses with status 400.
        host: Address to listen on.
        port: Port to listen on; 0 takes a free one.

    >>> with ModelServer(["yes"]) as server:
    ...     server.url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(
        self,
        replies: ModelReplies = (),
        *,
        text: str = "I do not know.",
        items: int = 1,
        rejects: Iterable[ResponseFormat] = (),
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        self._function: Callable[[Json], ModelReply] | None = replies if callable(replies) else None
        self._script: deque[ModelReply] = deque(() if callable(replies) else replies)
        self._text = text
        self._items = items
        self._rejects = frozenset(rejects)
        self._requests: list[ModelRequest] = []
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._http = _HttpServer((host, port), self)
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, name="model-server", daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """Base address for OpenAI clients, ending in ``/v1``."""
        host, port = self._http.server_address[:2]
        return f"http://{host!s}:{port}/v1"

    @property
    def requests(self) -> list[ModelRequest]:
        """The requests so far, oldest first."""
        with self._lock:
            return list(self._requests)

    @property
    def connections(self) -> int:
        """How many connections clients have opened so far."""
        return self._http.accepted

    @property
    def open_connections(self) -> int:
        """How many connections are open now."""
        return len(self._http.open_sockets())

    @property
    def stopped(self) -> bool:
        """Whether the server has been stopped."""
        return self._stopped.is_set()

    def say(self, *replies: ModelReply) -> None:
        """Append replies to the script."""
        with self._lock:
            self._script.extend(replies)

    def stop(self) -> None:
        """Stop listening and close all connections; hanging requests end."""
        self._stopped.set()
        if self._thread.is_alive():
            self._http.shutdown()
            self._thread.join()
        self._http.server_close()
        for connection in self._http.open_sockets():
            _shut(connection)

    def wait(self, seconds: float | None = None) -> None:
        """Block until the server stops, or for so many seconds."""
        self._stopped.wait(seconds)

    def record(self, request: ModelRequest) -> None:
        """Keep a request (called by the HTTP side)."""
        with self._lock:
            self._requests.append(request)

    def reply_to(self, request: ModelRequest) -> ModelReply:
        """Choose the reply to a chat request."""
        asked = request.response_format
        if asked in self._rejects:
            return Status(400, "invalid_request_error", f"response_format of type {asked} is not supported")
        if self._function is not None:
            return self._function(request.body)
        with self._lock:
            if self._script:
                return self._script.popleft()
        if asked == "json_schema":
            part = cast("Json", cast("Json", request.body["response_format"]).get("json_schema", {}))
            value = answer_by_schema(cast("Json", part.get("schema", {})), items=self._items)
            return json.dumps(value, ensure_ascii=False)
        return self._text


class _HttpServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, address: tuple[str, int], model: ModelServer) -> None:
        self.model = model
        self.accepted = 0
        self._sockets: set[socket.socket] = set()
        self._guard = threading.Lock()
        super().__init__(address, _Handler)

    def open_sockets(self) -> list[socket.socket]:
        with self._guard:
            return list(self._sockets)

    def get_request(self) -> tuple[socket.socket, object]:
        connection, address = super().get_request()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self._guard:
            self.accepted += 1
            self._sockets.add(connection)
        return connection, address

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        with self._guard:
            self._sockets.discard(cast("socket.socket", request))
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that go away in the middle: some tests are about that."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def _model(self) -> ModelServer:
        return cast("_HttpServer", self.server).model

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Keep standard error for the test's own messages."""

    def do_GET(self) -> None:
        if self.path.endswith("/models"):
            self._send_json(200, {"object": "list", "data": [{"id": "model", "object": "model"}]})
        else:
            self._send_json(404, error_json(Status(404, "not_found", f"no such path: {self.path}")))

    def do_POST(self) -> None:
        try:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
        except ValueError:
            self._send_json(400, error_json(Status(400, "invalid_json", "the request's body is not JSON")))
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = ModelRequest(self.path, cast("Json", body), headers)
        self._model.record(request)
        if self.path.endswith("/embeddings"):
            self._send_json(200, embeddings_json(request.body))
        elif self.path.endswith("/chat/completions"):
            self._answer(self._model.reply_to(request), request)
        else:
            self._send_json(404, error_json(Status(404, "not_found", f"no such path: {self.path}")))

    def _answer(self, reply: ModelReply, request: ModelRequest) -> None:
        if isinstance(reply, Slow):
            self._model.wait(reply.seconds)
            self._answer(reply.reply, request)
        elif isinstance(reply, Hang | Disconnect):
            if isinstance(reply, Hang):
                self._wait_for_client()
            self.close_connection = True
            _shut(self.connection)
        elif isinstance(reply, Status):
            self._send_json(reply.status, error_json(reply), dict(reply.headers))
        elif request.body.get("stream"):
            events = "".join(completion_events(as_completion(reply), request.body))
            self._send(200, events.encode(), {"Content-Type": "text/event-stream"})
        else:
            self._send_json(200, completion_json(as_completion(reply), request.body))

    def _wait_for_client(self) -> None:
        """Wait till the client gives up (its end of the connection closes) or the server stops."""
        self.connection.settimeout(None)
        while not self._model.stopped and self.connection.recv(4096):
            continue

    def _send_json(self, status: int, body: Json, headers: dict[str, str] | None = None) -> None:
        data = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        self._send(status, data, {"Content-Type": "application/json", **(headers or {})})

    def _send(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self._headers_buffer: list[bytes]
        self._headers_buffer.extend((b"\r\n", data))
        self.flush_headers()


def _text(content: object) -> str:
    if isinstance(content, list):
        parts = cast("list[Json]", content)
        return "\n".join(str(part.get("text", "")) for part in parts)
    return "" if content is None else str(content)


def _shut(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:  # the client was faster
        return

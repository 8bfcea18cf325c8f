"""Finished spans and log records as OTLP/JSON: hex ids, enums as numbers, nothing of the machine that ran them."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict
from opentelemetry.exporter.otlp.proto.common._log_encoder import encode_logs
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

Json = dict[str, Any]
_IDS = ("traceId", "spanId", "parentSpanId")
_SCRUBBED = ("code.", "process.", "host.", "thread.", "os.")
_HERE = str(Path(__file__).resolve().parent)


def traces_json(spans: Sequence[Any]) -> Json:
    return _dict(encode_spans(spans))


def logs_json(records: Sequence[Any]) -> Json:
    return _dict(encode_logs(records))


def merge(requests: Iterable[Json]) -> Json:
    """Put export requests together, one entry for each resource and scope."""
    whole: Json = {}
    for kind, scopes, items in (
        ("resourceSpans", "scopeSpans", "spans"),
        ("resourceLogs", "scopeLogs", "logRecords"),
    ):
        resources: dict[str, Json] = {}
        for resource in [each for request in requests for each in request.get(kind, ())]:
            known = resources.setdefault(
                json.dumps(resource.get("resource"), sort_keys=True), {"resource": resource.get("resource"), scopes: []}
            )
            for part in resource[scopes]:
                same = [each for each in known[scopes] if each.get("scope") == part.get("scope")]
                if same:
                    same[0][items] += part[items]
                else:
                    known[scopes].append(part)
        if resources:
            whole[kind] = list(resources.values())
    return whole


def spans_of(request: Json) -> Iterator[Json]:
    for resource in request.get("resourceSpans", ()):
        for scope in resource["scopeSpans"]:
            yield from scope["spans"]


def scrub(request: Json) -> Json:
    """Take out what tells of the machine: attributes about code, process and host, and paths in stack traces."""
    text = json.dumps(request, ensure_ascii=False)
    paths = {sys.prefix, sys.base_prefix, _HERE, str(Path.home()), os.environ.get("CAPTURE_NODE", sys.prefix)}
    for path in sorted(paths, key=len, reverse=True):
        text = text.replace(path, "")
    text = re.sub(r"/?lib/python3\.\d+/site-packages/", "", text)
    cleaned: Json = json.loads(text)
    return _without(cleaned)


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without(part) for key, part in value.items()}
    if isinstance(value, list):
        kept = [
            part for part in value if not (isinstance(part, dict) and str(part.get("key", "")).startswith(_SCRUBBED))
        ]
        return [_without(part) for part in kept]
    return value


def _dict(message: Any) -> Json:
    whole: Json = MessageToDict(message, use_integers_for_enums=True)
    return _hex(whole)


def _hex(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: base64.b64decode(part).hex() if key in _IDS and isinstance(part, str) else _hex(part)
            for key, part in value.items()
        }
    return [_hex(part) for part in value] if isinstance(value, list) else value


class Receiver:
    """An OTLP/HTTP receiver (protobuf and JSON) for programs that export by themselves."""

    def __init__(self) -> None:
        self.requests: list[Json] = []
        requests = self.requests

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
                pass

            def do_POST(self) -> None:
                body = self._body()
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                if "json" in self.headers.get("Content-Type", ""):
                    requests.append(json.loads(body))
                else:
                    kind = ExportLogsServiceRequest if "logs" in self.path else ExportTraceServiceRequest
                    requests.append(_dict(kind.FromString(body)))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def _body(self) -> bytes:
                if self.headers.get("Transfer-Encoding") != "chunked":
                    return self.rfile.read(int(self.headers.get("Content-Length", "0")))
                body = b""
                while size := int(self.rfile.readline(), 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
                return body

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()

    def take(self) -> list[Json]:
        taken = list(self.requests)
        self.requests.clear()
        return taken

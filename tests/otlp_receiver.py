"""A small OTLP/HTTP receiver on this machine, which keeps what it is sent and answers as a test says."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

REQUESTS: Mapping[str, Any] = {
    "/v1/traces": ExportTraceServiceRequest,
    "/v1/logs": ExportLogsServiceRequest,
    "/v1/metrics": ExportMetricsServiceRequest,
}


@dataclass
class Receiver:
    """``received`` are the decoded requests by path, ``headers`` those of the last one."""

    url: str = ""
    received: dict[str, list[Any]] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    def spans(self) -> list[Any]:
        groups = [group for request in self.received["/v1/traces"] for group in request.resource_spans]
        return [span for group in groups for scope in group.scope_spans for span in scope.spans]


@contextmanager
def receiver(
    statuses: Mapping[str, int] | None = None, replies: Mapping[str, bytes] | None = None
) -> Iterator[Receiver]:
    """Run a receiver; ``statuses`` and ``replies`` are by path, 200 and nothing where not given."""
    found = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                data = gzip.decompress(data)
            found.headers = {name.lower(): value for name, value in self.headers.items()}
            found.received.setdefault(self.path, []).append(REQUESTS[self.path].FromString(data))
            body = (replies or {}).get(self.path, b"")
            self.send_response((statuses or {}).get(self.path, 200))
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            """Keep standard error for the test's own messages."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    found.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

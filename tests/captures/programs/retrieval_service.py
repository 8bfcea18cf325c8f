"""The second process: a retrieval service with its own resource, which joins the caller's trace."""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

import requests
from langchain_parts import Knowledge
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry import context, propagate
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import SpanKind


class _Sender(SpanExporter):
    def __init__(self, url: str) -> None:
        self._url = url

    def export(self, spans: tuple[ReadableSpan, ...]) -> SpanExportResult:  # type: ignore[override]
        data = encode_spans(spans).SerializeToString()
        requests.post(self._url, data, headers={"Content-Type": "application/x-protobuf"}, timeout=5)
        return SpanExportResult.SUCCESS


def main(url: str) -> None:
    """Serve until told to stop; the address is the first line of output."""
    provider = TracerProvider(resource=Resource.create({"service.name": "retrieval"}))
    provider.add_span_processor(SimpleSpanProcessor(_Sender(url)))
    LangChainInstrumentor().instrument(tracer_provider=provider)
    tracer = provider.get_tracer("retrieval-service")

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            pass

        def do_POST(self) -> None:
            query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["query"]
            token = context.attach(propagate.extract({name.lower(): value for name, value in self.headers.items()}))
            with tracer.start_as_current_span("POST /search", kind=SpanKind.SERVER):
                found = Knowledge().invoke(query)
            context.detach(token)
            data = json.dumps(
                [{"id": each.id, "page_content": each.page_content, "metadata": each.metadata} for each in found]
            ).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = HTTPServer(("127.0.0.1", 0), Handler)
    sys.stdout.write(f"http://127.0.0.1:{server.server_address[1]}/search\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    import os

    main(os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"])

"""The ordinary OpenTelemetry SDK: spans kept in memory to show, and all signals sent where a Collector is named."""

from __future__ import annotations

import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from spanjudge.errors import InputError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor

SERVICE: Final = "spanjudge-demo"
PROBE_S: Final = 5.0
_LOCKED: Final = (401, 403)
# All spans of the demo fit, so that a slow Collector loses none.
QUEUE: Final = 8192


@dataclass(frozen=True)
class Telemetry:
    """The three providers, and where spans are kept."""

    tracers: TracerProvider
    meters: MeterProvider
    loggers: LoggerProvider
    kept: InMemorySpanExporter = field(default_factory=InMemorySpanExporter)

    def spans(self) -> tuple[ReadableSpan, ...]:
        """Return all spans that have ended."""
        return self.kept.get_finished_spans()

    def add(self, judging: SpanProcessor, collector: str | None) -> None:
        """Add the processors: the judging one first, so that its spans still go out at the end."""
        self.tracers.add_span_processor(judging)
        self.tracers.add_span_processor(SimpleSpanProcessor(self.kept))
        if collector is not None:
            sender = OTLPSpanExporter(endpoint=_signal(collector, "traces"))
            self.tracers.add_span_processor(BatchSpanProcessor(sender, max_queue_size=QUEUE))

    def shutdown(self) -> None:
        """Send what is left, and stop."""
        self.tracers.shutdown()
        self.loggers.shutdown()
        self.meters.shutdown()


def telemetry(collector: str | None = None) -> Telemetry:
    """Set the SDK up, apart from any global one.

    Args:
        collector: Base URL of an OTLP/HTTP receiver, as ``http://localhost:4318``; None keeps all here.

    Raises:
        InputError: Where nothing takes OTLP at that URL.
    """
    resource = Resource.create({"service.name": SERVICE})
    if collector is None:
        return Telemetry(TracerProvider(resource=resource), MeterProvider(resource=resource), LoggerProvider(resource))
    _probe(collector)
    reader = PeriodicExportingMetricReader(OTLPMetricExporter(endpoint=_signal(collector, "metrics")))
    loggers = LoggerProvider(resource)
    loggers.add_log_record_processor(
        BatchLogRecordProcessor(OTLPLogExporter(endpoint=_signal(collector, "logs")), max_queue_size=QUEUE)
    )
    meters = MeterProvider(metric_readers=[reader], resource=resource)
    return Telemetry(TracerProvider(resource=resource), meters, loggers)


def _signal(collector: str, signal: str) -> str:
    return f"{collector.rstrip('/')}/v1/{signal}"


def _probe(collector: str) -> None:
    # An export request without spans is valid, and empty in protobuf.
    url = _signal(collector, "traces")
    advice = "give the base URL of an OTLP/HTTP receiver that runs, as http://localhost:4318"
    if not url.startswith(("http://", "https://")):
        message = f"{collector!r} (given as --otlp) is no http:// or https:// URL: {advice}."
        raise InputError(message)
    request = urllib.request.Request(  # noqa: S310 - the scheme was checked
        url, data=b"", headers={"Content-Type": "application/x-protobuf"}, method="POST"
    )
    try:
        urllib.request.urlopen(request, timeout=PROBE_S).close()  # noqa: S310 - the scheme was checked
    except (OSError, ValueError) as error:
        # The exporters bring the headers of OTEL_EXPORTER_OTLP_HEADERS, the probe does not.
        if isinstance(error, urllib.error.HTTPError) and error.code in _LOCKED:
            return
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        message = f"Nothing takes OTLP at {url} (given as --otlp; {reason}): {advice}."
        raise InputError(message) from error

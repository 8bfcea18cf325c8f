"""Whether an OTLP/HTTP endpoint takes each signal: by the exporters that an application would use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import requests
from google.protobuf.message import DecodeError
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.sdk._logs.export import LogRecordExportResult
from opentelemetry.sdk.metrics.export import MetricExportResult
from opentelemetry.sdk.trace.export import SpanExportResult

from spanjudge.doctor.step import Step
from spanjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opentelemetry.sdk._logs import ReadableLogRecord
    from opentelemetry.sdk.metrics.export import MetricsData
    from opentelemetry.sdk.trace import ReadableSpan

    from spanjudge.doctor.step import StepName

TIMEOUT_S: Final = 5.0
_LOCKED: Final = frozenset({401, 403})
_NOT_HERE: Final = frozenset({404, 405})


@dataclass(frozen=True, slots=True)
class Emitted:
    """What came out of the marked trace, by signal."""

    spans: Sequence[ReadableSpan]
    logs: Sequence[ReadableLogRecord]
    metrics: MetricsData | None


@dataclass(slots=True)
class _Heard:
    """The endpoint's last reply."""

    status: int | None = None
    content: bytes = b""
    session: requests.Session = field(default_factory=requests.Session)

    def __post_init__(self) -> None:
        self.session.hooks["response"].append(self._hear)

    def _hear(self, response: requests.Response, *_: Any, **__: Any) -> None:
        self.status, self.content = response.status_code, response.content


def check_url(url: str) -> None:
    """Check that it is a base URL.

    Raises:
        InputError: Where it is none.
    """
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable:
        message = f"{url!r} (given as --otlp) is no http:// or https:// URL: give a base URL, as http://localhost:4318."
        raise InputError(message)


def deliver(url: str, emitted: Emitted) -> Iterator[Step]:
    """Export what was emitted, signal by signal, where anything answers there at all.

    Headers and certificates come from ``OTEL_EXPORTER_OTLP_*``.

    Args:
        url: Base URL of the receiver, checked.
        emitted: What to send.
    """
    base = url.rstrip("/")
    heard = _Heard()
    spans = OTLPSpanExporter(endpoint=f"{base}/v1/traces", timeout=TIMEOUT_S, session=heard.session)
    taken = spans.export(emitted.spans) is SpanExportResult.SUCCESS
    yield _step("otlp_traces", f"{base}/v1/traces", heard, len(emitted.spans), taken=taken)
    if not taken and heard.status is None:
        return
    heard = _Heard()
    logs = OTLPLogExporter(endpoint=f"{base}/v1/logs", timeout=TIMEOUT_S, session=heard.session)
    taken = logs.export(emitted.logs) is LogRecordExportResult.SUCCESS
    yield _step("otlp_logs", f"{base}/v1/logs", heard, len(emitted.logs), taken=taken)
    heard = _Heard()
    metrics = OTLPMetricExporter(endpoint=f"{base}/v1/metrics", timeout=TIMEOUT_S, session=heard.session)
    taken = emitted.metrics is not None and metrics.export(emitted.metrics) is MetricExportResult.SUCCESS
    yield _step("otlp_metrics", f"{base}/v1/metrics", heard, _points(emitted.metrics), taken=taken)


def _step(name: StepName, url: str, heard: _Heard, number: int, *, taken: bool) -> Step:
    where, status = _without_secrets(url), heard.status
    facts = {"url": where, "status": status, "sent": number}
    if taken:
        rejected, message = _rejected(name, heard.content)
        facts["rejected"] = rejected
        if rejected:
            said = f"{where} took the request but rejected {rejected} of {number}"
            return Step(
                name, "lost", f"{said} ({message or 'it does not say why'})", "look at the receiver's log", facts
            )
        return Step(name, "ok", f"{where} took {number} {_WHAT[name]}", facts=facts)
    if status is None:
        said = f"nothing that speaks HTTP answers at {where} within {TIMEOUT_S:g} s"
        return Step(name, "lost", said, "start the receiver, or give its base URL, as http://localhost:4318", facts)
    said = f"{where} answered with status {status}"
    if status in _LOCKED:
        return Step(name, "lost", said, "set OTEL_EXPORTER_OTLP_HEADERS to the headers that it wants", facts)
    if status in _NOT_HERE:
        do = f"give the base URL of an OTLP/HTTP receiver that has a pipeline for {_SIGNAL[name]}"
        return Step(name, "lost", said, do, facts)
    return Step(name, "lost", said, "look at the receiver's log", facts)


_WHAT: Final[dict[str, str]] = {"otlp_traces": "spans", "otlp_logs": "log events", "otlp_metrics": "data points"}
_SIGNAL: Final[dict[str, str]] = {"otlp_traces": "traces", "otlp_logs": "logs", "otlp_metrics": "metrics"}


def _rejected(name: StepName, content: bytes) -> tuple[int, str]:
    """Read the partial success of a reply; one that is no protobuf tells of none."""
    try:
        if name == "otlp_traces":
            spans = ExportTraceServiceResponse.FromString(content).partial_success
            return spans.rejected_spans, spans.error_message
        if name == "otlp_logs":
            logs = ExportLogsServiceResponse.FromString(content).partial_success
            return logs.rejected_log_records, logs.error_message
        points = ExportMetricsServiceResponse.FromString(content).partial_success
    except DecodeError:
        return 0, ""
    return points.rejected_data_points, points.error_message


def _points(data: MetricsData | None) -> int:
    resources = data.resource_metrics if data else ()
    return sum(
        len(metric.data.data_points)
        for resource in resources
        for scope in resource.scope_metrics
        for metric in scope.metrics
    )


def _without_secrets(url: str) -> str:
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()

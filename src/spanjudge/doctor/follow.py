"""The marked trace on its way: sent through the SDK with our processor on it, and followed by what comes out."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader, NumberDataPoint
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from spanjudge import semconv
from spanjudge.doctor.marked import SCOPE, ForcedIds, send
from spanjudge.doctor.otlp import Emitted
from spanjudge.processor import JudgeSpanProcessor

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opentelemetry.sdk.metrics.export import MetricsData
    from opentelemetry.trace import SpanContext

    from spanjudge.doctor.marked import MarkedCall
    from spanjudge.model import Evaluation

SERVICE: Final = "spanjudge-doctor"


class _Kept:
    """A sink that keeps what it is given."""

    def __init__(self) -> None:
        self.evaluations: list[Evaluation] = []

    def emit(self, evaluation: Evaluation, /) -> None:
        self.evaluations.append(evaluation)


@dataclass(frozen=True, slots=True)
class Trail:
    """All that the marked trace left behind. ``in_time``: whether everything was judged within the time."""

    context: SpanContext
    emitted: Emitted
    evaluations: tuple[Evaluation, ...]
    in_time: bool
    timeout_s: float
    points: Mapping[str, Counter[tuple[tuple[str, object], ...]]] = field(default_factory=dict)

    @property
    def trace_id(self) -> str:
        """The marked trace's id."""
        return f"{self.context.trace_id:032x}"

    def count(self, metric: str) -> int:
        """Sum a counter, or a histogram's number, over all its points."""
        return sum(self.points.get(metric, Counter()).values())

    def by_label(self, metric: str, name: str) -> Counter[object]:
        """Count a metric by one label."""
        found: Counter[object] = Counter()
        for of, number in self.points.get(metric, Counter()).items():
            found[dict(of).get(name)] += number
        return found


def follow(call: MarkedCall, *, judge: str | None, golden: str | None, timeout_s: float) -> Trail:
    """Send a marked call and wait until it is judged.

    Args:
        call: What the call tells.
        judge: Name of the judge; None: as the processor resolves it.
        golden: Path of the golden set; None: likewise.
        timeout_s: Seconds to wait.

    Raises:
        InputError: Where the processor cannot be made with the settings.
    """
    kept = _Kept()
    reader, span_exporter = InMemoryMetricReader(), InMemorySpanExporter()
    log_exporter = InMemoryLogRecordExporter()  # type: ignore[no-untyped-call]
    resource = Resource.create({"service.name": SERVICE, semconv.DOCTOR_MARK: True})
    tracers = TracerProvider(resource=resource, id_generator=ForcedIds(), shutdown_on_exit=False)
    meters = MeterProvider(metric_readers=[reader], resource=resource, shutdown_on_exit=False)
    loggers = LoggerProvider(resource=resource, shutdown_on_exit=False)
    loggers.add_log_record_processor(SimpleLogRecordProcessor(log_exporter))
    processor = JudgeSpanProcessor(
        judge=judge,
        ground_truth=golden,
        sinks=(kept,),
        tracer_provider=tracers,
        meter_provider=meters,
        logger_provider=loggers,
    )
    tracers.add_span_processor(processor)
    tracers.add_span_processor(SimpleSpanProcessor(span_exporter))
    with _closing(tracers, meters, loggers):
        context = send(tracers.get_tracer(SCOPE), call)
        in_time = processor.force_flush(round(timeout_s * 1000))
        data = reader.get_metrics_data()
        emitted = Emitted(span_exporter.get_finished_spans(), log_exporter.get_finished_logs(), data)
    return Trail(context, emitted, tuple(kept.evaluations), in_time, timeout_s, _counted(data))


@contextmanager
def _closing(tracers: TracerProvider, meters: MeterProvider, loggers: LoggerProvider) -> Iterator[None]:
    try:
        yield
    finally:
        tracers.shutdown()
        loggers.shutdown()
        meters.shutdown()


def _counted(data: MetricsData | None) -> dict[str, Counter[tuple[tuple[str, object], ...]]]:
    found: dict[str, Counter[tuple[tuple[str, object], ...]]] = {}
    for resource in data.resource_metrics if data else ():
        for scope in resource.scope_metrics:
            for metric in scope.metrics:
                counter = found.setdefault(metric.name, Counter())
                for point in metric.data.data_points:
                    number = point.value if isinstance(point, NumberDataPoint) else point.count
                    counter[tuple(sorted((point.attributes or {}).items()))] += int(number)
    return found

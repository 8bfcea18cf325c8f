"""A real tracer provider with our processor on it, and every run that reaches a scorer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Tracer

from spanjudge.model import RagRun
from spanjudge.processor import JudgeSpanProcessor


@dataclass
class Watched:
    """What the application has, and what came of it."""

    provider: TracerProvider
    processor: JudgeSpanProcessor
    exporter: InMemorySpanExporter
    seen: list[RagRun] = field(default_factory=list)

    @property
    def tracer(self) -> Tracer:
        return self.provider.get_tracer("application")

    def runs(self) -> list[RagRun]:
        """Judge what is over, and return the runs in the order in which they began."""
        assert self.processor.force_flush()
        return sorted(self.seen, key=lambda run: run.started_ns)

    def decisions(self) -> dict[Any, int]:
        """How many runs were decided on, by decision and code."""
        return dict(self.processor._worker._pipeline._ledger.runs)

    def exported(self, name: str) -> ReadableSpan:
        (span,) = [span for span in self.exporter.get_finished_spans() if span.name == name]
        return span


@contextmanager
def watched(**options: Any) -> Iterator[Watched]:
    provider = TracerProvider(shutdown_on_exit=False, span_limits=options.pop("span_limits", None))
    exporter = InMemorySpanExporter()
    seen: list[RagRun] = []

    def look(run: RagRun) -> float:
        """Look at the run."""
        seen.append(run)
        return 1.0

    processor = JudgeSpanProcessor(
        **{
            "scorers": [look],
            "tracer_provider": provider,
            "meter_provider": MeterProvider(shutdown_on_exit=False),
            **options,
        }
    )
    provider.add_span_processor(processor)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    try:
        yield Watched(provider, processor, exporter, seen)
    finally:
        processor.shutdown()

"""What spanjudge adds to the cost of a span, start and end together, against processors that people know.

Usage: python benchmarks/span_cost.py [--spans 40000] [--rounds 7] [--check]

Each variant runs in a process of its own, as in an application that has just this processor; the variants take turns
within a round, so that a busy machine slows all of them alike. The figure is the CPU time of the thread that runs the
spans: what a request pays. Read the ratios to "no processor", medians over the rounds of each round's own ratio.
``--check`` fails where a ratio is over the design's bound.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING

os.environ["OTEL_PYTHON_SDK_INTERNAL_METRICS_ENABLED"] = "false"

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.version import __version__ as sdk_version

if TYPE_CHECKING:
    from collections.abc import Callable

DOCUMENTS = {f"retrieval.documents.{i}.document.content": f"{i}" + "d" * 499 for i in range(8)}
SHAPES: dict[str, dict[str, str | int]] = {
    "plain": {"http.request.method": "GET", "url.path": "/v1/things", "http.response.status_code": 200},
    "rag": {"openinference.span.kind": "CHAIN", "input.value": "q" * 100, "output.value": "a" * 400, **DOCUMENTS},
}
BURST = 50
BOUNDS = {"spanjudge, trace not taken": 1.10, "spanjudge, trace taken": 1.15}


class NoopExporter(SpanExporter):
    """Takes spans and does nothing."""

    def export(self, spans: object) -> SpanExportResult:
        """Take spans."""
        del spans
        return SpanExportResult.SUCCESS


def spanjudge(rate: float) -> SpanProcessor:
    """Our processor at a sampling rate, its inbox emptied by the loop below as its worker would.

    What is measured is the request's thread alone: the worker's own work is told by assembly_cost.py, and what requests
    feel of both by faulty_judge.py.
    """
    from spanjudge.processor import JudgeSpanProcessor  # noqa: PLC0415 - the other variants must not pay for it

    processor = JudgeSpanProcessor(sample_rate=rate)
    processor._inbox.open()  # noqa: SLF001 - as if the worker were there
    return processor


VARIANTS: dict[str, Callable[[], list[SpanProcessor]]] = {
    "no processor": list,
    "empty processor": lambda: [SpanProcessor()],
    "spanjudge, trace not taken": lambda: [spanjudge(0.0)],
    "spanjudge, trace taken": lambda: [spanjudge(1.0)],
    "BatchSpanProcessor, no-op exporter": lambda: [BatchSpanProcessor(NoopExporter())],
}


def measure(variant: str, shape: str, spans: int) -> float:
    """Return microseconds of CPU per span on the thread that runs them."""
    provider = TracerProvider(resource=Resource.create({"service.name": "bench"}), shutdown_on_exit=False)
    processors = VARIANTS[variant]()
    for processor in processors:
        provider.add_span_processor(processor)
    start_span, attributes = provider.get_tracer("bench").start_span, SHAPES[shape]

    waiting = next((getattr(each, "_spans", None) for each in processors), None)

    def loop(number: int) -> float:
        began = time.thread_time()
        for _ in range(number):
            start_span("op", attributes=attributes).end()
        return time.thread_time() - began

    loop(min(spans, 5_000))
    gc.collect()
    total = 0.0
    for _ in range(spans // BURST):
        total += loop(BURST)
        if waiting:
            waiting.clear()
    provider.shutdown()
    return total / (spans // BURST * BURST) * 1e6


def table(shape: str, rounds: int, spans: int) -> dict[str, tuple[float, float]]:
    """Return variant -> (median microseconds, median ratio to no processor)."""
    samples: dict[str, list[float]] = {name: [] for name in VARIANTS}
    for _ in range(rounds):
        for name in VARIANTS:
            command = [sys.executable, __file__, "--one", name, "--shape", shape, "--spans", str(spans)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            samples[name].append(json.loads(done.stdout.splitlines()[-1]))
    floor = samples["no processor"]
    return {
        name: (statistics.median(row), statistics.median(a / b for a, b in zip(row, floor, strict=True)))
        for name, row in samples.items()
    }


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spans", type=int, default=40_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--check", action="store_true", help="fail where a bound of the design is exceeded")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--shape", default="plain", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one, options.shape, options.spans)))
        return 0
    print(f"opentelemetry-sdk {sdk_version}, Python {platform.python_version()}, {options.spans} spans, ", end="")
    print(f"{options.rounds} rounds, {os.cpu_count()} cores; CPU of start and end together")
    print("| span | variant | µs (median) | ratio to no processor (median) | bound |\n|---|---|---:|---:|---:|")
    failed = False
    for shape in SHAPES:
        rows = table(shape, options.rounds, options.spans)
        dearest = rows["BatchSpanProcessor, no-op exporter"][1]
        for name, (micros, ratio) in rows.items():
            bound = BOUNDS.get(name)
            over = bound is not None and (ratio > bound or ratio > dearest)
            failed = failed or over
            print(f"| {shape} | {name} | {micros:.2f} | {ratio:.3f} | {bound or ''}{' exceeded' if over else ''} |")
    return 1 if options.check and failed else 0


if __name__ == "__main__":
    sys.exit(main())

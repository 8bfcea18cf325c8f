"""What assembly costs beside decoding: spans and runs a second on one core, and the bytes that an open trace holds.

Usage: python benchmarks/assembly_cost.py [--traces 200] [--rounds 5]

The traces are captured ones of real frameworks, each repeated under ids of its own with texts of its own. "In process"
takes starts and ends as the span processor gives them, by the traces' own clocks, many open at a time; "from a network"
takes ends alone. Both include reading the dialects, sorting spans into runs and building the runs; making records of
the SDK's spans is not included. The baseline is what any receiver of the same spans must do first: protobuf's decoding
of one export request per trace (its C implementation), alone, and with every attribute read into Python.
CPU time of this process, medians over rounds in which the variants take turns. Bytes are those that Python's allocator
counts for traces whose spans have all ended and which are not closed yet; "estimated" is what the bounds go by.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import platform
import statistics
import sys
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from google.protobuf.internal import api_implementation
from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from spanjudge.assembly import AssemblyLimits, OpenTraces
from spanjudge.model import RagRun
from spanjudge.sources.file import read_spans
from spanjudge.sources.values import clean_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spanjudge.sources.record import SpanRecord

CAPTURES = Path(__file__).parents[1] / "tests" / "captures"
SHAPES = {
    "LangChain chain": "openinference_langchain_lcel.json",
    "LangGraph agent": "openinference_langgraph_agent_tool_retriever.json",
    "LlamaIndex engine": "openinference_llamaindex_query_engine.json",
    "Pydantic AI agent": "pydantic_ai_native_vdefault.json",
    "OTel GenAI chain": "otel_genai_langchain_span_only_lcel.json",
}
# Seconds between the starts of two traces: with the linger of 1 s some dozens are open at a time.
APART = 0.05
BASE = "protobuf decoding"


def repeated(file: str, traces: int) -> list[list[SpanRecord]]:
    """Return a captured trace many times, each with a trace id and texts of its own in memory."""
    data = (CAPTURES / file).read_bytes()
    return [
        [replace(span, trace_id=f"{number:08x}{span.trace_id[8:]}") for span in read_spans(io.BytesIO(data))]
        for number in range(1, traces + 1)
    ]


def encoded(file: str, traces: int) -> list[bytes]:
    """Return one export request in protobuf for each trace."""
    request = json.loads((CAPTURES / file).read_text(encoding="utf-8"))
    made = []
    for number in range(1, traces + 1):
        message = ParseDict(_without_ids({"resourceSpans": request["resourceSpans"]}), ExportTraceServiceRequest())
        for span in _spans(message):
            span.trace_id = number.to_bytes(16, "big")
            span.span_id = span.parent_span_id = number.to_bytes(8, "big")
        made.append(message.SerializeToString())
    return made


def _without_ids(value: Any) -> Any:
    """Leave out ids, which OTLP/JSON writes in hex and protobuf's own JSON in base64."""
    if isinstance(value, dict):
        return {key: _without_ids(item) for key, item in value.items() if not key.endswith(("Id", "Ids"))}
    return [_without_ids(item) for item in value] if isinstance(value, list) else value


def _spans(message: ExportTraceServiceRequest) -> Iterator[Any]:
    for resource in message.resource_spans:
        for scope in resource.scope_spans:
            yield from scope.spans


def decoded(requests: list[bytes]) -> int:
    """Decode, and look at nothing."""
    for data in requests:
        ExportTraceServiceRequest.FromString(data)
    return 0


def decoded_and_read(requests: list[bytes]) -> int:
    """Decode, and read every attribute into Python."""
    for data in requests:
        for span in _spans(ExportTraceServiceRequest.FromString(data)):
            for pair in span.attributes:
                field = pair.value.WhichOneof("value")
                value = getattr(pair.value, field) if field else None
                clean_text(value) if isinstance(value, str) else value
    return 0


def history(traces: list[list[SpanRecord]]) -> list[tuple[float, bool, SpanRecord]]:
    """Starts and ends of all traces on one clock."""
    events = []
    for number, spans in enumerate(traces):
        first = min(span.start_ns for span in spans)
        for span in spans:
            start = replace(span, attributes={}, events=(), end_ns=0)
            events.append((number * APART + (span.start_ns - first) / 1e9, False, start))
            events.append((number * APART + (span.end_ns - first) / 1e9, True, span))
    return sorted(events, key=lambda event: event[:2])


def assembled(events: list[tuple[float, bool, SpanRecord]], limits: AssemblyLimits) -> int:
    """Feed starts and ends, take what is due, and return the number of runs."""
    traces, runs = OpenTraces(limits), 0
    for now, is_end, span in events:
        (traces.ended if is_end else traces.started)(span, now)
        deadline = traces.next_deadline()
        if deadline is not None and deadline <= now:
            runs += _count(traces.due(now))
    while (deadline := traces.next_deadline()) is not None:
        runs += _count(traces.due(deadline))
    return runs


def _count(closed: list[Any]) -> int:
    return sum(isinstance(each, RagRun) for each in closed)


def cpu(work: Callable[[], int]) -> tuple[float, int]:
    """Return seconds of CPU and what was counted."""
    gc.collect()
    began = time.process_time()
    counted = work()
    return time.process_time() - began, counted


def held(file: str, traces: int) -> tuple[float, float]:
    """Return bytes per open trace: allocated, and estimated by the assembly itself."""
    opened = OpenTraces(AssemblyLimits(max_total_bytes=1 << 40, max_traces=traces + 1))
    tracemalloc.start()
    for now, is_end, span in history(repeated(file, traces)):
        (opened.ended if is_end else opened.started)(span, now)
    gc.collect()
    allocated, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return allocated / traces, opened.bytes / traces


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--traces", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, protobuf {api_implementation.Type()}, ", end="")
    print(f"{options.traces} traces a shape, {options.rounds} rounds; one core")
    print("| trace | variant | µs per span | spans/s | runs/s | ratio to decoding | to decoding and reading |")
    print("|---|---|---:|---:|---:|---:|---:|")
    memory = []
    for shape, file in SHAPES.items():
        traces, requests = repeated(file, options.traces), encoded(file, options.traces)
        events = history(traces)
        ends = [event for event in events if event[1]]
        variants: dict[str, Callable[[], int]] = {
            BASE: lambda requests=requests: decoded(requests),
            "decoding, attributes read": lambda requests=requests: decoded_and_read(requests),
            "assembly, in process": lambda events=events: assembled(events, AssemblyLimits()),
            "assembly, from a network": lambda ends=ends: assembled(ends, AssemblyLimits(silence_s=10.0)),
        }
        rounds = [{name: cpu(work) for name, work in variants.items()} for _ in range(options.rounds)]
        spans = sum(map(len, traces))
        for name in variants:
            seconds = statistics.median(each[name][0] for each in rounds)
            runs = rounds[0][name][1]
            to_base, to_read = (
                statistics.median(each[name][0] / each[base][0] for each in rounds) for base in list(variants)[:2]
            )
            told = f"{runs / seconds:,.0f}" if runs else ""
            print(f"| {shape}, {spans // options.traces} spans | {name} | {seconds / spans * 1e6:.1f} ", end="")
            print(f"| {spans / seconds:,.0f} | {told} | {to_base:.1f} | {to_read:.1f} |")
        memory.append((shape, len(requests[0]), *held(file, options.traces)))
    print("\n| open trace | bytes on the wire | bytes held | estimated | held to wire |\n|---|---:|---:|---:|---:|")
    for shape, wire, allocated, estimated in memory:
        print(f"| {shape} | {wire:,} | {allocated:,.0f} | {estimated:,.0f} | {allocated / wire:.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

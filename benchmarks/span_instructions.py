"""Instructions that a span costs, start and end together, counted by valgrind: the same whatever else the machine does.

Usage: python benchmarks/span_instructions.py [--check]

Needs valgrind. Each variant runs twice, with few and with more spans; the difference is the spans' own. Our worker does
not run here: what is counted is what the request's thread does.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys

FEW, MORE = 500, 2500
VARIANTS = ("no processor", "empty processor", "spanjudge, trace not taken", "spanjudge, trace taken")
BOUNDS = {"spanjudge, trace not taken": 1.10, "spanjudge, trace taken": 1.15}


def spans(variant: str, shape: str, number: int) -> None:
    """Make ``number`` spans."""
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider  # noqa: PLC0415 - the parent must stay small
    from span_cost import SHAPES  # noqa: PLC0415

    provider = TracerProvider(shutdown_on_exit=False)
    waiting = None
    if variant == "empty processor":
        provider.add_span_processor(SpanProcessor())
    elif variant.startswith("spanjudge"):
        from spanjudge.processor import JudgeSpanProcessor  # noqa: PLC0415

        processor = JudgeSpanProcessor(sample_rate=0.0 if variant.endswith("not taken") else 1.0)
        processor._inbox.open()  # noqa: SLF001 - as if the worker were there
        waiting = processor._inbox.spans  # noqa: SLF001
        provider.add_span_processor(processor)
    start_span, attributes = provider.get_tracer("bench").start_span, SHAPES[shape]
    for place in range(number):
        start_span("op", attributes=attributes).end()
        if waiting and place % 100 == 0:
            waiting.clear()


def counted(variant: str, shape: str, number: int) -> int:
    """Return the instructions of a whole interpreter that makes ``number`` spans."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable, __file__]
    done = subprocess.run(
        [*command, "--one", variant, "--shape", shape, "--spans", str(number)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "0", "OTEL_PYTHON_SDK_INTERNAL_METRICS_ENABLED": "false"},
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None:
        message = f"valgrind told no count: {done.stderr[-500:]}"
        raise RuntimeError(message)
    return int(found.group(1))


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail where a bound of the design is exceeded")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--shape", default="plain", help=argparse.SUPPRESS)
    parser.add_argument("--spans", type=int, default=FEW, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        spans(options.one, options.shape, options.spans)
        return 0
    print(f"Python {platform.python_version()}, instructions per span, start and end together")
    print("| span | variant | instructions | ratio to no processor | bound |\n|---|---|---:|---:|---:|")
    failed = False
    for shape in ("plain", "rag"):
        floor = 0.0
        for variant in VARIANTS:
            per_span = (counted(variant, shape, MORE) - counted(variant, shape, FEW)) / (MORE - FEW)
            floor = floor or per_span
            bound = BOUNDS.get(variant)
            over = bound is not None and per_span / floor > bound
            failed = failed or over
            cells = f"{per_span:,.0f} | {per_span / floor:.3f} | {bound or ''}{' exceeded' if over else ''}"
            print(f"| {shape} | {variant} | {cells} |", flush=True)
    return 1 if options.check and failed else 0


if __name__ == "__main__":
    sys.exit(main())

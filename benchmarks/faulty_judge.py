"""What requests of an application feel of a judge that hangs, answers 500 or closes the connection.

Usage: python benchmarks/faulty_judge.py [--requests 3000] [--rounds 3]

Each variant is an application in a process of its own that serves requests one after another, each traced as a RAG
call of three spans and holding the processor for some milliseconds; the judge is a real HTTP server in another
process. All variants run in turn, several rounds. The first seconds, in which the client library is loaded, are left
out: load it before traffic comes where that matters. One variant stands twice, to show the noise. Read the columns
side by side: the same distribution means unharmed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from spanjudge.testing.model_server import Disconnect, Hang, ModelServer, Status

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

VARIANTS = (
    "without spanjudge",
    "without spanjudge, again",
    "judge answers",
    "judge hangs",
    "judge answers 500",
    "judge closes the connection",
)
WARM_UP_S = 8.0


def serve(variant: str, pipe: Connection) -> None:
    """Run the judge's server until the pipe is closed."""
    replies = {
        "judge hangs": lambda _: Hang(),
        "judge answers 500": lambda _: Status(500),
        "judge closes the connection": lambda _: Disconnect(),
    }.get(variant, ())
    with ModelServer(replies) as server:
        pipe.send(server.url)
        pipe.recv()


def application(variant: str, requests: int) -> list[float]:
    """Return the latencies of the requests in milliseconds."""
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - the parent is no application

    provider = TracerProvider()
    if not variant.startswith("without"):
        from spanjudge import JudgeSpanProcessor  # noqa: PLC0415
        from spanjudge.judge.litellm import LiteLLMJudge  # noqa: PLC0415

        url = os.environ["JUDGE_URL"]
        judge = LiteLLMJudge("openai/judge", api_base=url, api_key="none", timeout_s=2.0, max_attempts=2)
        provider.add_span_processor(JudgeSpanProcessor(judge=judge, tracer_provider=provider, shutdown_timeout_s=0.5))
    tracer = provider.get_tracer("application")
    kind, given, said = "openinference.span.kind", "input.value", "output.value"
    question, answer = "How long does the warranty last?", "It lasts 24 months."

    def request() -> float:
        began = time.perf_counter()
        with tracer.start_as_current_span("chain", attributes={kind: "CHAIN", given: question, said: answer}):
            document = {"retrieval.documents.0.document.content": "The warranty lasts 24 months."}
            with tracer.start_as_current_span("retrieve", attributes={kind: "RETRIEVER", given: question, **document}):
                sum(range(100_000))
            with tracer.start_as_current_span("llm", attributes={kind: "LLM", given: question, said: answer}):
                sum(range(100_000))
        return (time.perf_counter() - began) * 1e3

    request()
    until = time.perf_counter() + WARM_UP_S
    while time.perf_counter() < until:
        request()
        time.sleep(0.01)
    latencies = []
    for _ in range(requests):
        latencies.append(request())
        time.sleep(0.002)
    provider.shutdown()
    return latencies


def run(variant: str, requests: int) -> list[float]:
    """Run one application against its judge."""
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(variant, theirs), daemon=True)
    server.start()
    command = [sys.executable, __file__, "--one", variant, "--requests", str(requests)]
    environment = {**os.environ, "JUDGE_URL": ours.recv(), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    ours.send(None)
    server.join(5)
    server.kill()
    return [float(value) for value in json.loads(done.stdout.splitlines()[-1])]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(application(options.one, options.requests)))
        return 0
    samples: dict[str, list[list[float]]] = {variant: [] for variant in VARIANTS}
    for _ in range(options.rounds):
        for variant in VARIANTS:
            samples[variant].append(run(variant, options.requests))
    print(f"Python {platform.python_version()}, {options.requests} requests, {options.rounds} rounds, latency in ms:")
    print("median over the rounds, and least to greatest")
    print("| application | p50 | p90 | p99 | p99.9 |\n|---|---|---|---|---|")
    for variant, rounds in samples.items():
        cells = []
        for share in (0.5, 0.9, 0.99, 0.999):
            row = sorted(statistics.quantiles(values, n=1000)[round(share * 1000) - 1] for values in rounds)
            cells.append(f"{statistics.median(row):.2f} ({row[0]:.2f} to {row[-1]:.2f})")
        print(f"| {variant} | {' | '.join(cells)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

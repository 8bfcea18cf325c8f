"""A service that answers questions about Python, traced and judged; its retriever can be broken while it runs.

python manual_service.py COLLECTOR SERVICE (broken | works)

Prints the Unix time in nanoseconds at which it was broken, or would have been, and "done" when all questions have been
judged; then it stays, as a service does, until its input is closed.
"""

from __future__ import annotations

import random
import sys
import time

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from spanjudge import JudgeSpanProcessor
from spanjudge.demo.agent import ManualAgent
from spanjudge.demo.bm25 import Bm25
from spanjudge.demo.corpus import passages, read_topics
from spanjudge.demo.questions import Question, read_questions

BASELINE = 60
WORKING = 90
AFTER = 60
STEP = 10
LOST_HITS = 3


def main(collector: str, service: str, state: str) -> None:
    resource = Resource.create({"service.name": service, "service.version": "1.0"})
    reader = PeriodicExportingMetricReader(OTLPMetricExporter(f"{collector}/v1/metrics"), export_interval_millis=500)
    meters = MeterProvider([reader], resource=resource)
    provider = TracerProvider(resource=resource)
    questions = read_questions()
    processor = JudgeSpanProcessor(
        ground_truth={question.text: question.ground_truth for question in questions},
        tracer_provider=provider,
        meter_provider=meters,
        linger_s=0.0,
        baseline_runs=BASELINE,
    )
    provider.add_span_processor(processor)
    provider.add_span_processor(
        BatchSpanProcessor(OTLPSpanExporter(f"{collector}/v1/traces"), schedule_delay_millis=200)
    )
    agent = ManualAgent(provider.get_tracer(service), Bm25(passages(read_topics())))
    traffic = random.Random(7).choices(questions, k=WORKING + AFTER)
    serve(agent, processor, traffic[:WORKING])
    sys.stdout.write(f"{time.time_ns()}\n")
    sys.stdout.flush()
    agent.dropped_hits = LOST_HITS if state == "broken" else 0
    serve(agent, processor, traffic[WORKING:])
    sys.stdout.write("done\n")
    sys.stdout.flush()
    sys.stdin.read()
    provider.shutdown()
    meters.shutdown()


def serve(agent: ManualAgent, processor: JudgeSpanProcessor, questions: list[Question]) -> None:
    # In steps, so that counters are seen to grow.
    for begin in range(0, len(questions), STEP):
        for question in questions[begin : begin + STEP]:
            agent.ask(question.text)
        processor.force_flush()
        time.sleep(0.3)


if __name__ == "__main__":
    main(*sys.argv[1:4])

"""What every program here has: a handbook, a tracer provider, and an account of what became of its one question."""

from __future__ import annotations

import json
import logging
import sys
from dataclasses import dataclass, field
from logging.handlers import BufferingHandler

from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from spanjudge.assembly import capture_json
from spanjudge.testing import RecordingSink

QUESTION = "How long does the battery warranty last?"
REFERENCE = "The battery warranty lasts 24 months."
HANDBOOK = {
    "kb-1": "Our support desk is open on weekdays from 9 to 17.",
    "kb-2": "The warranty covers defects of the battery but no water damage.",
    "kb-3": "Returns are accepted within 30 days with a receipt.",
    "kb-4": "The battery warranty lasts 24 months from the date of purchase.",
}


@dataclass(frozen=True)
class Found:
    """A passage of the handbook."""

    id: str
    text: str
    score: float


def search(query: str) -> list[Found]:
    """Return the three passages that share the most words with the query, best first."""
    words = set(query.lower().strip("?").split())
    shared = {key: len(words & set(text.lower().strip(".").split())) for key, text in HANDBOOK.items()}
    best = sorted(HANDBOOK, key=lambda key: -shared[key])[:3]
    return [Found(key, HANDBOOK[key], shared[key] / len(words)) for key in best]


def search_handbook(query: str) -> str:
    """Search the handbook.

    Args:
        query: What to look for.
    """
    return json.dumps([vars(each) for each in search(query)])


@dataclass
class Stage:
    """Where a program runs; the address of the model's server is its first argument.

    `settings` let the test see what was captured; an application needs none of them but the ground truth.
    """

    url: str = field(default_factory=lambda: sys.argv[1])
    model: str = "stand-in"
    provider: TracerProvider = field(default_factory=lambda: TracerProvider(resource=Resource({"service.name": "app"})))
    captured: RecordingSink = field(default_factory=RecordingSink)
    spans: InMemorySpanExporter = field(default_factory=InMemorySpanExporter)
    log: BufferingHandler = field(default_factory=lambda: BufferingHandler(1_000))

    def __post_init__(self) -> None:
        logging.getLogger("spanjudge").addHandler(self.log)
        trace.set_tracer_provider(self.provider)
        self.provider.add_span_processor(SimpleSpanProcessor(self.spans))

    @property
    def settings(self) -> dict[str, object]:
        return {"ground_truth": {QUESTION: REFERENCE}, "sinks": [self.captured]}

    def tell(self, answer: object) -> None:
        """Print, as JSON, what the program knows of its question, what was captured of it, and the evaluation spans."""
        self.provider.force_flush()
        runs = {each.run.run_id: each.run for each in self.captured.evaluations}
        spans = self.spans.get_finished_spans()
        account = {
            "question": QUESTION,
            "contexts": [each.text for each in search(QUESTION)],
            "answer": str(answer),
            "runs": [capture_json(run) for run in runs.values()],
            "spans": [_told(span) for span in spans if not span.name.startswith("evaluate ")],
            "evaluations": [_told(span) for span in spans if span.name.startswith("evaluate ")],
        }
        self.provider.shutdown()
        account["complaints"] = [record.getMessage() for record in self.log.buffer]
        sys.stdout.write(json.dumps(account) + "\n")


def _told(span: ReadableSpan) -> dict[str, object]:
    context, parent = span.get_span_context(), span.parent
    return {
        "name": span.name,
        "trace_id": f"{context.trace_id:032x}" if context else None,
        "span_id": f"{context.span_id:016x}" if context else None,
        "parent_id": f"{parent.span_id:016x}" if parent else None,
        "links": [f"{link.context.span_id:016x}" for link in span.links],
        "attributes": {
            key: value for key, value in (span.attributes or {}).items() if "evaluat" in key or "judge" in key
        },
    }

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opentelemetry.sdk.trace import ReadableSpan, SpanLimits, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import NonRecordingSpan, SpanContext, SpanKind, TraceFlags, TraceState, set_span_in_context

from spanjudge.sources.sdk import to_record

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import Span

    from spanjudge.sources.record import SpanRecord


class Recorder(SpanProcessor):
    def __init__(self) -> None:
        self.started: list[SpanRecord] = []
        self.ended: list[SpanRecord] = []

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        del parent_context
        self.started.append(to_record(span))

    def on_end(self, span: ReadableSpan) -> None:
        self.ended.append(to_record(span))


def traced(limits: SpanLimits | None = None) -> tuple[Any, Recorder]:
    recorder = Recorder()
    provider = TracerProvider(span_limits=limits, sampler=ALWAYS_ON)
    provider.add_span_processor(recorder)
    return provider.get_tracer("lib", "1.2"), recorder


def test_ended_span_keeps_all_that_it_carries() -> None:
    tracer, recorder = traced()
    remote = SpanContext(5, 6, is_remote=True, trace_flags=TraceFlags(1), trace_state=TraceState([("a", "b")]))
    span = tracer.start_span(
        "call",
        set_span_in_context(NonRecordingSpan(remote)),
        kind=SpanKind.CLIENT,
        attributes={"text": "a", "list": ["x", "y"], "nested": [{"id": "k"}]},
    )
    span.add_event("exception", {"exception.type": "ValueError"}, timestamp=7)
    span.end()
    (record,) = recorder.ended
    assert (record.trace_id, record.parent_id, record.parent_is_remote) == (f"{5:032x}", f"{6:016x}", True)
    assert (record.name, record.kind, record.scope, record.scope_version) == ("call", 3, "lib", "1.2")
    assert record.attributes == {"text": "a", "list": ("x", "y"), "nested": ({"id": "k"},)}
    assert [(event.name, event.attributes["exception.type"], event.time_ns) for event in record.events] == [
        ("exception", "ValueError", 7)
    ]
    assert (record.sampled, record.trace_state) == (True, "a=b")
    assert 0 < record.start_ns <= record.end_ns


def test_started_span_has_no_end() -> None:
    tracer, recorder = traced()
    with tracer.start_as_current_span("outer", attributes={"a": 1}):
        (record,) = recorder.started
    assert (record.end_ns, record.parent_id, dict(record.attributes)) == (0, None, {"a": 1})


def test_error_and_dropped_attributes_are_told() -> None:
    tracer, recorder = traced(SpanLimits(max_span_attributes=2))
    try:
        with tracer.start_as_current_span("call") as span:
            for number in range(5):
                span.set_attribute(f"a{number}", number)
            raise ValueError  # noqa: TRY301
    except ValueError:
        pass
    (record,) = recorder.ended
    assert (record.error, record.dropped_attributes) == (True, 3)


def test_attributes_that_vanish_or_grow_while_they_are_read_do_no_harm() -> None:
    class Restless(dict[str, object]):
        tries = 0

        def __iter__(self) -> Any:
            Restless.tries += 1
            if Restless.tries < 3:
                message = "dictionary changed size during iteration"
                raise RuntimeError(message)
            return iter(["there", "gone"])

    context = SpanContext(1, 2, is_remote=False)
    span = ReadableSpan("odd", context, attributes=Restless(there=1))
    assert dict(to_record(span).attributes) == {"there": 1}


def test_values_of_odd_kinds_become_text() -> None:
    class Odd:
        def __str__(self) -> str:
            return "odd \ud800"

    span = ReadableSpan("odd", SpanContext(1, 2, is_remote=False), attributes={"a": Odd(), "b": {1, 2}})  # type: ignore[dict-item]
    assert to_record(span).attributes == {"a": "odd \ufffd", "b": "{1, 2}"}


def test_span_without_a_context_is_read_too() -> None:
    assert to_record(ReadableSpan("lost")).trace_id == "0" * 32

from __future__ import annotations

import asyncio

import opentelemetry.context
from opentelemetry import context, trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_ON

from spanjudge.judge.quiet import QUIET_TRACE_ID, is_quiet, quiet


def test_the_private_key_that_instrumentations_look_at_is_still_there() -> None:
    assert hasattr(opentelemetry.context, "_SUPPRESS_INSTRUMENTATION_KEY")


def test_all_three_suppress_keys_are_set_inside_and_gone_outside() -> None:
    keys = [
        opentelemetry.context._SUPPRESS_INSTRUMENTATION_KEY,
        "suppress_instrumentation",
        "suppress_language_model_instrumentation",
    ]
    with quiet():
        assert [context.get_value(key) for key in keys] == [True, True, True]
        assert is_quiet()
    assert [context.get_value(key) for key in keys] == [None, None, None]
    assert not is_quiet()


def test_nothing_of_the_callers_context_goes_in() -> None:
    token = context.attach(context.set_value("baggage of the request", "x"))
    try:
        with quiet():
            assert context.get_value("baggage of the request") is None
        assert context.get_value("baggage of the request") == "x"
    finally:
        context.detach(token)


def test_spans_inside_are_not_exported_under_the_default_sampler() -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("application")
    with tracer.start_as_current_span("request"), quiet(), tracer.start_as_current_span("judge call") as span:
        assert not span.is_recording()
    assert [span.name for span in exporter.get_finished_spans()] == ["request"]
    provider.shutdown()


def test_spans_of_a_sampler_that_ignores_parents_bear_the_quiet_trace_id() -> None:
    provider = TracerProvider(sampler=ALWAYS_ON)
    tracer = provider.get_tracer("application")
    with quiet(), tracer.start_as_current_span("judge call") as span:
        assert span.is_recording()
        assert span.get_span_context().trace_id == QUIET_TRACE_ID
    assert trace.get_current_span() is trace.INVALID_SPAN
    provider.shutdown()


def test_it_holds_across_awaits_and_tasks_of_one_coroutine_alone() -> None:
    async def main() -> list[bool]:
        async def judge() -> bool:
            with quiet():
                await asyncio.sleep(0)
                return await asyncio.create_task(asyncio.sleep(0, result=None)) is None and is_quiet()

        async def application() -> bool:
            await asyncio.sleep(0)
            return is_quiet()

        return await asyncio.gather(judge(), application())

    assert asyncio.run(main()) == [True, False]

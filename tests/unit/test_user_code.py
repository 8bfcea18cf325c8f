"""Functions of the user are called in time, and leave no spans."""

from __future__ import annotations

import asyncio
import functools
import threading
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from spanjudge.judge.quiet import is_quiet
from spanjudge.user_code import UserCode


def _call(function: Any, *args: object, timeout_s: float = 5.0) -> Any:
    return asyncio.run(UserCode(timeout_s).call(function, *args))


def _result_of(function: Any) -> Any:
    """A sync function that returns something to await."""
    return function()


def test_sync_function_runs_beside_the_event_loop() -> None:
    assert _call(threading.current_thread) is not threading.current_thread()


def test_async_function_and_object_run_on_the_event_loop() -> None:
    class Service:
        async def __call__(self) -> Any:
            return threading.current_thread()

    assert _call(Service()) is threading.current_thread()
    assert _call(functools.partial(_result_of, Service())) is threading.current_thread()


def test_what_it_does_is_quiet() -> None:
    async def quietly() -> bool:
        return is_quiet()

    assert _call(is_quiet) is True
    assert _call(quietly) is True
    assert not is_quiet()


def test_spans_that_it_makes_reach_no_backend() -> None:
    provider, exporter = TracerProvider(shutdown_on_exit=False), InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(exporter))

    def traced() -> None:
        with provider.get_tracer("store").start_as_current_span("SELECT"):
            pass

    _call(traced)
    assert exporter.get_finished_spans() == ()


def test_call_that_hangs_is_given_up() -> None:
    release = threading.Event()

    async def forever() -> None:
        await asyncio.Event().wait()

    for function in (release.wait, forever):
        with pytest.raises(asyncio.TimeoutError):
            _call(function, timeout_s=0.01)
    release.set()


def test_what_it_raises_comes_through() -> None:
    with pytest.raises(ZeroDivisionError):
        _call(lambda: 1 // 0)

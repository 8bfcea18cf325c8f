"""Processes that fork, end, or are killed while runs are being judged."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

PRELUDE = """
import json, os, sys, threading
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult
from spanjudge.processor import JudgeSpanProcessor
from spanjudge.testing import FakeJudge
from rag_calls import rag_call

class Printer(SpanExporter):
    def export(self, spans):
        for span in spans:
            if span.name.startswith("evaluate "):
                os.write(1, (json.dumps([os.getpid(), span.name]) + "\\n").encode())
        return SpanExportResult.SUCCESS

def make(**options):
    provider = TracerProvider()
    processor = JudgeSpanProcessor(tracer_provider=provider, **options)
    provider.add_span_processor(processor)
    provider.add_span_processor(SimpleSpanProcessor(Printer()))
    return provider, processor
"""


def _run(program: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), "PYTHONWARNINGS": "default"}
    return subprocess.run(
        [sys.executable, "-c", PRELUDE + textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env=environment,
    )


def _evaluations(done: subprocess.CompletedProcess[str]) -> list[tuple[int, str]]:
    return [tuple(json.loads(line)) for line in done.stdout.splitlines() if line.startswith("[")]  # type: ignore[misc]


def test_program_that_ends_right_after_its_call_still_gets_its_scores() -> None:
    done = _run(
        """
        provider, _ = make()
        rag_call(provider.get_tracer("a"), ground_truth="The battery warranty lasts 24 months.")
        """
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(_evaluations(done)) == 4


def test_program_with_a_hanging_judge_ends_within_the_deadline_and_says_what_was_lost() -> None:
    began = time.monotonic()
    done = _run(
        """
        import asyncio
        async def forever(_):
            await asyncio.Event().wait()
        provider, _ = make(judge=FakeJudge(forever), scorers=["faithfulness"], shutdown_timeout_s=0.5)
        rag_call(provider.get_tracer("a"))
        """
    )
    assert done.returncode == 0
    assert time.monotonic() - began < 30
    assert _evaluations(done) == []
    assert "The process ended before 1 evaluations were done, which are dropped: call force_flush()" in done.stderr
    assert "Traceback" not in done.stderr


def test_provider_that_is_shut_down_by_hand_gets_its_scores_when_ours_was_added_first() -> None:
    done = _run(
        """
        provider, _ = make()
        rag_call(provider.get_tracer("a"))
        provider.shutdown()
        provider.shutdown()
        """
    )
    assert done.returncode == 0
    assert len(_evaluations(done)) == 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
def test_forked_children_judge_their_own_calls_and_the_parent_its_own() -> None:
    done = _run(
        """
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)  # forking beside a thread is what is tested
        provider, processor = make()
        tracer = provider.get_tracer("a")
        rag_call(tracer)
        processor.force_flush()
        children = []
        for _ in range(2):
            pid = os.fork()
            if pid == 0:
                rag_call(tracer)
                processor.force_flush()
                os._exit(0)
            children.append(pid)
        for pid in children:
            os.waitpid(pid, 0)
        rag_call(tracer)
        processor.force_flush()
        """
    )
    assert (done.returncode, done.stderr) == (0, "")
    by_process: dict[int, int] = {}
    for pid, _ in _evaluations(done):
        by_process[pid] = by_process.get(pid, 0) + 1
    assert sorted(by_process.values()) == [3, 3, 6]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
def test_fork_with_spans_waiting_judges_them_in_the_parent_alone() -> None:
    done = _run(
        """
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)
        provider, processor = make()
        rag_call(provider.get_tracer("a"))
        pid = os.fork()
        if pid == 0:
            processor.force_flush()
            os._exit(0)
        os.waitpid(pid, 0)
        processor.force_flush()
        print("parent", os.getpid())
        """
    )
    assert done.returncode == 0
    parent = int(done.stdout.split("parent ")[1])
    assert [pid for pid, _ in _evaluations(done)] == [parent] * 3


def test_multiprocessing_child_gets_its_scores() -> None:
    done = _run(
        """
        import multiprocessing
        def work():
            provider, _ = make()
            rag_call(provider.get_tracer("a"))
        if __name__ == "__main__":
            child = multiprocessing.get_context("fork").Process(target=work)
            child.start()
            child.join()
            sys.exit(child.exitcode)
        """
    )
    assert done.returncode == 0, done.stderr
    assert len(_evaluations(done)) == 3


@pytest.mark.parametrize("module", ["litellm", "openai", "typer", "rich", "jinja2"])
def test_importing_spanjudge_loads_neither_client_nor_command_line(module: str) -> None:
    done = _run(f"import spanjudge; print({module!r} in sys.modules)")
    assert done.stdout.strip() == "False"

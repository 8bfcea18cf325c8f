"""What a judge call costs this process: CPU per call, and what the application's event loop feels of it.

Run: python benchmarks/judge_client.py [--calls 300] [--flight 64]

The model is a server in a process of its own that answers at once. CPU is that of the whole asking process; the
lateness is that of a 1 ms timer on the main thread's loop while judges are asked at a fixed rate.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import statistics
import time

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

from typing import TYPE_CHECKING

from spanjudge.judge.ask import Ask
from spanjudge.judge.litellm import LiteLLMJudge
from spanjudge.judge.prompts import build
from spanjudge.testing.model_server import ModelServer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from multiprocessing.connection import Connection

ASK = Ask(
    task="explain",
    instructions="Say in two sentences why the score is what it is.",
    contexts=tuple(f"Piece {number}: " + "words of the handbook " * 40 for number in range(5)),
    question="How long does the battery last?",
    answer="Two years.",
    result="1 of 1",
)


def serve(pipe: Connection) -> None:
    with ModelServer(text="Because.") as server:
        pipe.send(server.url)
        pipe.recv()


async def in_flight(call: Callable[[], Awaitable[object]], calls: int, flight: int) -> float:
    """CPU milliseconds per call with so many at once."""
    gate = asyncio.Semaphore(flight)

    async def one() -> None:
        async with gate:
            await call()

    await asyncio.gather(*(one() for _ in range(flight)))
    started = time.process_time()
    await asyncio.gather(*(one() for _ in range(calls)))
    return (time.process_time() - started) / calls * 1000


async def lateness(call: Callable[[], Awaitable[object]] | None, rate: float, seconds: float) -> list[float]:
    """Lateness in ms of a 1 ms timer while the call is made at a rate per second."""
    late: list[float] = []
    tasks: set[asyncio.Task[object]] = set()
    ends = time.perf_counter() + seconds
    due = time.perf_counter()
    while time.perf_counter() < ends:
        started = time.perf_counter()
        if call is not None and started >= due:
            due += 1 / rate
            task = asyncio.ensure_future(call())
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        before = time.perf_counter()
        await asyncio.sleep(0.001)
        late.append((time.perf_counter() - before) * 1000 - 1)
    await asyncio.gather(*tasks)
    return late


def tell(name: str, late: list[float]) -> None:
    cuts = statistics.quantiles(late, n=1000)
    print(f"  {name:24} p50 {cuts[499]:6.2f}  p99 {cuts[989]:6.2f}  p99.9 {cuts[998]:6.2f}  max {max(late):6.2f}")


async def measure(url: str, calls: int, flight: int) -> None:
    import litellm  # noqa: PLC0415 - its import is not what is measured

    judge = LiteLLMJudge("openai/m", api_base=url, api_key="k")
    prompt = build(ASK)
    messages = [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]

    async def bare() -> object:
        return await litellm.acompletion(
            model="openai/m", messages=messages, api_base=url, api_key="k", max_retries=0, **{"no-log": True}
        )

    async def ours() -> object:
        return await judge.ask(ASK)

    print("CPU ms per call (one at a time / in flight)")
    for name, call in {"litellm.acompletion": bare, "LiteLLMJudge.ask": ours}.items():
        print(f"  {name:24} {await in_flight(call, calls, 1):6.2f} / {await in_flight(call, calls, flight):6.2f}")
    print("lateness of a 1 ms timer on the application's loop, ms")
    tell("idle", await lateness(None, 1, 5))
    tell("20 judge calls a second", await lateness(ours, 20, 10))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--calls", type=int, default=300)
    options.add_argument("--flight", type=int, default=64)
    given = options.parse_args()
    here, there = multiprocessing.get_context("spawn").Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(there,), daemon=True)
    server.start()
    asyncio.run(measure(here.recv(), given.calls, given.flight))
    here.send(None)
    server.join()


if __name__ == "__main__":
    main()

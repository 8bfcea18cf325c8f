from __future__ import annotations

import asyncio
import threading

import pytest

from spanjudge.judge.daemons import DaemonExecutor


def test_results_and_exceptions_come_back() -> None:
    executor = DaemonExecutor()
    assert executor.submit(max, 1, 2).result(10) == 2
    with pytest.raises(ZeroDivisionError):
        executor.submit(lambda: 1 // 0).result(10)
    executor.shutdown()


def test_threads_are_daemons_and_no_more_than_allowed() -> None:
    release = threading.Event()
    executor = DaemonExecutor(2)

    def work() -> threading.Thread:
        release.wait()
        return threading.current_thread()

    futures = [executor.submit(work) for _ in range(6)]
    release.set()
    threads = {future.result(10) for future in futures}
    assert len(threads) == 2
    assert all(thread.daemon for thread in threads)
    executor.shutdown()
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)


def test_an_idle_thread_is_used_again() -> None:
    executor = DaemonExecutor(8)
    first = executor.submit(threading.current_thread).result(10)
    while not executor._idle._value:  # the thread says so just after its result is out
        pass
    assert executor.submit(threading.current_thread).result(10) is first
    executor.shutdown()


def test_a_cancelled_task_is_not_run() -> None:
    release = threading.Event()
    executor = DaemonExecutor(1)
    ran: list[int] = []
    executor.submit(release.wait)
    cancelled = executor.submit(ran.append, 1)
    assert cancelled.cancel()
    release.set()
    executor.submit(ran.append, 2).result(10)
    assert ran == [2]
    executor.shutdown()


def test_when_no_thread_can_be_started_any_more_those_there_do_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        message = "can't create new thread at interpreter shutdown"
        raise RuntimeError(message)

    release = threading.Event()
    executor, empty = DaemonExecutor(8), DaemonExecutor(8)
    busy = executor.submit(release.wait)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(RuntimeError, match="interpreter shutdown"):
        empty.submit(max, 1, 2)
    later = executor.submit(max, 1, 2)
    release.set()
    assert busy.result(10)
    assert later.result(10) == 2
    executor.shutdown()


def test_an_event_loop_takes_it_for_its_own() -> None:
    async def main() -> str:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(DaemonExecutor())
        return await asyncio.to_thread(lambda: threading.current_thread().name)

    assert asyncio.run(main()) == "spanjudge-judge-io"

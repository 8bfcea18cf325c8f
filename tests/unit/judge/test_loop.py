from __future__ import annotations

import asyncio
import contextvars
import gc
import threading
import weakref

import pytest

from spanjudge.judge.loop import JudgeLoop, LoopClosedError

VARIABLE: contextvars.ContextVar[str] = contextvars.ContextVar("VARIABLE", default="empty")


async def where() -> tuple[str, bool, int]:
    thread = threading.current_thread()
    return thread.name, thread.daemon, id(asyncio.get_running_loop())


def test_all_callers_meet_on_one_loop_on_a_daemon_thread() -> None:
    loop = JudgeLoop()
    assert not loop.running
    seen = [asyncio.run(loop.run(where())) for _ in range(3)]
    assert len(set(seen)) == 1
    assert seen[0][:2] == ("spanjudge-judge", True)
    assert loop.close()
    assert not loop.running


def test_exceptions_come_back_to_the_caller() -> None:
    async def fail() -> None:
        message = "as asked"
        raise ZeroDivisionError(message)

    loop = JudgeLoop()
    with pytest.raises(ZeroDivisionError, match="as asked"):
        asyncio.run(loop.run(fail()))
    assert loop.close()


def test_the_callers_context_variables_stay_with_the_caller() -> None:
    async def read() -> str:
        return VARIABLE.get()

    async def main(loop: JudgeLoop) -> str:
        VARIABLE.set("of the request")
        return await loop.run(read())

    loop = JudgeLoop()
    assert asyncio.run(main(loop)) == "empty"
    assert loop.close()


def test_cancelling_the_caller_cancels_the_work() -> None:
    started, stopped = threading.Event(), threading.Event()

    async def work() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    async def main(loop: JudgeLoop) -> None:
        task = asyncio.create_task(loop.run(work()))
        await asyncio.to_thread(started.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    loop = JudgeLoop()
    asyncio.run(main(loop))
    assert stopped.wait(10)
    assert loop.close()


def test_work_on_the_loop_itself_is_awaited_in_place() -> None:
    loop = JudgeLoop()

    async def outer() -> bool:
        return await where() == await loop.run(where())

    assert asyncio.run(loop.run(outer()))
    assert loop.close()


def test_closing_ends_running_work_with_an_error_that_says_so() -> None:
    started = threading.Event()

    async def work() -> None:
        started.set()
        await asyncio.Event().wait()

    async def main(loop: JudgeLoop) -> None:
        task = asyncio.create_task(loop.run(work()))
        await asyncio.to_thread(started.wait)
        assert loop.active == 1
        assert await asyncio.to_thread(loop.close)
        with pytest.raises(LoopClosedError, match="before the judge had answered"):
            await task

    loop = JudgeLoop()
    asyncio.run(main(loop))
    assert loop.active == 0


def test_closers_run_once_on_the_loop_and_a_failing_one_stops_no_other() -> None:
    ran: list[str] = []

    async def broken() -> None:
        raise ZeroDivisionError

    async def closer() -> None:
        ran.append((await where())[0])

    loop = JudgeLoop()
    loop.at_close(broken)
    loop.at_close(closer)
    loop.at_close(closer)
    asyncio.run(loop.run(where()))
    assert loop.close()
    assert ran == ["spanjudge-judge"]
    assert loop.close()
    assert ran == ["spanjudge-judge"]


def test_a_closed_loop_starts_again_with_the_next_call() -> None:
    loop = JudgeLoop()
    asyncio.run(loop.run(where()))
    assert loop.close()
    assert asyncio.run(loop.run(where()))[0] == "spanjudge-judge"
    assert loop.close()


def test_closing_waits_no_longer_than_its_deadline() -> None:
    release, started = threading.Event(), threading.Event()

    async def block() -> None:
        started.set()
        release.wait()

    async def main(loop: JudgeLoop) -> None:
        task = asyncio.create_task(loop.run(block()))
        await asyncio.to_thread(started.wait)
        assert not await asyncio.to_thread(loop.close, 0.01)
        release.set()
        await task

    asyncio.run(main(JudgeLoop()))


def test_a_thread_that_cannot_start_is_told_and_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        message = "can't create new thread at interpreter shutdown"
        raise RuntimeError(message)

    loop = JudgeLoop()
    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(LoopClosedError, match="shutting down"):
        asyncio.run(loop.run(where()))
    assert not loop.running


def test_a_forgotten_loop_object_is_collected() -> None:
    loop = JudgeLoop()
    reference = weakref.ref(loop)
    del loop
    gc.collect()
    assert reference() is None


def test_many_loops_at_once_get_their_own_answers() -> None:
    async def double(number: int) -> int:
        await asyncio.sleep(0)
        return 2 * number

    loop = JudgeLoop()
    answers: dict[int, int] = {}

    def call(number: int) -> None:
        answers[number] = asyncio.run(loop.run(double(number)))

    threads = [threading.Thread(target=call, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: 2 * number for number in range(16)}
    assert loop.close()

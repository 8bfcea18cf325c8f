"""The thread on which all but the hot test happens: lazily started, fork-safe, drained at exit within a deadline."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
import time
import weakref
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import TYPE_CHECKING, Any, Final

from spanjudge.inbox import Inbox

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanjudge.clock import Clock
    from spanjudge.guard import Guard
    from spanjudge.intake import Intake
    from spanjudge.pipeline import Pipeline

POLL_S: Final = 0.1
MOST_STARTS: Final = 5
THREAD_NAME: Final = "spanjudge"

_workers: weakref.WeakSet[Worker] = weakref.WeakSet()


class Worker:
    """Owns the inbox, the thread and its event loop.

    Args:
        inbox_size: Spans that may wait.
        build: Makes intake and pipeline; called on the worker's loop, once per process.
        guard: Where trouble is noted.
        clock: The time that decides when runs close.
        forked: Called in a forked child, whose counts begin anew.
        shutdown_timeout_s: How long the end of the process may wait for runs that are being judged, in seconds.
    """

    def __init__(
        self,
        *,
        inbox_size: int,
        build: Callable[[Inbox], tuple[Intake, Pipeline]],
        guard: Guard,
        clock: Clock,
        shutdown_timeout_s: float,
        forked: Callable[[], object] = lambda: None,
    ) -> None:
        self.inbox = Inbox(inbox_size, self._wake)
        self._build = build
        self._guard = guard
        self._clock = clock
        self._shutdown_timeout_s = shutdown_timeout_s
        self._forked = forked
        self._closed = False
        self._reset()
        _workers.add(self)

    def force_flush(self, timeout_s: float) -> bool:
        """Judge every run whose outermost span has ended; return whether that was done within the time.

        Args:
            timeout_s: The most that the caller is willing to wait, in seconds.
        """
        deadline = time.monotonic() + timeout_s
        if not self._running():
            return not self.inbox.spans and not self._failed
        self._ready.wait(max(0.0, timeout_s))
        loop = self._loop
        if loop is None:
            return False
        return self._wait(asyncio.run_coroutine_threadsafe(self._flush(), loop), deadline - time.monotonic())

    def shutdown(self, timeout_s: float | None = None) -> bool:
        """Flush, then stop for good; what is not judged within the time is counted as dropped.

        Args:
            timeout_s: Seconds for all of it (default: the setting).

        Returns:
            Whether everything was judged.
        """
        deadline = time.monotonic() + (self._shutdown_timeout_s if timeout_s is None else timeout_s)
        with self._lock:
            if self._closed:
                return True
            self._closed = True
        flushed = self.force_flush(deadline - time.monotonic())
        self.inbox.close()
        loop, thread = self._loop, self._thread
        if loop is not None and thread is not None and thread.is_alive():
            loop.call_soon_threadsafe(self._stop.set)
            thread.join(max(0.5, deadline - time.monotonic()))
        return flushed

    def after_fork(self) -> None:
        """Start afresh in a forked child: spans, thread and loop are the parent's."""
        self._reset()
        self._forked()
        self.inbox.clear()
        self.inbox.close()

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._nudge_sent = False
        self._failed = False
        self._pipeline: Pipeline | None = None
        self._ready = threading.Event()

    def _running(self) -> bool:
        thread = self._thread
        return thread is not None and thread.is_alive()

    def _wake(self) -> bool:
        """Nudge the reader, starting it where there is none yet; return whether there is one."""
        if self._closed:
            return False
        if self._thread is None and not self._start():
            return False
        loop = self._loop
        if loop is not None and not self._nudge_sent:
            self._nudge_sent = True
            loop.call_soon_threadsafe(self._nudge.set)
        return True

    def _start(self) -> bool:
        with self._lock:
            if self._running():
                return True
            _register_exit_hook()
            thread = threading.Thread(target=self._run, name=THREAD_NAME, daemon=True)
            try:
                thread.start()
            except RuntimeError as error:  # the interpreter is ending
                self._guard.caught("worker start", error)
                return False
            self._thread = thread
            self.inbox.open()
            return True

    def _run(self) -> None:
        """Serve until stopped; trouble of ours starts the work afresh a few times, and then ends it."""
        for _ in range(MOST_STARTS):
            loop = asyncio.new_event_loop()
            try:
                loop.run_until_complete(self._serve(loop))
                break
            except BaseException as error:  # noqa: BLE001 - the thread's border
                self._guard.caught("worker", error)
                if self._pipeline:
                    self._pipeline.abandon("shutdown")
            finally:
                self._loop = None
                loop.close()
        else:
            self._failed = True
        self._closed = True
        self.inbox.close()
        self._ready.set()

    async def _serve(self, loop: asyncio.AbstractEventLoop) -> None:
        self._stop = asyncio.Event()
        self._nudge = asyncio.Event()
        self._intake, pipeline = self._build(self.inbox)
        self._pipeline = pipeline
        self._loop = loop
        self._ready.set()
        judging = loop.create_task(pipeline.serve())
        while not self._stop.is_set():
            await self._turn(pipeline)
            await self._rest()
            if judging.done():
                message = "judging ended by itself"
                raise RuntimeError(message) from (None if judging.cancelled() else judging.exception())
        judging.cancel()
        await asyncio.gather(judging, return_exceptions=True)
        while self._intake.step(self._clock.monotonic()):
            continue
        for closed in self._intake.abandon(self._clock.monotonic()):
            pipeline.accept(closed)
        dropped = pipeline.abandon("shutdown")
        if dropped:
            message = (
                f"The process ended before {dropped} evaluations were done, which are dropped: call force_flush()"
                " before the end, or raise shutdown_timeout_s."
            )
            self._guard.tell("shutdown", message)

    async def _turn(self, pipeline: Pipeline) -> None:
        """Take in what waits, a few spans at a time, and hand on the runs that are due."""
        more = True
        while more and not self._stop.is_set():
            more = self._intake.step(self._clock.monotonic())
            for closed in self._intake.due(self._clock.monotonic()):
                pipeline.accept(closed)
            await asyncio.sleep(0)

    async def _rest(self) -> None:
        self._nudge_sent = False
        try:
            await asyncio.wait_for(self._nudge.wait(), POLL_S)
        except asyncio.TimeoutError:
            return
        self._nudge.clear()

    async def _flush(self) -> None:
        pipeline = self._pipeline
        if pipeline is None:
            return
        await self._turn(pipeline)
        for closed in self._intake.flush(self._clock.monotonic()):
            pipeline.accept(closed)
        await pipeline.idle()

    def _wait(self, future: Any, timeout_s: float) -> bool:
        try:
            future.result(max(0.0, timeout_s))
        except FutureTimeoutError:
            future.cancel()
            return False
        return True


_exit_hook_registered = False


def _register_exit_hook() -> None:
    """Drain before the executors of the standard library close, which judges still need, where Python lets us."""
    global _exit_hook_registered  # noqa: PLW0603 - one hook per process, kept across forks
    if not _exit_hook_registered:
        _exit_hook_registered = True
        register = getattr(threading, "_register_atexit", atexit.register)
        register(_drain_all)


def _drain_all() -> None:
    for worker in list(_workers):
        worker.shutdown()


def _after_fork() -> None:
    for worker in list(_workers):
        worker.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

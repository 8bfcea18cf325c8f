"""One long-lived event loop for judge calls, on a thread of its own."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import os
import threading
import weakref
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from spanjudge.judge.daemons import DaemonExecutor

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine
    from concurrent.futures import Future

_T = TypeVar("_T")

_log = logging.getLogger(__name__)


class LoopClosedError(RuntimeError):
    """The judge's loop has ended, or cannot begin any more."""


class JudgeLoop:
    """An event loop on a daemon thread, started by the first call and living until `close`.

    HTTP clients are bound to the loop that made them: calling one model from many short-lived loops leaks a
    connection for each, so all calls meet here, whatever loop or thread they come from. After a fork the child
    starts afresh. At exit the thread just stops, with what it was doing.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._left_behind: list[asyncio.AbstractEventLoop] = []
        self._closers: list[Callable[[], Awaitable[None]]] = []
        self._active = 0
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=partial(_after_fork, weakref.ref(self)))

    @property
    def running(self) -> bool:
        """Whether the loop has been started and not closed."""
        return self._loop is not None

    @property
    def active(self) -> int:
        """How many coroutines from elsewhere are running here."""
        return self._active

    async def run(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Run a coroutine on this loop and wait for it on the caller's.

        The coroutine starts with empty context variables; cancelling the wait cancels the coroutine.

        Raises:
            LoopClosedError: When the loop is closed before the coroutine has ended, or the interpreter is shutting
                down and no loop can be started any more.
        """
        future: Future[_T] | None = None
        try:
            # Under the lock, so that no work slips in behind `close` and waits for ever.
            with self._lock:
                loop = self._started()
                if loop is not asyncio.get_running_loop():
                    guarded = self._guard(work, loop)
                    future = contextvars.Context().run(asyncio.run_coroutine_threadsafe, guarded, loop)
        except BaseException:
            work.close()
            raise
        if future is None:
            return await work
        return await asyncio.wrap_future(future)

    def at_close(self, closer: Callable[[], Awaitable[None]]) -> None:
        """Have something called on the loop when it closes: for clients that live on it."""
        if closer not in self._closers:
            self._closers.append(closer)

    def close(self, deadline_s: float = 5.0) -> bool:
        """Cancel what runs, call the closers, and end the thread, within ``deadline_s`` seconds.

        Returns:
            Whether the thread has ended. A later call starts a new loop.
        """
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
            closers, self._closers = self._closers, []
        if loop is None or thread is None:
            return True
        loop.call_soon_threadsafe(lambda: loop.create_task(_wind_up(loop, closers)))
        if thread is threading.current_thread():
            return False
        thread.join(deadline_s)
        if thread.is_alive():
            # Kept, so that a new loop never gets the same id: clients are cached by it.
            self._left_behind.append(loop)
        return not thread.is_alive()

    def _started(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            loop = asyncio.new_event_loop()
            loop.set_default_executor(DaemonExecutor())
            loop.set_exception_handler(_note)
            thread = threading.Thread(target=_serve, args=(loop,), name="spanjudge-judge", daemon=True)
            try:
                thread.start()
            except RuntimeError as error:
                loop.close()
                message = "The judge's event loop cannot be started: the interpreter is shutting down."
                raise LoopClosedError(message) from error
            self._loop, self._thread = loop, thread
        return self._loop

    async def _guard(self, work: Coroutine[Any, Any, _T], loop: asyncio.AbstractEventLoop) -> _T:
        self._active += 1
        try:
            return await work
        except asyncio.CancelledError as error:
            if self._loop is loop:
                raise
            message = "The judge's event loop was closed before the judge had answered."
            raise LoopClosedError(message) from error
        finally:
            self._active -= 1

    def _forget(self) -> None:
        self._lock = threading.Lock()
        if self._loop is not None:
            self._left_behind.append(self._loop)
        self._loop = self._thread = None
        self._closers = []
        self._active = 0


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()


async def _wind_up(loop: asyncio.AbstractEventLoop, closers: list[Callable[[], Awaitable[None]]]) -> None:
    tasks = [task for task in asyncio.all_tasks(loop) if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.gather(*(closer() for closer in closers), return_exceptions=True)
    await loop.shutdown_asyncgens()
    # Transports close in the turns after they are told to.
    for _ in range(3):
        await asyncio.sleep(0)
    loop.stop()


def _note(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Keep asyncio's complaints about clients that are not ours off the application's standard error."""
    _log.debug("On the judge's event loop: %s", context.get("message"), exc_info=context.get("exception"))


def _after_fork(reference: weakref.ref[JudgeLoop]) -> None:
    if (judge_loop := reference()) is not None:
        judge_loop._forget()  # noqa: SLF001 - same file

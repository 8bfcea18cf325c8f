"""Threads for blocking work that nobody waits for at exit."""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")
_P = ParamSpec("_P")
_MAX_THREADS: Final = 8


class DaemonExecutor(ThreadPoolExecutor):
    """A few daemon threads, never waited for at exit: a name look-up that hangs must not hold the process up."""

    def __init__(self, max_threads: int = _MAX_THREADS) -> None:
        super().__init__(max_workers=max_threads)
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._idle = threading.Semaphore(0)
        self._daemons = 0

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Run a function on one of the threads."""
        future: Future[_T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = fn(*args, **kwargs)
            except BaseException as error:  # noqa: BLE001 - the future carries it to who waits
                future.set_exception(error)
            else:
                future.set_result(result)

        self._tasks.put(work)
        if not self._idle.acquire(blocking=False) and self._daemons < self._max_workers:
            self._hire()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - the base class's
        """Let the threads end once they have done what they were given."""
        for _ in range(self._daemons):
            self._tasks.put(None)

    def _hire(self) -> None:
        try:
            threading.Thread(target=self._labour, name="spanjudge-judge-io", daemon=True).start()
        except RuntimeError:
            # The interpreter is shutting down: those that are there do the work, if there are any.
            if not self._daemons:
                raise
        else:
            self._daemons += 1

    def _labour(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()
            self._idle.release()

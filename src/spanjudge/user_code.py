"""Calling functions that the user gave: in time, off the event loop where they block, out of the traces."""

from __future__ import annotations

import asyncio
import functools
import inspect
from typing import TYPE_CHECKING, Any

from spanjudge.judge.daemons import DaemonExecutor
from spanjudge.judge.quiet import quiet

if TYPE_CHECKING:
    from collections.abc import Callable


class UserCode:
    """Calls functions, sync or async. What they do leaves no spans: it would be captured as traffic.

    Args:
        timeout_s: Seconds after which a call is given up. A sync function's thread cannot be stopped; there are at
            most eight, and a call waits for a free one within its time.
    """

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._executor = DaemonExecutor()

    async def call(self, function: Callable[..., Any], *args: object) -> Any:
        """Call a function and return what it returns, awaited where it is awaitable.

        Raises:
            TimeoutError: Where it takes too long (``asyncio.TimeoutError`` before Python 3.11).
            Exception: Whatever the function raises.
        """
        return await asyncio.wait_for(self._called(function, *args), self._timeout_s)

    async def _called(self, function: Callable[..., Any], *args: object) -> Any:
        with quiet():
            if _is_coroutine_function(function):
                return await function(*args)
            work = functools.partial(_quietly, function, *args)
            try:
                running = asyncio.get_running_loop().run_in_executor(self._executor, work)
            except RuntimeError:
                # At its end the interpreter gives no more threads; what is left to do then has a deadline of its own.
                found = work()
            else:
                found = await running
            return await found if inspect.isawaitable(found) else found

    def close(self) -> None:
        """Let the threads end."""
        self._executor.shutdown()


def _quietly(function: Callable[..., Any], *args: object) -> Any:
    with quiet():
        return function(*args)


def _is_coroutine_function(function: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)

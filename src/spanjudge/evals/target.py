"""Calling the user's function, and reading what it returns."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from concurrent.futures import Executor

Target: TypeAlias = "Callable[[Any], Any]"

_CONTEXT: Final = ("contexts", "context", "retrieved_contexts")


async def call_target(target: Target, given: object, threads: Executor) -> object:
    """Call a function, plain or async; a plain one runs in a thread, so that it may block or run a loop of its own."""
    if inspect.iscoroutinefunction(target) or inspect.iscoroutinefunction(getattr(target, "__call__", None)):  # noqa: B004 - an object with an async __call__
        return await target(given)
    context = contextvars.copy_context()
    result = await asyncio.get_running_loop().run_in_executor(threads, lambda: context.run(target, given))
    return await result if inspect.isawaitable(result) else result


def contexts_of(output: object) -> tuple[str, ...] | None:
    """Return the retrieved texts that an output names as ``contexts``, None where it names none."""
    for name in _CONTEXT:
        found = output.get(name) if isinstance(output, Mapping) else getattr(output, name, None)
        if isinstance(found, (list, tuple)) and all(isinstance(text, str) for text in found):
            return tuple(found)
    return None

"""One real server as a child process: started, waited for, stopped."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

READY_S: Final = 60.0
# Jaeger takes its time to stop, and has nothing to lose.
STOP_S: Final = 1.0
PAUSE_S: Final = 0.05


def free_ports(number: int) -> list[int]:
    """Return ports that nobody listens on, all different."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(number)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [int(each.getsockname()[1]) for each in sockets]


def get_json(base: str, path: str, **query: str) -> Any:
    """Return what a server's HTTP API answers; an error of its own is raised with what it said."""
    url = f"{base}{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        message = f"{url} answered {error.code}: {error.read().decode(errors='replace')[:2000]}"
        raise RuntimeError(message) from error


def eventually(look: Callable[[], Any], what: str, within_s: float = 30.0) -> Any:
    """Look again and again until there is something to see, and return it."""
    deadline = time.monotonic() + within_s
    while True:
        seen = look()
        if seen:
            return seen
        if time.monotonic() > deadline:
            message = f"There was no {what} within {within_s:.0f} s; last seen: {seen!r}"
            raise AssertionError(message)
        time.sleep(PAUSE_S)


@contextmanager
def running(
    arguments: list[str | Path], ready_url: str, log: Path, environment: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Run a server until the caller is done with it; yields once it answers.

    Args:
        arguments: The command line.
        ready_url: Answers 200 as soon as the server is ready.
        log: Where all it prints goes.
        environment: Variables beside our own.

    Raises:
        RuntimeError: Where it ends or stays silent, with the end of what it printed.
    """
    with log.open("wb") as output:
        process = subprocess.Popen(
            list(map(str, arguments)),
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})},
        )
        try:
            _wait(process, ready_url, log)
            yield
        finally:
            process.terminate()
            try:
                process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    deadline = time.monotonic() + READY_S
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(PAUSE_S)
    said = log.read_text(encoding="utf-8", errors="replace")[-4000:]
    message = f"{process.args} does not answer at {url}; it printed:\n{said}"
    raise RuntimeError(message)

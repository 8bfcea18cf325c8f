"""A Chromium without a window, driven over its own debugging pipe: no driver, no port."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome")
FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
)

# The browser reads commands from file 3 and writes answers to file 4.
START: Final = """
import fcntl, os, sys
commands, answers = (fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3])
os.dup2(commands, 3)
os.dup2(answers, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def find_chromium() -> str | None:
    """Return the first Chromium on the path."""
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


class Chromium:
    """One browser with one tab."""

    def __init__(self, program: str) -> None:
        self._profile = tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True)
        command_read, self._commands = os.pipe()
        self._answers, answer_write = os.pipe()
        arguments = [program, *FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", START, str(command_read), str(answer_write), *arguments],
            pass_fds=(command_read, answer_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(command_read)
        os.close(answer_write)
        self._numbers = itertools.count(1)
        self._buffer = b""
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(20)
        os.close(self._commands)
        os.close(self._answers)
        self._profile.cleanup()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and wait for its answer; events on the way are kept."""
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]

    def open(self, url: str, *, width: int, scheme: str) -> None:
        """Load a page at a width, in the light or the dark."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.events.clear()
        self.call("Page.navigate", url=url)
        while not self.happened("Page.loadEventFired"):
            self._receive()

    def happened(self, method: str) -> list[dict[str, Any]]:
        """Return the parameters of all events of a kind since the page was opened."""
        return [event["params"] for event in self.events if event["method"] == method]

    def value(self, expression: str) -> Any:
        """Return what JavaScript makes of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            fresh = os.read(self._answers, 1 << 16)
            assert fresh, "the browser has gone"
            self._buffer += fresh
        message, _, self._buffer = self._buffer.partition(b"\0")
        received: dict[str, Any] = json.loads(message)
        if "method" in received:
            self.events.append(received)
        return received

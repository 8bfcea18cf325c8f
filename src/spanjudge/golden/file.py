"""A golden set in a file, taken up anew when the file changes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, NamedTuple

from spanjudge.dataset import read_golden
from spanjudge.errors import InputError
from spanjudge.golden.golden_set import DEFAULT_THRESHOLD, GoldenSet

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from spanjudge.golden.golden_set import Reference
    from spanjudge.guard import Guard
    from spanjudge.user_code import UserCode

CHECK_EVERY_S: Final = 5.0


class _Stamp(NamedTuple):
    """What tells one state of a file from another."""

    modified_ns: int
    size: int
    inode: int


class GoldenFile:
    """Looks references up in a file that may be written at any time; a state that cannot be read leaves the last one.

    Args:
        path: The file, of a kind that ``read_dataset`` reads.
        threshold: As of ``GoldenSet``.
        guard: Where a file that cannot be read is told of, once for each of its states.
        monotonic: Seconds on some clock: the file is looked at every 5 s at most, and only when a reference is wanted.

    Raises:
        InputError: Where the file cannot be read now, naming its line.
    """

    def __init__(
        self,
        path: Path,
        threshold: float = DEFAULT_THRESHOLD,
        guard: Guard | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = path
        self._threshold = threshold
        self._guard = guard
        self._monotonic = monotonic
        self._stamp = _stamp(path)
        self._checked = monotonic()
        self.current = GoldenSet(read_golden(path), threshold)

    async def find(self, question: str, caller: UserCode) -> Reference | None:
        """Find the reference of an equal question, else of a close one."""
        await self.refresh(caller)
        return await self.current.find(question, caller)

    async def refresh(self, caller: UserCode) -> None:
        """Take the file up anew if it has changed and was not looked at within 5 s."""
        now = self._monotonic()
        if now - self._checked < CHECK_EVERY_S:
            return
        self._checked = now
        stamp = _stamp(self._path)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            self.current = await caller.call(self._read)
        except InputError as error:
            if self._guard:
                self._guard.tell(f"golden file {self._path}", f"{error} The golden set stays as it was.")

    def _read(self) -> GoldenSet:
        return GoldenSet(read_golden(self._path), self._threshold)


def _stamp(path: Path) -> _Stamp | None:
    try:
        found = path.stat()
    except OSError:  # gone, perhaps for the moment of its replacement; reading it tells more
        return None
    return _Stamp(found.st_mtime_ns, found.st_size, found.st_ino)

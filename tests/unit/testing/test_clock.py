from __future__ import annotations

import asyncio

import pytest

from spanjudge.testing import ManualClock


def test_clock_stands_still_until_it_is_told_to_move() -> None:
    clock = ManualClock(start_s=5, epoch_s=100)
    assert (clock.monotonic(), clock.time_ns()) == (5, 100_000_000_000)
    clock.advance(0.25)
    assert (clock.monotonic(), clock.time_ns()) == (5.25, 100_250_000_000)


def test_clock_does_not_go_back() -> None:
    with pytest.raises(ValueError, match="forward only"):
        ManualClock().advance(-1)


def test_sleeping_moves_the_clock_and_is_noted() -> None:
    clock = ManualClock()
    asyncio.run(clock.sleep(3))
    asyncio.run(clock.sleep(-1))
    assert (clock.monotonic(), clock.slept) == (3, [3, -1])

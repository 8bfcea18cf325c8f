from __future__ import annotations

from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.judge.limits import Breaker, Retry, retry_after_s


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def time_ns(self) -> int:
        return int(self.now * 1e9)


@given(retry=st.integers(0, 10_000), chance=st.floats(0, 1), base=st.floats(0, 10), cap=st.floats(0, 100))
def test_a_wait_stays_under_the_doubled_base_and_the_cap(retry: int, chance: float, base: float, cap: float) -> None:
    wait = Retry(3, base_s=base, cap_s=cap).wait_s(retry, lambda: chance)
    assert 0 <= wait <= cap
    if retry < 20:
        assert wait <= base * 2**retry


def test_waits_double_until_the_cap_at_full_chance() -> None:
    retry = Retry(9, base_s=0.5, cap_s=3.0)
    assert [retry.wait_s(n, lambda: 1.0) for n in range(5)] == [0.5, 1.0, 2.0, 3.0, 3.0]
    assert retry.wait_s(4, lambda: 0.0) == 0.0


@given(asked=st.floats(0, 1000), chance=st.floats(0, 1))
def test_what_the_server_asks_for_is_waited_in_full(asked: float, chance: float) -> None:
    assert asked <= Retry(3).wait_s(5, lambda: chance, asked) <= asked + 0.5


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"RETRY-AFTER-MS": "250", "Retry-After": "9"}, 0.25),
        ({"Retry-After": formatdate(1_000_030, usegmt=True)}, 30.0),
        ({"Retry-After": formatdate(999_000, usegmt=True)}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-5"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "Sun, 99 Nov 9999 99:99:99 GMT"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers, 1_000_000 * 10**9) == seconds


@given(st.text())
def test_any_retry_after_is_none_or_a_number_that_can_be_waited(value: str) -> None:
    seconds = retry_after_s({"Retry-After": value}, 0)
    assert seconds is None or seconds >= 0


def test_a_breaker_opens_after_failures_in_a_row_only() -> None:
    breaker = Breaker(Clock(), failures=3)
    for _ in range(2):
        breaker.failed()
    breaker.succeeded()
    for _ in range(2):
        breaker.failed()
    assert not breaker.open
    assert breaker.wait_s() == 0
    breaker.failed()
    assert breaker.open
    assert breaker.wait_s() > 0


def test_an_open_breaker_lets_one_probe_through_after_each_pause() -> None:
    clock = Clock()
    breaker = Breaker(clock, failures=1, pause_s=30)
    breaker.failed()
    clock.now += 29
    assert breaker.wait_s() == 1
    clock.now += 1
    assert breaker.wait_s() == 0
    assert breaker.wait_s() == 30
    breaker.failed()
    clock.now += 29
    assert breaker.wait_s() == 1
    clock.now += 1
    assert breaker.wait_s() == 0
    breaker.succeeded()
    assert not breaker.open
    assert [breaker.wait_s(), breaker.wait_s()] == [0, 0]

"""Trouble is counted always, logged now and then, and without content."""

from __future__ import annotations

import logging

import pytest

from spanjudge.guard import Guard


def test_each_place_is_logged_once_in_twenty_seconds_and_counted_always(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    guard = Guard(lambda: now[0])
    with caplog.at_level(logging.WARNING, logger="spanjudge"):
        for _ in range(5):
            guard.caught("on_end", ValueError("x"))
        guard.caught("on_start", ValueError("x"))
        now[0] = 20.0
        guard.caught("on_end", ValueError("x"))
    assert guard.counts == {"on_end": 6, "on_start": 1}
    assert len(caplog.records) == 3
    assert "(6 times so far)" in caplog.records[-1].getMessage()


def test_text_of_the_exception_stays_out_of_the_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="spanjudge"):
        Guard(lambda: 0.0).caught("intake", ValueError("a patient's name"))
    assert "ValueError" in caplog.text
    assert "patient" not in caplog.text

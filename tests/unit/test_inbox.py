"""The inbox never grows beyond its capacity, and never loses a span unheard."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.trace import SpanContext

from spanjudge import inbox as module
from spanjudge.inbox import Inbox, Losses


def _span(trace_id: int) -> Any:
    return SimpleNamespace(context=SimpleNamespace(trace_id=trace_id))


def _offer(inbox: Inbox, span: Any) -> None:
    """What the processor does on the application's thread."""
    if len(inbox.spans) < inbox.room:
        inbox.spans.append(span)
    else:
        inbox.crowded(span, span.context.trace_id)


def test_first_span_takes_the_slow_way_and_is_kept() -> None:
    woken: list[bool] = []
    inbox = Inbox(4, lambda: woken.append(True) or True)  # type: ignore[func-returns-value]
    _offer(inbox, _span(1))
    assert (len(inbox.spans), woken) == (1, [True])


def test_open_inbox_wakes_nobody_until_it_is_half_full() -> None:
    woken: list[bool] = []
    inbox = Inbox(4, lambda: woken.append(True) or True)  # type: ignore[func-returns-value]
    inbox.open()
    for _ in range(2):
        _offer(inbox, _span(1))
    assert not woken
    _offer(inbox, _span(1))
    assert woken == [True]


def test_span_without_a_reader_is_lost_and_told() -> None:
    inbox = Inbox(4, lambda: False)
    _offer(inbox, _span(7))
    assert inbox.take_losses() == Losses(traces=(7,), items=1)
    assert inbox.take_losses() == Losses()


@given(st.lists(st.integers(min_value=1, max_value=9), max_size=40), st.integers(min_value=1, max_value=8))
def test_every_span_is_either_kept_or_its_trace_is_told(trace_ids: list[int], capacity: int) -> None:
    inbox = Inbox(capacity, lambda: True)
    inbox.open()
    for trace_id in trace_ids:
        _offer(inbox, _span(trace_id))
        assert len(inbox.spans) <= capacity
    kept = [span.context.trace_id for span in inbox.take(1000)]
    losses = inbox.take_losses()
    assert kept == trace_ids[:capacity]
    assert losses.items == len(trace_ids) - len(kept)
    assert set(losses.traces) == set(trace_ids[capacity:])


def test_more_lost_traces_than_can_be_named_spoil_everything(monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "MOST_LOST_TRACES", 2)
    inbox = Inbox(1, lambda: False)
    for trace_id in range(1, 5):
        inbox.crowded(_span(trace_id), trace_id)
    assert inbox.take_losses() == Losses(traces=(1, 2), items=4, unnamed=2)


def test_lost_local_roots_are_told_and_those_without_a_name_apart(monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "MOST_LOST_TRACES", 1)
    inbox = Inbox(1, lambda: False)
    roots, child = [_ended(1), _ended(2)], _ended(2, parent=SpanContext(2, 9, is_remote=False))
    remote = _ended(3, parent=SpanContext(3, 9, is_remote=True))
    for span in (*roots, child, remote):
        inbox.crowded(span, span.context.trace_id)
    assert inbox.take_losses() == Losses(traces=(1,), items=4, roots=3, unnamed=3, unnamed_roots=2)


def _ended(trace_id: int, parent: SpanContext | None = None) -> Any:
    return ReadableSpan("span", context=SpanContext(trace_id, 1, is_remote=False), parent=parent, end_time=1)


def test_forked_child_starts_empty() -> None:
    inbox = Inbox(1, lambda: True)
    inbox.open()
    _offer(inbox, _span(1))
    _offer(inbox, _span(2))
    inbox.clear()
    assert (list(inbox.spans), inbox.take_losses()) == ([], Losses())

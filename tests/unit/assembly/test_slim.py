from __future__ import annotations

import json

import pytest

from spanjudge.assembly.slim import slim
from spanjudge.sources.record import EventRecord, SpanRecord

VECTOR = [0.25 * number for number in range(-20, 20)]


def span(**attributes: object) -> SpanRecord:
    return SpanRecord(trace_id="1" * 32, span_id="2" * 16, attributes=attributes)


@pytest.mark.parametrize(
    "value",
    [
        tuple(VECTOR),
        VECTOR,
        json.dumps(VECTOR),
        json.dumps([VECTOR, VECTOR]),
        (json.dumps(VECTOR),),
        "[1e-7," * 1 + json.dumps(VECTOR)[1:],
    ],
)
def test_vectors_are_dropped(value: object) -> None:
    assert slim(span(vector=value, text="kept")).attributes == {"text": "kept"}


@pytest.mark.parametrize(
    "value",
    [
        "text",
        "[1] see page 3",
        json.dumps(VECTOR[:31]),
        tuple(VECTOR[:31]),
        json.dumps([{"score": 1.0, "text": "a"}] * 40),
        json.dumps([*VECTOR, "a text"]),
        ("a", "b"),
        (),
        (True, "a"),
        None,
    ],
)
def test_everything_else_is_kept(value: object) -> None:
    kept = span(value=value)
    assert slim(kept) is kept


def test_stack_traces_are_dropped_and_what_they_are_about_is_kept() -> None:
    event = EventRecord("exception", {"exception.type": "ValueError", "exception.stacktrace": "Traceback\n" * 1_000})
    whole = SpanRecord(trace_id="1" * 32, span_id="2" * 16, events=(event, EventRecord("other", {"a": 1})))
    first, second = slim(whole).events
    assert first.attributes == {"exception.type": "ValueError"}
    assert second is whole.events[1]


def test_numbers_without_end_cost_no_more_than_their_length() -> None:
    broken = "[" + "1," * 400_000
    assert slim(span(vector=broken)).attributes == {}

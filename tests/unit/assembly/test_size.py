from __future__ import annotations

from dataclasses import replace

from spanjudge.assembly.size import size_of
from spanjudge.sources.record import EventRecord, LogPart, SpanRecord

SPAN = SpanRecord(trace_id="1" * 32, span_id="2" * 16)


def test_texts_count_wherever_they_stand() -> None:
    text = "a" * 10_000
    bare = size_of(SPAN)
    for heavy in (
        replace(SPAN, attributes={"a": text}),
        replace(SPAN, attributes={"a": ({"b": (text,)},)}),
        replace(SPAN, events=(EventRecord("e", {"a": text}),)),
        replace(SPAN, logs=(LogPart("e", text),)),
        replace(SPAN, logs=(LogPart("e", None, {"a": text}),)),
    ):
        assert bare + 10_000 <= size_of(heavy) <= bare + 11_000

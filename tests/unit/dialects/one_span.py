"""One span, for a dialect to read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from spanjudge.sources.record import EventRecord, LogPart, SpanRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

QUERY = "How long does the warranty last?"
ANSWER = "It lasts two years."
TEXTS = ("The warranty lasts two years.", "Returns are accepted within 30 days.")
DOCUMENTS = [{"id": "a", "text": TEXTS[0], "score": 0.9}, {"id": "b", "text": TEXTS[1], "score": 0.4}]
FOUND = [("a", TEXTS[0], 0.9), ("b", TEXTS[1], 0.4)]


def one(
    attributes: Mapping[str, object] | None = None,
    *,
    name: str = "step",
    scope: str = "my-app",
    events: tuple[EventRecord, ...] = (),
    logs: tuple[LogPart, ...] = (),
) -> SpanRecord:
    return SpanRecord(
        trace_id="1" * 32,
        span_id="2" * 16,
        name=name,
        scope=scope,
        attributes=attributes or {},
        events=events,
        logs=logs,
        start_ns=1,
        end_ns=2,
    )


def text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def found(documents: Any) -> list[tuple[object, ...]]:
    return [(each.id, each.text, each.score) for each in documents or ()]


def contents(messages: Any) -> list[tuple[str, str]]:
    return [(each.role, each.content) for each in messages]

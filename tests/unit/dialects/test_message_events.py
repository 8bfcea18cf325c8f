from __future__ import annotations

from spanjudge.dialects.message_events import body_of, cut_in_events, told_by_events
from spanjudge.sources.record import EventRecord, LogPart
from unit.dialects.one_span import ANSWER, QUERY, contents, one, text


def test_events_come_before_log_records_and_choices_are_apart() -> None:
    span = one(
        events=(
            EventRecord("gen_ai.user.message", {"content": QUERY}),
            EventRecord("gen_ai.choice", {"message": ANSWER}),
        ),
        logs=(LogPart("gen_ai.tool.message", {"content": "found", "id": "c"}),),
    )
    taken, said = told_by_events(span)
    assert contents(taken) == [("user", QUERY), ("tool", "found")]
    assert contents(said) == [("assistant", ANSWER)]


def test_body_is_a_record_or_json_of_one_else_the_attributes_count() -> None:
    assert body_of(LogPart("x", {"a": 1}, {"b": 2})) == {"a": 1}
    assert body_of(LogPart("x", '{"a": 1}', {"b": 2})) == {"a": 1}
    assert body_of(LogPart("x", "plain", {"b": 2})) == {"b": 2}


def test_content_that_breaks_off_is_cut_but_a_document_that_looks_so_is_not() -> None:
    whole = text([{"text": QUERY}])
    assert cut_in_events(one(events=(EventRecord("gen_ai.user.message", {"content": whole[:12]}),)))
    assert not cut_in_events(one(events=(EventRecord("gen_ai.user.message", {"content": whole}),)))
    assert not cut_in_events(one(events=(EventRecord("db.query.result", {"db.query.result.document": "[1, 2"}),)))

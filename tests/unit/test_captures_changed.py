"""Captured traces in other words, cut short, thinned out or failed: never a number from half of a run."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from captures.corpus import EXPECTED, spans_of
from spanjudge.assembly import assemble, capture_json

if TYPE_CHECKING:
    from spanjudge.sources.record import Attributes, SpanRecord

FILES = sorted(EXPECTED)
COMPLETE = [file for file in FILES if any(run["complete"] for run in EXPECTED[file]["runs"])]
WORDS = (
    "How long does the battery warranty last?",
    "The warranty lasts 24 months and covers the battery.",
    "The battery warranty lasts 24 months from the date of purchase.",
    "The warranty covers battery defects but not water damage.",
    "Returns are accepted within 30 days with a receipt.",
)
OTHERS: dict[str, tuple[str, ...]] = {
    "without blanks": (
        "电池保修期多久？",
        "保修期为24个月。",
        "保修期自购买之日起24个月。",
        "保修不包括水损坏。",
        "30天内可退货。",
    ),
    "quotes and line ends": (
        'Wie lange gilt "die Garantie"? {a: 1}',
        "[1] Sie gilt '24' Monate, \"auch\" für den Akku.",
        '{"Akku"} 24 Monate \\ ab Kauf.\nZeile zwei.',
        '[kb] Garantie deckt "Defekte".\tNicht Wasser.',
        "Rückgabe <b>30</b> Tage; (id_=kb-9, score=1)",
    ),
    "brackets": ("[urgent] How long?", '{"years": 2}', "[A] text one, long enough.", '["not", "json', "{}"),
}
# A span with nothing but an answer that is JSON itself looks like one with a record of another kind.
UNTOLD = {("langfuse_sdk_observe.json", "brackets")}


def said(run: dict[str, Any]) -> tuple[object, ...]:
    contexts = run["contexts"]
    return run["query"], run["answer"], None if contexts is None else [(each["id"], each["text"]) for each in contexts]


def in_other_words(value: Any, pairs: list[tuple[str, str]]) -> Any:
    if isinstance(value, str):
        if value[:1] in ("[", "{", '"'):
            try:
                return json.dumps(in_other_words(json.loads(value), pairs))
            except ValueError:
                pass
        for old, new in pairs:
            value = value.replace(old, new)
        return value
    if isinstance(value, dict):
        return {key: in_other_words(item, pairs) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(in_other_words(item, pairs) for item in value)
    return value


def reworded(span: SpanRecord, pairs: list[tuple[str, str]]) -> SpanRecord:
    return replace(
        span,
        attributes=in_other_words(span.attributes, pairs),
        events=tuple(replace(event, attributes=in_other_words(event.attributes, pairs)) for event in span.events),
        logs=tuple(
            replace(part, attributes=in_other_words(part.attributes, pairs), body=in_other_words(part.body, pairs))
            for part in span.logs
        ),
    )


@pytest.mark.parametrize(
    ("file", "words"), [(file, words) for file in FILES for words in OTHERS if (file, words) not in UNTOLD]
)
def test_other_words_change_nothing_but_the_words(file: str, words: str) -> None:
    pairs = list(zip(WORDS, OTHERS[words], strict=True))
    runs = [capture_json(run) for run in assemble([reworded(span, pairs) for span in spans_of(file)])]
    found = {run["target_span_id"]: run for run in runs}
    for expected in in_other_words(EXPECTED[file]["runs"], pairs):
        targets = (expected["target"], expected["target"].get("also", {}))
        run = next(found[each["span_id"]] for each in targets if each.get("span_id") in found)
        assert (run["complete"], run["skip_reason"]) == (expected["complete"], expected.get("skip_reason"))
        assert said(run) == said(expected)


def whole(file: str) -> list[tuple[object, ...]]:
    return [said(capture_json(run)) for run in assemble(spans_of(file)) if run.complete]


def without_ids(told: tuple[Any, ...]) -> tuple[object, ...]:
    """Ids may stand in a value of their own, which is cut where the texts are whole."""
    query, answer, contexts = told
    return query, answer, [text for _, text in contexts]


def only_whole_runs_are_complete(file: str, spans: list[SpanRecord]) -> None:
    for run in assemble(spans):
        assert not run.complete or without_ids(said(capture_json(run))) in map(without_ids, whole(file)), run.warnings


@pytest.mark.parametrize("limit", [24, 40, 64, 120, 250, 1_000])
@pytest.mark.parametrize("file", COMPLETE)
def test_values_cut_at_any_length_are_never_judged(file: str, limit: int) -> None:
    def cut(given: Attributes) -> dict[str, object]:
        return {key: value[:limit] if isinstance(value, str) else value for key, value in given.items()}

    spans = [
        replace(
            span,
            attributes=cut(span.attributes),
            events=tuple(replace(event, attributes=cut(event.attributes)) for event in span.events),
        )
        for span in spans_of(file)
    ]
    only_whole_runs_are_complete(file, spans)


@pytest.mark.parametrize("limit", [2, 4, 6, 8, 12, 16])
@pytest.mark.parametrize("file", COMPLETE)
def test_spans_that_lost_their_oldest_attributes_are_never_judged_wrongly(file: str, limit: int) -> None:
    def thinned(span: SpanRecord) -> SpanRecord:
        kept = dict(list(span.attributes.items())[-limit:])
        return replace(span, attributes=kept, dropped_attributes=len(span.attributes) - len(kept))

    only_whole_runs_are_complete(file, [thinned(span) for span in spans_of(file)])


@pytest.mark.parametrize("file", COMPLETE)
def test_run_whose_root_failed_is_never_judged(file: str) -> None:
    spans = spans_of(file)
    roots = {run.target.span_id for run in assemble(spans) if run.target}
    failed = [replace(span, error=True) if span.span_id in roots else span for span in spans]
    assert {run.skip_reason for run in assemble(failed) if run.target and run.target.span_id in roots} == {
        "source_error"
    }

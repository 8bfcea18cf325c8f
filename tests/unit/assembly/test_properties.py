"""What holds of any trace: in whatever order it arrives, whatever arrives beside it, and whatever never arrives."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanjudge.assembly import assemble, capture_json
from unit.assembly.arrivals import FILES, Call, captured, from_network, in_process, moved, shuffled, traced

if TYPE_CHECKING:
    from spanjudge.model import RagRun

files = st.sampled_from(FILES)
chances = st.integers(0, 2**32).map(random.Random)
arrivals = st.sampled_from([from_network, in_process, lambda spans, chance: assemble(shuffled(spans, chance))])
calls = st.lists(
    st.builds(Call, st.integers(1, 99), st.integers(1, 3), st.integers(1, 3), st.booleans()),
    min_size=1,
    max_size=4,
    unique_by=lambda call: call.number,
)


def by_id(runs: list[RagRun]) -> list[RagRun]:
    return sorted(runs, key=lambda run: run.run_id)


@cache
def whole(file: str) -> tuple[RagRun, ...]:
    return tuple(by_id(assemble(captured(file))))


def told(runs: list[RagRun]) -> list[tuple[object, ...]]:
    return sorted((run.query, [each.text for each in run.contexts or ()], run.answer) for run in runs if run.complete)


@settings(max_examples=60, deadline=None)
@given(files, arrivals, chances)
def test_captured_trace_gives_the_same_runs_in_any_order_of_arrival(
    file: str, arrive: Any, chance: random.Random
) -> None:
    assert tuple(by_id(arrive(captured(file), chance))) == whole(file)


@settings(max_examples=60, deadline=None)
@given(made=calls, arrive=arrivals, chance=chances, together=st.booleans())
def test_calls_at_the_same_time_keep_their_own_texts(
    made: list[Call], arrive: Any, chance: random.Random, *, together: bool
) -> None:
    spans = traced(made, chance, together=together)
    assert told(arrive(spans, chance)) == sorted(call.told for call in made)


@settings(max_examples=60, deadline=None)
@given(files, files, arrivals, chances)
def test_two_captured_traces_at_the_same_time_never_mix(
    one: str, other: str, arrive: Any, chance: random.Random
) -> None:
    first, second = moved(captured(one), 1), moved(captured(other), 2)
    apart = by_id([*assemble(first), *assemble(second)])
    assert by_id(arrive([*first, *second], chance)) == apart


# Spans whose loss nothing in the rest of the trace shows: the capture, the span's place in it, and why.
UNSEEN: dict[tuple[str, int], str] = {
    ("live/openinference_langchain_two_retrievers.json", 24): (
        "the text that the lost search alone has found twice was found by the other one as well"
    ),
    ("openinference_llamaindex_postprocessor.json", 4): (
        "an application that reorders what it has found without a span of its own leaves the same trace"
    ),
}


def is_right(run: RagRun, wholes: tuple[RagRun, ...]) -> bool:
    """Whether a run asks and answers what one of the whole ones does, with all its contexts in order.

    They may be joined to fewer documents, as prompts hold them.
    """
    text = "\n".join(each.text or "" for each in run.contexts or ())
    return any(
        (run.query, run.answer) == (other.query, other.answer)
        and bool(run.contexts) == bool(other.contexts)
        and stand_in_order([each.text or "" for each in other.contexts or ()], text)
        for other in wholes
        if other.complete
    )


def stand_in_order(parts: list[str], text: str) -> bool:
    at = 0
    for part in parts:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True


def wrong_without(file: str, place: int) -> bool:
    spans = captured(file)
    rest = [*spans[:place], *spans[place + 1 :]]
    return any(run.complete and not is_right(run, whole(file)) for run in assemble(rest))


@pytest.mark.parametrize("file", FILES)
def test_run_with_any_span_missing_is_right_or_skipped(file: str) -> None:
    wrong = {place for place in range(len(captured(file))) if wrong_without(file, place)}
    assert wrong == {place for each, place in UNSEEN if each == file}


@settings(max_examples=60, deadline=None)
@given(files, chances)
def test_trace_from_a_network_with_a_span_missing_gives_the_same_runs_as_from_a_file(
    file: str, chance: random.Random
) -> None:
    spans = list(captured(file))
    del spans[chance.randrange(len(spans))]
    assert by_id(from_network(spans, chance)) == by_id(assemble(spans))


@settings(max_examples=100, deadline=None)
@given(made=calls, chance=chances, together=st.booleans(), data=st.data())
def test_made_up_trace_with_a_leaf_missing_never_mixes_calls(
    made: list[Call], chance: random.Random, *, together: bool, data: st.DataObject
) -> None:
    spans = traced(made, chance, together=together)
    parents = {(span.trace_id, span.parent_id) for span in spans}
    leaves = [place for place, span in enumerate(spans) if (span.trace_id, span.span_id) not in parents]
    gone = data.draw(st.sampled_from(leaves))
    for question, texts, answer in told(assemble([*spans[:gone], *spans[gone + 1 :]])):
        (call,) = [each for each in made if each.question == question]
        assert answer == call.answer
        assert set(texts) <= set(call.told[1])


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
values = junk | junk.map(lambda value: json.dumps(value, default=str)) | st.binary(max_size=8)


@settings(max_examples=150, deadline=None)
@given(files, st.data())
def test_any_value_in_any_attribute_is_survived(file: str, data: st.DataObject) -> None:
    spans = list(captured(file))
    places = [(place, name) for place, span in enumerate(spans) for name in span.attributes]
    for place, name in data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=4)):
        spans[place] = replace(spans[place], attributes={**spans[place].attributes, name: data.draw(values)})
    for run in assemble(spans):
        json.dumps(capture_json(run))
        assert all(isinstance(each, str | None) for each in (run.query, run.answer, run.session_id, run.user_id))
        assert [each.rank for each in run.contexts or ()] == list(range(len(run.contexts or ())))

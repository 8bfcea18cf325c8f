"""Texts of documents that the telemetry names by id alone."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from spanjudge import resolver as module
from spanjudge.conversation import AgentOutput, Message
from spanjudge.guard import Guard
from spanjudge.model import Document, RagRun
from spanjudge.resolver import DocumentResolver
from spanjudge.testing import ManualClock
from spanjudge.user_code import UserCode

RUN = RagRun(
    query="q",
    contexts=(Document(None, id="b", rank=0), Document("here", id="x", rank=1), Document(None, id="a", rank=2)),
    answer="a",
    skip_reason="context_text_missing",
    output=AgentOutput([Message("assistant", "a")], {"retrieved_context": ["here"], "other": 1}),
)


class Store:
    """Knows the text of every id that is told of, and notes what it is asked."""

    def __init__(self, texts: dict[str, Any]) -> None:
        self.texts = texts
        self.asked: list[list[str]] = []

    def __call__(self, ids: list[str]) -> Any:
        self.asked.append(ids)
        return {each: self.texts[each] for each in ids if each in self.texts}


class Desk:
    """A resolver with all that it is given."""

    def __init__(self, function: Any) -> None:
        self.clock = ManualClock()
        self.guard = Guard(lambda: 0.0)
        self.resolver = DocumentResolver(function, UserCode(5.0), self.guard, self.clock.monotonic)

    def resolve(self, run: RagRun = RUN) -> RagRun:
        return asyncio.run(self.resolver.resolve(run))


def _texts(run: RagRun) -> list[str | None]:
    return [document.text for document in run.contexts or ()]


def test_missing_texts_are_asked_for_at_once_and_make_the_run_complete() -> None:
    store = Store({"a": "A", "b": "B"})
    run = Desk(store).resolve()
    assert store.asked == [["b", "a"]]
    assert (_texts(run), run.skip_reason, run.complete) == (["B", "here", "A"], None, True)
    assert run.output is not None
    assert run.output.metadata == {"retrieved_context": ["B", "here", "A"], "other": 1}
    assert list(run.output) == list(RUN.output or ())


def test_list_in_the_order_of_the_ids_does_as_well() -> None:
    assert _texts(Desk(lambda ids: [each.upper() for each in ids]).resolve()) == ["B", "here", "A"]


def test_function_may_be_a_coroutine_function() -> None:
    async def fetch(ids: list[str]) -> dict[str, str]:
        await asyncio.sleep(0)
        return {each: each.upper() for each in ids}

    assert _texts(Desk(fetch).resolve()) == ["B", "here", "A"]


@pytest.mark.parametrize("known", [{"a": "A"}, {"a": "A", "b": None}, {"a": "A", "b": 7}])
def test_id_that_stays_unknown_leaves_the_skip_and_is_counted(known: dict[str, Any]) -> None:
    desk = Desk(Store(known))
    run = desk.resolve()
    assert (_texts(run), run.skip_reason) == ([None, "here", "A"], "context_text_missing")
    assert desk.guard.counts == {"resolve_documents": 1}


@pytest.mark.parametrize("returned", [None, "text", ["one"], {"a"}, 7])
def test_answer_of_another_shape_leaves_the_skip_and_is_told(returned: Any, caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk(lambda _: returned)
    assert desk.resolve().skip_reason == "context_text_missing"
    assert "resolve_documents must return a mapping from id to text, or a list of 2 texts" in caplog.text


def test_function_that_raises_leaves_the_run_as_it_was() -> None:
    desk = Desk(lambda ids: ids[99])
    assert desk.resolve() == RUN
    assert desk.guard.counts == {"resolve_documents": 1}


def test_other_reason_to_skip_stays() -> None:
    run = Desk(Store({"a": "A", "b": "B"})).resolve(replace(RUN, answer=None, skip_reason="no_answer"))
    assert (_texts(run), run.skip_reason) == (["B", "here", "A"], "no_answer")


def test_blank_text_drops_its_document_as_a_captured_one_does() -> None:
    run = Desk(Store({"a": "A", "b": " "})).resolve()
    assert ([(each.text, each.rank) for each in run.contexts or ()], run.skip_reason) == ([("here", 0), ("A", 1)], None)


def test_run_without_missing_texts_or_ids_asks_nobody() -> None:
    store = Store({})
    for contexts in (None, (), (Document("here"),), (Document(None),)):
        run = replace(RUN, contexts=contexts)
        assert Desk(store).resolve(run) is run
    assert store.asked == []


def test_text_is_remembered_for_ten_minutes() -> None:
    store = Store({"a": "A", "b": "B"})
    desk = Desk(store)
    desk.resolve()
    desk.clock.advance(599)
    desk.resolve()
    assert len(store.asked) == 1
    desk.clock.advance(2)
    desk.resolve()
    assert len(store.asked) == 2


def test_unknown_id_is_asked_for_again() -> None:
    store = Store({"a": "A"})
    desk = Desk(store)
    desk.resolve()
    desk.resolve()
    assert store.asked == [["b", "a"], ["b"]]


@pytest.mark.parametrize(("name", "limit"), [("MOST_TEXTS", 2), ("MOST_CHARS", 2)])
def test_least_used_text_is_forgotten_first(monkeypatch: pytest.MonkeyPatch, name: str, limit: int) -> None:
    monkeypatch.setattr(module, name, limit)
    store = Store({each: each.upper() for each in "abc"})
    desk = Desk(store)
    for each in ("a", "b", "a", "c", "a", "b"):
        desk.resolve(replace(RUN, contexts=(Document(None, id=each),)))
    assert store.asked == [["a"], ["b"], ["c"], ["b"]]
    assert desk.resolver._chars == 2

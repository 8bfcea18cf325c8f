import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from spanjudge.judge.ask import Ask, Judge, JudgeError, Reply, Task
from spanjudge.judge.embedded import EmbeddedJudge
from spanjudge.judge.embedded.sentences import MOST_ITEMS
from spanjudge.model import Usage, Verdict


class Claims(BaseModel):
    claims: list[str]


class Statements(BaseModel):
    statements: list[str]


class Row(BaseModel):
    index: int
    reason: str
    verdict: str


class Verdicts(BaseModel):
    verdicts: list[Row]


class Usefulness(BaseModel):
    context_index: int
    reason: str
    verdict: str


class Usefulnesses(BaseModel):
    verdicts: list[Usefulness]


class Relevance(BaseModel):
    index: int
    reason: str
    result: str


class Relevances(BaseModel):
    results: list[Relevance]


MODELS: dict[Task, type[BaseModel]] = {
    "extract_claims": Claims,
    "extract_statements": Statements,
    "attribute": Verdicts,
    "verify": Verdicts,
    "rate_usefulness": Usefulnesses,
    "rate_relevancy": Relevances,
}
FACTS = ("Einstein was born on 14 March 1879 in Ulm.", "Einstein published special relativity in 1905.")


def reply(task: Task, **parts: Any) -> Reply:
    parts.setdefault("answer_model", MODELS.get(task))
    return asyncio.run(EmbeddedJudge().ask(Ask(task=task, instructions="", **parts)))


def value(task: Task, **parts: Any) -> Any:
    return reply(task, **parts).value


def test_it_is_a_judge_with_a_name_and_a_fingerprint() -> None:
    judge: Judge = EmbeddedJudge()
    assert judge.model == "embedded"
    assert judge.fingerprint.startswith("embedded/2-")
    assert judge.fingerprint == EmbeddedJudge().fingerprint


def test_replies_are_instances_of_the_answer_model() -> None:
    assert isinstance(value("extract_claims", reference="A fact."), Claims)
    assert isinstance(value("extract_statements", answer="A fact."), Statements)
    assert isinstance(value("attribute", contexts=FACTS, items=("A fact.",)), Verdicts)
    assert isinstance(value("verify", contexts=FACTS, items=("A fact.",)), Verdicts)
    assert isinstance(value("rate_usefulness", contexts=FACTS, question="q", answer="a"), Usefulnesses)
    assert isinstance(value("rate_relevancy", question="q", items=("A fact.",)), Relevances)
    assert isinstance(value("explain", verdicts=()), str)


def test_an_ask_is_one_free_call() -> None:
    for task, parts in (
        ("extract_claims", {"reference": "x"}),
        ("rate_relevancy", {"items": ("x",), "question": "q"}),
        ("explain", {}),
    ):
        assert reply(task, **parts).usage == Usage(calls=1, input_tokens=0, output_tokens=0, cost=0.0)  # type: ignore[arg-type]


def test_claims_come_from_the_reference_and_else_from_the_answer() -> None:
    assert value("extract_claims", reference="One fact. Is it? Two facts.").claims == ["One fact.", "Two facts."]
    assert value("extract_claims", answer="One fact.").claims == ["One fact."]
    assert value("extract_claims", reference="").claims == []
    assert value("extract_claims").claims == []


def test_statements_come_from_the_answer() -> None:
    assert value("extract_statements", answer="One fact. Is it?").statements == ["One fact.", "Is it?"]


def test_claims_of_a_very_long_text_are_bounded() -> None:
    assert len(value("extract_claims", reference="This is a fact of some length. " * 5_000).claims) == MOST_ITEMS


def test_every_item_has_its_verdict_under_its_own_index() -> None:
    items = ("Refunds take days.", "Einstein was born in 1879.", "Einstein was born in 1897.")
    rows = value("verify", contexts=FACTS, items=items).verdicts
    assert [(row.index, row.verdict) for row in rows] == [(0, "unsure"), (1, "yes"), (2, "no")]


def test_attribution_knows_no_unsure() -> None:
    rows = value("attribute", contexts=FACTS, items=("Refunds take days.", "Einstein was born in 1879.")).verdicts
    assert [row.verdict for row in rows] == ["no", "yes"]


def test_a_word_outside_the_vocabulary_becomes_no() -> None:
    rows = value("verify", contexts=FACTS, items=("Refunds take days.",), vocabulary=("yes", "no")).verdicts
    assert [row.verdict for row in rows] == ["no"]


def test_without_contexts_nothing_is_supported() -> None:
    assert [row.verdict for row in value("attribute", items=("A fact stands.",)).verdicts] == ["no"]
    assert [row.verdict for row in value("verify", contexts=("", " "), items=("A fact stands.",)).verdicts] == [
        "unsure"
    ]


def test_every_context_is_rated_under_its_own_index() -> None:
    question, answer = "When was Einstein born?", "Einstein was born in 1879 in Ulm."
    rows = value("rate_usefulness", contexts=(*FACTS, ""), question=question, answer=answer).verdicts
    assert [(row.context_index, row.verdict) for row in rows] == [(0, "yes"), (1, "no"), (2, "no")]


def test_the_reference_is_what_contexts_are_for_where_there_is_one() -> None:
    parts = {"contexts": FACTS, "question": "What of Einstein?", "answer": "He was born in Ulm in 1879."}
    reference = "He published special relativity in 1905."
    assert [row.verdict for row in value("rate_usefulness", **parts).verdicts] == ["yes", "no"]
    assert [row.verdict for row in value("rate_usefulness", **parts, reference=reference).verdicts] == ["no", "yes"]


def test_statements_are_rated_against_the_question() -> None:
    items = ("Einstein was born in Ulm.", "The weather is nice.")
    rows = value("rate_relevancy", question="Where was Einstein born?", items=items).results
    assert [(row.index, row.result) for row in rows] == [(0, "yes"), (1, "no")]


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ("Refunds take days.", "none of its words"),
        ("환불은 5일 걸립니다.", "낱말이 하나도"),
        ("退款需要五天。", "没有该项"),
        ("返金には5日かかります。", "コンテキストに一つもない"),
    ],
)
def test_reasons_speak_the_language_of_the_item(item: str, words: str) -> None:
    (row,) = value("attribute", contexts=("Alpha stands.",), items=(item,)).verdicts
    assert words in row.reason


def test_a_context_that_is_read_in_part_is_named_in_the_reason() -> None:
    contexts = ("Alpha stands. ", "Beta stands here. " * 70_000)
    rows = value("attribute", contexts=contexts, items=("Alpha stands.",)).verdicts
    assert rows[0].verdict == "yes"
    assert "; of [1] only the first " in rows[0].reason


def test_a_task_of_ones_own_is_refused_in_one_sentence() -> None:
    with pytest.raises(JudgeError, match="only the built-in scorers") as caught:
        reply("custom", answer_model=Claims)
    assert caught.value.code == "judge_bad_request"
    assert caught.value.usage.calls == 1
    assert "\n" not in caught.value.detail


def test_a_missing_or_foreign_answer_model_is_refused_in_one_sentence() -> None:
    with pytest.raises(JudgeError, match="needs an answer model for attribute"):
        reply("attribute", items=("x",), answer_model=None)
    with pytest.raises(JudgeError, match="Claims does not take the built-in shape of attribute"):
        reply("attribute", items=("x",), answer_model=Claims)


def test_threads_that_share_a_judge_get_the_same_answers() -> None:
    judge = EmbeddedJudge()
    items = tuple(f"Einstein was born in {year}." for year in range(1870, 1890))
    ask = Ask(task="verify", instructions="", contexts=FACTS, items=items, answer_model=Verdicts)
    barrier = threading.Barrier(4)

    def work(_: int) -> Any:
        barrier.wait()
        return asyncio.run(judge.ask(ask)).value

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(work, range(4)))
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize(
    "parts",
    [
        {"task": "extract_claims", "reference": f"It is {'very ' * 50} so. " * 100},
        {"task": "verify", "contexts": ("It is so. " * 3_000,), "items": ("It is.",)},
        {"task": "verify", "contexts": ("It is.",), "items": ("It is.",) * 20},
        {"task": "rate_usefulness", "contexts": ("It is.",) * 20, "question": "Is it?"},
        {"task": "rate_relevancy", "question": "Is it?", "items": ("It is.",) * 20},
    ],
)
def test_the_loop_is_let_go_between_bites_of_work(parts: dict[str, Any]) -> None:
    async def run() -> int:
        turns = 0
        done = asyncio.Event()

        async def turn() -> None:
            nonlocal turns
            while not done.is_set():
                turns += 1
                await asyncio.sleep(0)

        other = asyncio.create_task(turn())
        await EmbeddedJudge().ask(Ask(instructions="", answer_model=MODELS[parts["task"]], **parts))
        done.set()
        await other
        return turns

    assert asyncio.run(run()) >= 5


HOSTILE = [
    "a " * 500_000,
    "Alpha beta. " * 80_000,
    "中国。" * 300_000,
    "[(" * 500_000,
    "1," * 500_000,
    '"' * 10**6,
    "\n>" * 500_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:6]))
def test_a_hostile_megabyte_is_judged_all_the_same(text: str) -> None:
    (row,) = value("verify", contexts=(text,), items=(text,)).verdicts
    assert row.verdict in {"yes", "unsure"}
    assert len(row.reason) < 600
    assert len(value("rate_usefulness", contexts=("Alpha beta.",), question=text, answer=text).verdicts) == 1
    assert len(value("rate_relevancy", question=text, items=(text,)).results) == 1
    assert len(value("explain", verdicts=(Verdict(text, "yes", text),))) < 1_000


def test_five_hundred_contexts_are_judged() -> None:
    contexts = tuple(f"Part {n} of the manual speaks of its kin." for n in range(499))
    contexts = (*contexts[:77], "Here the manual speaks of zeugmas.", *contexts[77:])
    rows = value("rate_usefulness", contexts=contexts, question="The manual?", answer="Zeugmas.").verdicts
    assert [row.context_index for row in rows if row.verdict == "yes"] == [77]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=80), max_size=4), st.lists(st.text(max_size=80), max_size=4), st.text(max_size=80))
def test_any_texts_get_as_many_verdicts_as_items(contexts: list[str], items: list[str], text: str) -> None:
    parts = {"contexts": tuple(contexts), "items": tuple(items), "question": text}
    assert len(value("attribute", **parts).verdicts) == len(items)
    assert len(value("verify", **parts).verdicts) == len(items)
    assert len(value("rate_relevancy", **parts).results) == len(items)
    assert len(value("rate_usefulness", **parts, answer=text).verdicts) == len(contexts)
    assert value("verify", **parts) == value("verify", **parts)

from __future__ import annotations

from typing import Any

from spanjudge.model import RagRun, Verdict
from spanjudge.scorers.reasons import compose, explain, shorten
from spanjudge.scorers.steps import StepInput


async def _ask(_ask: Any) -> str:
    return ""


def _step(*verdicts: Verdict) -> StepInput:
    return StepInput(run=RagRun(query="Why?"), contexts=(), ask=_ask, verdicts=verdicts, score=0.67, scale=10)


def test_composed_reason_lists_verdicts_by_word_and_the_missing_apart() -> None:
    composed = compose("{yes} of {total}.", {"yes": "Found", "no": "Missing"})
    step = _step(Verdict("a", "yes", "in [0]"), Verdict("b", "no"), Verdict("c", "no", missing=True))
    assert (
        composed(step) == "1 of 3. Found: “a” (in [0]). Missing: “b”. Without a readable verdict, counted as no: “c”."
    )


def test_composed_reason_is_bounded_and_says_what_it_left_out() -> None:
    composed = compose("{yes} of {total}.", {"yes": "Found"})
    text = composed(_step(*(Verdict("claim " * 1000, "yes", "reason " * 1000) for _ in range(50))))
    assert len(text) < 2000
    assert text.endswith("; and 45 more.")


def test_ranked_pieces_are_named_by_number() -> None:
    composed = compose("{yes} of {total}.", {"yes": "Useful", "no": "Not useful"}, ranked=True)
    assert composed(_step(Verdict("a", "no"), Verdict("b", "yes"))) == "1 of 2. Useful: [1] “b”. Not useful: [0] “a”."


def test_braces_in_items_do_no_harm() -> None:
    assert "{yes}" in compose("{total}.", {"yes": "Found"})(_step(Verdict("{yes} {0}", "yes")))


def test_explanation_gets_verdicts_and_result_and_no_endless_items() -> None:
    ask: Any = explain("Name them.")(_step(Verdict("piece " * 1000, "yes", "why")))
    assert (ask.task, ask.result, ask.question, ask.answer_model) == ("explain", "0.67 of 10", "Why?", None)
    assert len(ask.verdicts[0].item) <= 160
    assert "Name them." in ask.instructions


def test_cut_is_visible_and_keeps_one_line() -> None:
    assert shorten("a\n b\t c", 10) == "a b c"
    assert shorten("단어" * 20, 5) == "단어단어…"

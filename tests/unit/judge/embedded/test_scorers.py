"""The embedded judge under the real scorers: what a user without a key sees."""

import asyncio
from typing import Any

import pytest

from spanjudge.scorers import (
    create_answer_relevancy_scorer,
    create_context_precision_scorer,
    create_context_recall_scorer,
    create_faithfulness_scorer,
)

CONTEXT = [
    "The warranty of the kettle lasts 24 months from the day of purchase.",
    "Our shop in Ulm is open from Monday to Friday.",
    "Water damage is not covered by the warranty of the kettle.",
]
QUESTION = "How long does the warranty of the kettle last?"


def run(scorer: Any, **parts: Any) -> Any:
    return asyncio.run(scorer.run(input=QUESTION, **parts))


def test_recall_finds_what_the_context_holds_and_misses_the_rest() -> None:
    scorer = create_context_recall_scorer(model="embedded", context=CONTEXT)
    truth = "The warranty of the kettle lasts 24 months. Refunds take five days. Is that all?"
    result = run(scorer, output="24 months.", ground_truth=truth)
    assert result.score == 0.5
    assert result.preprocess_step_result == {
        "claims": ["The warranty of the kettle lasts 24 months.", "Refunds take five days."]
    }
    assert "found in [0]" in result.reason
    assert "embedded lexical judge" in result.reason
    assert result.usage.cost == 0.0


def test_precision_rewards_the_useful_context_at_the_top() -> None:
    answer = "The warranty lasts 24 months from the day of purchase."
    first = run(create_context_precision_scorer(model="embedded", context=CONTEXT), output=answer)
    last = run(create_context_precision_scorer(model="embedded", context=CONTEXT[::-1]), output=answer)
    assert first.score == 1.0
    assert last.score == pytest.approx(0.33)


def test_faithfulness_counts_supported_contradicted_and_unknown_claims() -> None:
    answer = (
        "The warranty of the kettle lasts 24 months. Water damage is covered by the warranty of the kettle. Cats purr."
    )
    result = run(create_faithfulness_scorer(model="embedded", context=CONTEXT), output=answer)
    assert (result.counts.yes, result.counts.no, result.counts.unsure) == (1, 1, 1)
    assert result.score == 0.33


def test_relevancy_tells_an_answer_from_an_aside() -> None:
    scorer = create_answer_relevancy_scorer(model="embedded")
    assert run(scorer, output="The warranty of the kettle lasts 24 months.").score == 1.0
    assert run(scorer, output="24 months").score == 1.0
    assert run(scorer, output="I'm sorry, I don't know.").score == 0.0
    assert run(scorer, output="The warranty of the kettle lasts 24 months. Cats purr.").score == 0.5


def test_a_worse_retriever_scores_worse() -> None:
    truth = "The warranty of the kettle lasts 24 months. Water damage is not covered by the warranty."
    good = run(create_context_recall_scorer(model="embedded", context=CONTEXT), output="x", ground_truth=truth)
    bad = run(create_context_recall_scorer(model="embedded", context=CONTEXT[1:2]), output="x", ground_truth=truth)
    assert (good.score, bad.score) == (1.0, 0.0)

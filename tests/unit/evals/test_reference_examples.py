"""The programs of the reference pages, word by word in Python."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from spanjudge.conversation import AgentInput, AgentOutput, Message, ToolInvocation
from spanjudge.evals import ItemResult, run_evals
from spanjudge.scorers import (
    Scorer,
    create_answer_relevancy_scorer,
    create_context_precision_scorer,
    create_context_recall_scorer,
    create_faithfulness_scorer,
)
from spanjudge.testing import FakeJudge

DOCUMENTS = ["Green tea contains antioxidants.", "L-theanine improves focus."]


async def my_agent(question: str) -> AgentOutput:
    await asyncio.sleep(0)
    search = ToolInvocation("search", {"query": question}, "result", {"hits": DOCUMENTS})
    return AgentOutput(
        [
            Message("assistant", "", [search, ToolInvocation("slow", {}, "call")]),
            Message("assistant", f"An answer to: {question}"),
        ],
        {"retrieved_context": DOCUMENTS},
    )


def _evaluate(scorer: Scorer, data: list[dict[str, Any]]) -> dict[str, float | None]:
    seen: list[dict[str, Any]] = []

    def on_item_complete(item: ItemResult) -> None:
        seen.append({"score": item.scorer_results[scorer.id].score, "reason": item.scorer_results[scorer.id].reason})

    result = asyncio.run(run_evals(data=data, scorers=[scorer], target=my_agent, on_item_complete=on_item_complete))
    assert seen == [{"score": 1.0, "reason": "scripted reason"}] * len(data)
    return result.scores


def test_recall_with_tool_results_as_context() -> None:
    def tool_results(_input: Any, output: AgentOutput) -> list[str]:
        return [
            json.dumps(tool.result)
            for message in output
            if message.role == "assistant"
            for tool in message.tool_invocations
            if tool.state == "result"
        ]

    judge = FakeJudge.always("yes")
    scorer = create_context_recall_scorer(model=judge, context_extractor=tool_results)
    data = [
        {"input": "What are the health benefits of green tea?", "ground_truth": "It contains antioxidants."},
        {"input": "How does photosynthesis work?", "ground_truth": "It turns sunlight into chemical energy."},
    ]
    assert _evaluate(scorer, data) == {"context_recall": 1.0}
    assert {ask.contexts for ask in judge.asks if ask.contexts} == {(json.dumps({"hits": DOCUMENTS}),)}


def test_recall_with_a_search_of_ones_own() -> None:
    def search(given: AgentInput | str, _output: Any) -> list[str]:
        query = given.input_messages[0].content if isinstance(given, AgentInput) else given
        return [f"found for {query}"]

    judge = FakeJudge.always("yes")
    scorer = create_context_recall_scorer(model=judge, options={"context_extractor": search, "scale": 1})
    messages = [{"role": "user", "content": "Tea?"}]
    result = asyncio.run(
        scorer.run(
            input={"inputMessages": messages},
            output=[{"role": "assistant", "content": "Yes."}],
            ground_truth="Tea is a drink.",
        )
    )
    assert result.score == 1.0
    assert judge.asks[1].contexts == ("found for Tea?",)


def test_precision_with_contexts_that_the_output_names() -> None:
    judge = FakeJudge.always("yes")
    scorer = create_context_precision_scorer(
        model=judge,
        context_extractor=lambda _input, output: output.metadata.get("retrieved_context") or [],
    )
    assert _evaluate(scorer, [{"input": "How does photosynthesis work in plants?"}]) == {"context_precision": 1.0}
    assert judge.asks[0].contexts == tuple(DOCUMENTS)


def test_relevancy_of_plain_questions() -> None:
    scorer = create_answer_relevancy_scorer(model=FakeJudge.always("yes"))
    data = [{"input": "What are the benefits of meditation?"}, {"input": "What should a breakfast include?"}]
    assert _evaluate(scorer, data) == {"answer_relevancy": 1.0}


def test_faithfulness_with_context_from_the_agents_own_calls() -> None:
    judge = FakeJudge.always("yes")
    scorer = create_faithfulness_scorer(model=judge)
    assert _evaluate(scorer, [{"input": "Tell me about green tea."}]) == {"faithfulness": 1.0}
    assert judge.asks[1].contexts == tuple(DOCUMENTS)

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from spanjudge import scorers
from spanjudge.conversation import AgentInput, AgentOutput, Message, ToolInvocation
from spanjudge.model import Document, Failure, RagRun, Score, Skip
from spanjudge.scorers import ScorerError, captured_context
from spanjudge.testing import FakeJudge, rag_run

INPUT = [Message("user", "Why?")]
OUTPUT = [Message("assistant", "Because.")]


def _seen(scorer_name: str, options: dict[str, Any], call: dict[str, Any]) -> tuple[str, ...]:
    """Return the contexts that the judge was shown."""
    judge = FakeJudge.always("yes")
    make = getattr(scorers, f"create_{scorer_name}_scorer")
    given = {"input": "Why?", "output": "Because.", "ground_truth": "So.", **call}
    asyncio.run(make(model=judge, **options).run(**given))
    return max((ask.contexts for ask in judge.asks), key=len)


@pytest.mark.parametrize("name", ["context_recall", "context_precision"])
def test_context_given_to_run_wins_over_everything(name: str) -> None:
    options = {"context": ["static"], "context_extractor": lambda _input, _output: ["extracted"]}
    assert _seen(name, options, {"context": ["given"], "input": INPUT, "output": OUTPUT}) == ("given",)
    assert _seen("faithfulness", {"context": ["static"]}, {"context": ["given"]}) == ("given",)


def test_recall_uses_the_extractor_of_the_two_only_for_the_agents_shape() -> None:
    options = {"context": ["static"], "context_extractor": lambda _input, _output: ["extracted"]}
    assert _seen("context_recall", options, {"input": INPUT, "output": OUTPUT}) == ("extracted",)
    assert _seen("context_recall", options, {}) == ("static",)
    assert _seen("context_recall", options, {"input": INPUT}) == ("static",)


def test_precision_always_prefers_the_extractor() -> None:
    options = {"context": ["static"], "context_extractor": lambda _input, _output: ["extracted"]}
    assert _seen("context_precision", options, {}) == ("extracted",)


def test_extractor_receives_the_agents_shape_and_may_be_async() -> None:
    received: list[Any] = []

    async def extract(given: AgentInput, output: AgentOutput) -> list[str]:
        received.extend([given, output])
        await asyncio.sleep(0)
        calls = [call for message in output if message.role == "assistant" for call in message.tool_invocations]
        return [str(call.result) for call in calls if call.state == "result"]

    called = {
        "role": "assistant",
        "content": "Because.",
        "tool_invocations": [{"name": "t", "state": "result", "result": "hit"}],
    }
    assert _seen("context_recall", {"context_extractor": extract}, {"input": INPUT, "output": [called]}) == ("hit",)
    assert received[0].input_messages[0].content == "Why?"


def test_extractor_of_a_captured_run_receives_the_agents_shape_even_without_messages() -> None:
    def extract(given: AgentInput, output: AgentOutput) -> list[str]:
        return [given.input_messages[0].content, output[-1].content, *output.metadata["retrieved_context"]]  # type: ignore[misc]

    judge = FakeJudge.always("yes")
    scorer = scorers.create_context_precision_scorer(model=judge, context_extractor=extract)
    asyncio.run(scorer.evaluate(rag_run("Q", ["c0", "c1"], "A")))
    assert judge.asks[0].contexts == ("Q", "A", "c0", "c1")


def test_extractor_of_a_plain_run_receives_what_was_passed() -> None:
    def extract(given: str, output: dict[str, list[str]]) -> list[str]:
        return [given, *output["found"]]

    call = {"output": {"text": "Because.", "found": ["x"]}}
    assert _seen("context_precision", {"context_extractor": extract}, call) == ("Why?", "x")


def test_captured_context_takes_the_documents_of_the_trace() -> None:
    judge = FakeJudge.always("yes")
    scorer = scorers.create_context_precision_scorer(model=judge, context_extractor=captured_context)
    asyncio.run(scorer.evaluate(rag_run(documents=["a", " ", "b"])))
    assert judge.asks[0].contexts == ("a", "b")


def test_captured_context_can_be_used_inside_ones_own_extractor() -> None:
    output = AgentOutput(OUTPUT, {"retrieved_context": ["x"]})
    assert captured_context(AgentInput(INPUT), output) == ["x"]
    assert captured_context("Why?", "Because.") is None
    options = {"context_extractor": captured_context}
    assert _seen("context_precision", options, {"input": INPUT, "output": output}) == ("x",)


@pytest.mark.parametrize("name", ["context_recall", "context_precision"])
def test_captured_context_without_a_trace_says_what_to_pass(name: str) -> None:
    make = getattr(scorers, f"create_{name}_scorer")
    scorer = make(model=FakeJudge(), context_extractor=captured_context)
    with pytest.raises(ScorerError, match="Pass the retrieved texts as `context`") as caught:
        asyncio.run(scorer.run(input="Why?", output="Because.", ground_truth="So."))
    assert caught.value.code == "no_context_captured"


def test_call_without_ground_truth_is_0_even_where_there_is_no_context_either() -> None:
    scorer = scorers.create_context_recall_scorer(model=FakeJudge(), context_extractor=captured_context)
    result = asyncio.run(scorer.run(input="Why?", output="Because."))
    assert (result.score, result.skip_reason) == (0.0, "no_ground_truth")


def test_faithfulness_falls_back_from_documents_to_metadata_to_tool_results() -> None:
    tool = Message("assistant", "", [ToolInvocation("calendar", {}, "result", "Meeting at 10")])
    answer = Message("assistant", "The meeting is at 10.")
    output = AgentOutput([tool, answer])
    assert _seen("faithfulness", {}, {"output": output}) == ("Meeting at 10",)
    named = AgentOutput([tool, answer], {"retrieved_context": ["doc"]})
    assert _seen("faithfulness", {}, {"output": named}) == ("doc",)

    judge = FakeJudge.always("yes")
    run = RagRun(query="q", answer="a", contexts=(Document("captured"),), output=output)
    asyncio.run(scorers.create_faithfulness_scorer(model=judge).evaluate(run))
    assert judge.asks[1].contexts == ("captured",)


def test_faithfulness_without_any_context_is_0_with_a_reason_and_no_ask() -> None:
    judge = FakeJudge()
    result = asyncio.run(scorers.create_faithfulness_scorer(model=judge).run(output="Paris is a city."))
    assert (result.score, result.skip_reason, judge.asks) == (0.0, "no_context_captured", [])


@pytest.mark.parametrize("contexts", [[""], ["  ", "\n"], []])
@pytest.mark.parametrize("name", ["context_recall", "faithfulness"])
def test_retriever_that_returned_nothing_or_blanks_is_a_finding(name: str, contexts: list[str]) -> None:
    judge = FakeJudge()
    outcome = asyncio.run(scorers.as_scorer(name).evaluate(rag_run(documents=contexts, ground_truth="So."), judge))
    assert isinstance(outcome, Score)
    assert (outcome.score, outcome.share, outcome.label, outcome.counts.total) == (0.0, 0.0, "none", 0)
    assert outcome.reason == "The context is empty."
    assert judge.asks == []


@pytest.mark.parametrize("contexts", [[""], []])
def test_precision_has_nothing_to_rank_in_an_empty_context(contexts: list[str]) -> None:
    outcome = asyncio.run(scorers.as_scorer("context_precision").evaluate(rag_run(documents=contexts), FakeJudge()))
    assert outcome == Skip(scorer="context_precision", code="empty_context")


def test_documents_known_by_id_alone_are_a_skip() -> None:
    run = RagRun(query="q", answer="a", contexts=(Document("text"), Document(None, id="kb-7")))
    outcome = asyncio.run(scorers.as_scorer("faithfulness").evaluate(run, FakeJudge()))
    assert outcome == Skip(scorer="faithfulness", code="context_text_missing")


@pytest.mark.parametrize("found", ["one long text", [1, 2], {"a": "b"}, [["nested"]]])
def test_extractor_that_returns_no_list_of_texts_is_told_so(found: Any) -> None:
    scorer = scorers.create_context_precision_scorer(model=FakeJudge(), context_extractor=lambda _input, _output: found)
    outcome = asyncio.run(scorer.evaluate(rag_run()))
    assert isinstance(outcome, Failure)
    assert outcome.code == "scorer_error"
    assert outcome.detail.startswith("What `context_extractor` returns must be a list of strings, not")
    with pytest.raises(ScorerError, match="must be a list of strings"):
        asyncio.run(scorer.run(input="q", output="a"))


def test_extractor_that_returns_none_has_captured_nothing() -> None:
    scorer = scorers.create_context_precision_scorer(model=FakeJudge(), context_extractor=lambda _input, _output: None)
    assert asyncio.run(scorer.evaluate(rag_run())) == Skip(scorer="context_precision", code="no_context_captured")


def test_extractor_that_raises_is_a_failure_that_quotes_nothing() -> None:
    def extract(_input: Any, _output: Any) -> list[str]:
        message = "secret content"
        raise KeyError(message)

    scorer = scorers.create_context_precision_scorer(model=FakeJudge(), context_extractor=extract)
    outcome = asyncio.run(scorer.evaluate(rag_run()))
    assert isinstance(outcome, Failure)
    assert outcome.detail.startswith("The context extractor raised KeyError at test_contexts.py:")
    assert "secret" not in outcome.detail


def test_extractor_is_not_called_for_a_run_that_is_skipped_anyhow() -> None:
    called: list[str] = []
    scorer = scorers.create_context_recall_scorer(
        model=FakeJudge(), context_extractor=lambda _input, _output: called.append("called") or []
    )
    assert asyncio.run(scorer.evaluate(rag_run())) == Skip(scorer="context_recall", code="no_ground_truth")
    assert called == []


@pytest.mark.parametrize("context", ["text", [1], ("a", None), {"a": 1}])
def test_context_given_to_run_must_be_a_list_of_texts(context: Any) -> None:
    scorer = scorers.create_faithfulness_scorer(model=FakeJudge())
    with pytest.raises(ScorerError, match="faithfulness: `context` must be a list of strings, not"):
        asyncio.run(scorer.run(output="a", context=context))

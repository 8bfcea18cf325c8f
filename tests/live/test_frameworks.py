"""Each framework in an environment of its own kind: two lines of spanjudge, one question, its scores in its trace."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from live.environments import HERE, python_of
from live.stand_in import ANSWER, reply
from spanjudge.testing.model_server import ModelServer

pytestmark = [
    pytest.mark.skipif(
        os.environ.get("SPANJUDGE_LIVE") != "1",
        reason="needs the package index and a minute: set SPANJUDGE_LIVE=1",
    ),
    pytest.mark.timeout(600),
]

# Program -> its environment, the span that the scores are about.
PROGRAMS: dict[str, tuple[str, str]] = {
    "langchain_chain": ("langchain", "RunnableSequence"),
    "langgraph_agent": ("langchain", "LangGraph"),
    "llamaindex_query_engine": ("llamaindex", "RetrieverQueryEngine.query"),
    "openai_tool_call": ("others", "ChatCompletion"),
    "litellm_tool_call": ("others", "completion"),
    "pydantic_ai_agent": ("others", "invoke_agent support"),
    "haystack_pipeline": ("others", "Pipeline.run"),
    "smolagents_agent": ("others", "ToolCallingAgent.run"),
    "openai_agents_agent": ("others", "Agent workflow"),
    "dspy_program": ("others", "Support.forward"),
    "agno_agent": ("others", "support.run"),
}
SCORERS = {"answer_relevancy", "context_precision", "context_recall", "faithfulness"}
QUIET = {
    "AGNO_TELEMETRY": "false",
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "OPENAI_API_KEY": "none",
}


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer(reply) as server:
        yield server


@pytest.fixture(params=PROGRAMS, scope="module")
def account(request: pytest.FixtureRequest, server: ModelServer) -> dict[str, Any]:
    """Run a program in its environment and return what it tells."""
    environment, target = PROGRAMS[request.param]
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("OTEL_", "SPANJUDGE_", "PYTHON"))
    }
    done = subprocess.run(
        [python_of(environment), HERE / "programs" / f"{request.param}.py", server.url],
        env=clean | QUIET,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {"target": target, **json.loads(done.stdout.splitlines()[-1])}


def test_question_contexts_in_order_and_answer_are_captured(account: dict[str, Any]) -> None:
    (run,) = account["runs"]
    assert (run["query"], run["answer"]) == (account["question"], account["answer"])
    assert [each["text"] for each in run["contexts"]] == account["contexts"]
    assert (run["complete"], run["warnings"]) == (True, [])
    assert account["answer"] == ANSWER


def test_scores_of_the_embedded_judge_are_in_the_trace_of_the_run(account: dict[str, Any]) -> None:
    (run,) = account["runs"]
    (target,) = [span for span in account["spans"] if span["span_id"] == run["target_span_id"]]
    assert target["name"] == account["target"]
    assert {span["attributes"]["gen_ai.evaluation.name"] for span in account["evaluations"]} == SCORERS
    for span in account["evaluations"]:
        assert (span["trace_id"], span["parent_id"]) == (target["trace_id"], target["span_id"])
        assert span["links"] == [target["span_id"]]
        assert span["attributes"]["spanjudge.judge.model"] == "embedded"
        assert 0 <= span["attributes"]["gen_ai.evaluation.score.value"] <= 1


def test_nothing_is_logged_by_spanjudge(account: dict[str, Any]) -> None:
    assert account["complaints"] == []


def test_answer_that_the_passages_hold_is_faithful(account: dict[str, Any]) -> None:
    scores = {
        span["attributes"]["gen_ai.evaluation.name"]: span["attributes"]["gen_ai.evaluation.score.value"]
        for span in account["evaluations"]
    }
    assert (scores["faithfulness"], scores["context_recall"]) == (1.0, 1.0)

"""Every numeric case of the four scorers through real LiteLLM and a real HTTP server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from spanjudge.judge.litellm import LiteLLMJudge
from spanjudge.model import Counts
from spanjudge.testing.model_server import ModelServer
from unit.scorers.cases import CASES, REASON, Case

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture(scope="module")
def judge(server: ModelServer) -> LiteLLMJudge:
    return LiteLLMJudge("openai/scripted", api_base=server.url, api_key="none", max_attempts=1)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_score_is_what_the_definition_says(case: Case, server: ModelServer, judge: LiteLLMJudge) -> None:
    before = len(server.requests)
    server.say(*case.script)
    result = asyncio.run(case.scorer(judge).run(**case.arguments()))
    assert result.score == case.score
    assert result.counts == Counts(*case.counts)
    assert result.skip_reason == case.skip_reason
    assert len(server.requests) - before == len(case.script) == result.usage.calls
    assert (result.reason == REASON) == (REASON in case.script)

from __future__ import annotations

import pytest

from spanjudge.judge.ask import Ask, Reply
from spanjudge.judge.litellm import LiteLLMJudge
from spanjudge.judge.select import judge_for


class Mine:
    model = "mine"
    fingerprint = "mine/1"

    async def ask(self, ask: Ask, /) -> Reply:
        return Reply(ask.instructions)


def test_a_name_is_a_litellm_model() -> None:
    judge = judge_for(" openai/gpt-5-mini ")
    assert isinstance(judge, LiteLLMJudge)
    assert judge.model == "openai/gpt-5-mini"


def test_the_same_name_is_the_same_judge() -> None:
    assert judge_for("openai/one") is judge_for("openai/one")
    assert judge_for("openai/one") is not judge_for("openai/two")


def test_embedded_is_the_judge_without_network() -> None:
    assert judge_for("embedded").model == "embedded"


def test_a_judge_is_taken_as_it_is() -> None:
    judge = Mine()
    assert judge_for(judge) is judge


@pytest.mark.parametrize("name", ["", "  "])
def test_an_empty_name_is_told(name: str) -> None:
    with pytest.raises(ValueError, match='name is empty; give "embedded"'):
        judge_for(name)


@pytest.mark.parametrize("thing", [None, 3, object(), Mine, ["embedded"]])
def test_what_is_no_judge_is_told(thing: object) -> None:
    with pytest.raises(TypeError, match="is no judge; give the name of a model"):
        judge_for(thing)  # type: ignore[arg-type]

from __future__ import annotations

import pytest

from spanjudge.dialects import mlflow
from unit.dialects.one_span import ANSWER, DOCUMENTS, FOUND, QUERY, contents, found, one, text

TYPE, INPUT, OUTPUT = "mlflow.spanType", "mlflow.spanInputs", "mlflow.spanOutputs"


@pytest.mark.parametrize(("word", "kind"), [('"CHAT_MODEL"', "llm"), ("RETRIEVER", "retriever"), ('"UNKNOWN"', None)])
def test_kind_is_the_type_in_quotes_or_without(word: str, kind: str | None) -> None:
    assert mlflow.kind(one({TYPE: word})) == kind


def test_operation_is_the_type_where_mlflow_speaks_the_genai_names() -> None:
    assert mlflow.kind(one({"gen_ai.operation.name": "CHAIN"}, scope="mlflow.tracing.provider")) == "chain"
    assert mlflow.kind(one({"gen_ai.operation.name": "CHAIN"}, scope="another")) is None


def test_quotes_are_taken_off_texts() -> None:
    facts = mlflow.read(one({TYPE: '"CHAIN"', INPUT: text({"question": QUERY}), OUTPUT: text(ANSWER)}))
    assert (facts.input, facts.output) == ({"question": QUERY}, ANSWER)


def test_retriever_and_model_are_read() -> None:
    facts = mlflow.read(one({TYPE: '"RETRIEVER"', INPUT: text({"q": QUERY}), OUTPUT: text(DOCUMENTS)}))
    assert (facts.query, found(facts.documents)) == (QUERY, FOUND)
    choices = {"choices": [{"message": {"role": "assistant", "content": ANSWER}}]}
    given = {"messages": [{"role": "user", "content": QUERY}]}
    facts = mlflow.read(
        one({TYPE: '"CHAT_MODEL"', INPUT: text(given), OUTPUT: text(choices), "mlflow.llm.model": '"m"'})
    )
    assert contents((*facts.input_messages, *facts.output_messages)) == [("user", QUERY), ("assistant", ANSWER)]
    assert facts.model == "m"


def test_session_and_user_are_those_of_the_trace() -> None:
    facts = mlflow.read(one({TYPE: '"CHAIN"', "mlflow.trace.session": '"s"', "mlflow.trace.user": "u"}))
    assert (facts.session, facts.user) == ("s", "u")

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from spanjudge.judge.replies import list_field
from spanjudge.judge.schema import strict_schema
from spanjudge.scorers.answer_relevancy import Relevances, Statements
from spanjudge.scorers.answers import Claims, VerdictsAnswer, material
from spanjudge.scorers.context_precision import Usefulnesses
from spanjudge.scorers.context_recall import Attributions
from spanjudge.scorers.faithfulness import Verifications

WIRE = [
    (Attributions, "verdicts", "index", "verdict", ["yes", "no"]),
    (Verifications, "verdicts", "index", "verdict", ["yes", "unsure", "no"]),
    (Usefulnesses, "verdicts", "context_index", "verdict", ["yes", "no"]),
    (Relevances, "results", "index", "result", ["yes", "unsure", "no"]),
]


@pytest.mark.parametrize(("model", "listed", "index", "word", "words"), WIRE)
def test_schema_asks_for_index_then_reason_then_a_word_of_the_vocabulary(
    model: type[VerdictsAnswer], listed: str, index: str, word: str, words: list[str]
) -> None:
    schema: dict[str, Any] = strict_schema(model)
    (row,) = schema["$defs"].values()
    assert schema["required"] == [listed]
    assert list(row["properties"]) == row["required"] == [index, "reason", word]
    assert row["properties"][word]["enum"] == words
    assert row["properties"][index]["type"] == "integer"
    assert row["additionalProperties"] is False


@pytest.mark.parametrize("model", [Claims, Statements, Attributions, Verifications, Usefulnesses, Relevances])
def test_bare_array_fits_every_answer(model: type[Any]) -> None:
    assert list_field(model) is not None
    assert model.model_validate([]) == model.model_validate({list_field(model): []})


@pytest.mark.parametrize(("model", "listed", "index", "word", "words"), WIRE)
def test_words_alone_are_verdicts_without_indexes(
    model: type[VerdictsAnswer], listed: str, index: str, word: str, words: list[str]
) -> None:
    del index, word, words
    rows = model.model_validate({listed: ["yes", True, False, None]}).rows()
    assert [(row.index, row.word) for row in rows] == [(None, "yes"), (None, "yes"), (None, "no"), (None, "")]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (2, 2),
        ("2", 2),
        ("[2]", 2),
        (2.0, 2),
        (2.5, None),
        ("Claim about 1879", None),
        (None, None),
        (True, None),
        ([], None),
    ],
)
def test_index_is_read_from_a_number_alone(written: object, read: int | None) -> None:
    (row,) = Verifications.model_validate({"verdicts": [{"index": written, "verdict": "yes"}]}).rows()
    assert row.index == read


def test_word_outside_the_vocabulary_passes_so_that_it_can_be_asked_again() -> None:
    (row,) = Attributions.model_validate({"verdicts": [{"index": 0, "verdict": "partial", "reason": None}]}).rows()
    assert (row.word, row.reason) == ("partial", "")


def test_claims_under_another_key_do_not_fit() -> None:
    with pytest.raises(ValidationError):
        Claims.model_validate({"statements": ["a"]})


def test_claims_wrapped_in_objects_are_unwrapped_and_blank_ones_dropped() -> None:
    assert Claims.model_validate({"claims": ["a", "  ", {"claim": "b"}]}).claims == ["a", "b"]


def test_material_tells_every_change_of_text_model_or_option() -> None:
    base = material("text", Claims, scale=1)
    assert base == material("text", Claims, scale=1)
    assert (
        len(
            {
                base,
                material("other", Claims, scale=1),
                material("text", Statements, scale=1),
                material("text", Claims, scale=2),
            }
        )
        == 4
    )

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.judge.embedded import EmbeddedJudge, coefficients
from spanjudge.judge.embedded.coefficients import Model
from spanjudge.judge.embedded.evidence import FEATURES
from spanjudge.judge.embedded.phrases import ENGLISH_BALANCED_ACCURACY
from spanjudge.judge.embedded.rarity import RAREST, STEMS, rarity
from spanjudge.judge.embedded.ruling import EVEN
from spanjudge.judge.embedded.tokens import stem

STORED = Path(__file__).parents[4] / "benchmarks" / "judge_agreement.json"
MODELS = {name: value for name, value in vars(coefficients).items() if isinstance(value, Model)}


def stored() -> dict[str, Any]:
    result: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return result


def test_the_accuracy_told_to_users_is_the_one_measured() -> None:
    (line,) = [line for line in stored()["lines"] if line["title"] == "attribution, English"]
    assert round(line["balanced_accuracy"], 2) == ENGLISH_BALANCED_ACCURACY


def test_the_stored_measurement_is_of_these_coefficients() -> None:
    assert stored()["judge"] == EmbeddedJudge().fingerprint


def test_what_is_found_never_speaks_against_and_what_is_missing_never_for() -> None:
    signs = {"names": -1, "rarest": -1, "numbers": -1}
    for model in MODELS.values():
        for name, weight in model.weights:
            assert weight * signs.get(name, 1) > 0


def test_models_use_features_that_there_are() -> None:
    known = {*FEATURES, "fresh", "recall", "mass"}
    assert {name for model in MODELS.values() for name, _ in model.weights} <= known
    assert len(MODELS) == 6


@pytest.mark.parametrize("name", ["ATTRIBUTION_WORDS", "ATTRIBUTION_PAIRS"])
def test_a_claim_found_word_for_word_in_a_long_sentence_is_supported(name: str) -> None:
    found = dict.fromkeys(FEATURES, 0.0) | {"window": 1.0}
    assert MODELS[name].support(found) > EVEN


def test_nothing_found_supports_nothing() -> None:
    nothing = dict.fromkeys([*FEATURES, "fresh", "recall", "mass"], 0.0)
    assert all(model.support(nothing) < EVEN for model in MODELS.values())


def test_unsure_is_a_band_around_the_even_point() -> None:
    assert coefficients.UNSURE < EVEN < coefficients.RELEVANT


@given(st.dictionaries(st.just("x"), st.floats(-1e6, 1e6), min_size=1))
def test_support_is_a_probability_whatever_the_features(features: dict[str, float]) -> None:
    assert 0.0 < Model((("x", 1.0),), 0.0).support(features) < 1.0


def test_support_is_the_logistic_of_the_weighted_sum() -> None:
    model = Model((("a", 2.0), ("b", -1.0)), 0.5)
    assert model.support({"a": 1.0, "b": 0.5}) == pytest.approx(1 / (1 + math.exp(-2.0)))
    assert asdict(model)["bias"] == 0.5


def test_stems_in_the_table_are_stems() -> None:
    stems = [word for words in STEMS.values() for word in words.split()]
    assert len(stems) == len(set(stems)) > 2_000
    assert all(word.isascii() and word == word.lower() for word in stems)
    assert all(0 < step < RAREST for step in STEMS)
    # Words that people write must meet their entry: the table was made with this very stemmer.
    assert all(
        rarity(stem(word)) < RAREST for word in ("years", "working", "called", "companies", "people", "different")
    )


def test_rarity_of_what_is_no_english_word() -> None:
    assert rarity("zeugma") == RAREST
    assert rarity("1879") == 4.5
    assert rarity("保修") == rarity("보증") == 3.0
    assert rarity("größe") == RAREST

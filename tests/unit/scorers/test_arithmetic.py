from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.model import Counts, Verdict
from spanjudge.scorers.arithmetic import (
    average_precision,
    count,
    label_of,
    round_half_up,
    scaled,
    share_of_yes,
    weighted_relevancy,
)

words = st.sampled_from(["yes", "unsure", "no"])
verdicts = st.lists(st.builds(Verdict, item=st.just("x"), verdict=words), max_size=40)


@pytest.mark.parametrize(("value", "rounded"), [(1 / 8, 0.13), (5 / 8, 0.63), (3 / 40, 0.08), (29 / 200, 0.15)])
def test_halves_go_up_where_python_sends_them_to_the_even_side(value: float, rounded: float) -> None:
    assert round_half_up(value) == rounded != round(value, 2)


@pytest.mark.parametrize("divisor", range(1, 201))
def test_every_small_fraction_rounds_as_decimal_half_up_does(divisor: int) -> None:
    for dividend in range(divisor + 1):
        value = dividend / divisor
        exact = Decimal(repr(value)).quantize(Decimal("0.01"), ROUND_HALF_UP)
        assert round_half_up(value) == float(exact), value


@given(st.floats(0, 1), st.sampled_from([0.1, 0.335, 1, 5, 10, 100]))
def test_score_stays_within_the_scale(share: float, scale: float) -> None:
    assert 0 <= scaled(share, scale) <= scale
    assert abs(scaled(share, scale) - share * scale) <= 0.005 + 1e-9


@given(verdicts)
def test_counts_add_up(given_verdicts: list[Verdict]) -> None:
    counts = count(given_verdicts)
    assert counts.yes + counts.unsure + counts.no == counts.total == len(given_verdicts)


def test_missing_verdict_counts_as_the_word_it_took_and_as_missing() -> None:
    assert count([Verdict("a", "no", missing=True), Verdict("b", "yes")]) == Counts(2, 1, 0, 1, 1)


@given(verdicts, st.floats(0, 1))
def test_shares_lie_between_0_and_1_and_unsure_never_hurts(given_verdicts: list[Verdict], weight: float) -> None:
    counts = count(given_verdicts)
    assert 0 <= share_of_yes(counts) <= weighted_relevancy(counts, weight) <= 1 + 1e-12
    assert share_of_yes(counts) == pytest.approx(weighted_relevancy(counts, 0.0))


def test_nothing_asked_gives_0_and_no_division() -> None:
    assert share_of_yes(Counts()) == weighted_relevancy(Counts(), 0.3) == average_precision([]) == 0


@given(st.lists(st.booleans(), max_size=40))
def test_average_precision_equals_the_exact_definition(relevant: list[bool]) -> None:
    ranks = [rank for rank, hit in enumerate(relevant, start=1) if hit]
    precisions = [Fraction(sum(relevant[:rank]), rank) for rank in ranks]
    exact = float(sum(precisions) / len(ranks)) if ranks else 0.0
    assert average_precision(relevant) == pytest.approx(exact, abs=1e-12)
    assert average_precision(relevant) <= 1


@given(st.lists(st.booleans(), min_size=2, max_size=20), st.data())
def test_moving_a_relevant_piece_up_never_lowers_precision(relevant: list[bool], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(relevant) - 2))
    if relevant[place + 1] and not relevant[place]:
        better = [*relevant]
        better[place], better[place + 1] = True, False
        assert average_precision(better) > average_precision(relevant)


@given(st.integers(1, 30), st.integers(0, 30))
def test_junk_after_the_last_relevant_piece_does_not_matter(relevant: int, junk: int) -> None:
    assert average_precision([True] * relevant + [False] * junk) == 1.0


@pytest.mark.parametrize(
    ("share", "label"),
    [
        (1.0, "excellent"),
        (0.9, "excellent"),
        (0.89, "good"),
        (0.7, "good"),
        (0.65, "fair"),
        (0.4, "fair"),
        (0.39, "poor"),
        (1 / 300, "poor"),
        (0.0, "none"),
    ],
)
def test_bands_have_no_holes(share: float, label: str) -> None:
    assert label_of(share) == label


def test_share_that_misses_its_band_by_one_bit_is_in_it() -> None:
    assert label_of(math.nextafter(0.7, 0)) == "good"

"""The choice of traces is uniform, nested, and independent of a head sampler's."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.sampling import head_probability, taken, threshold, trace_hash

TRACE_IDS = st.integers(min_value=1, max_value=2**128 - 1)
RATES = st.floats(min_value=0, max_value=1)


@given(TRACE_IDS, RATES, RATES)
def test_lower_rates_are_nested_in_higher_ones(trace_id: int, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert not taken(trace_id, low) or taken(trace_id, high)


@given(TRACE_IDS)
def test_rate_zero_takes_none_and_rate_one_takes_all(trace_id: int) -> None:
    assert not taken(trace_id, 0.0)
    assert taken(trace_id, 1.0)


@given(TRACE_IDS)
def test_hash_is_64_bits(trace_id: int) -> None:
    assert 0 <= trace_hash(trace_id) < 2**64


def _ids(kind: str, number: int) -> list[int]:
    rng = random.Random(20261129)
    if kind == "random":
        return [rng.getrandbits(128) for _ in range(number)]
    if kind == "64 bits":
        return [rng.getrandbits(64) for _ in range(number)]
    if kind == "time prefixed":
        return [((1_795_979_082 + i // 50) << 96) | rng.getrandbits(96) for i in range(number)]
    if kind == "ratio head sampler":  # TraceIdRatioBased keeps ids whose low 64 bits are below its bound
        return [(rng.getrandbits(64) << 64) | rng.randrange(2**64 // 100) for _ in range(number)]
    return [(rng.getrandbits(72) << 56) | (2**56 - 1 - rng.randrange(2**56 // 100)) for _ in range(number)]


@pytest.mark.parametrize(
    "kind", ["random", "64 bits", "time prefixed", "ratio head sampler", "consistent head sampler"]
)
@pytest.mark.parametrize("rate", [0.5, 0.1])
def test_share_taken_is_the_rate_whatever_chose_the_ids_before(kind: str, rate: float) -> None:
    ids = _ids(kind, 20_000)
    share = sum(taken(trace_id, rate) for trace_id in ids) / len(ids)
    assert share == pytest.approx(rate, abs=4 * (rate * (1 - rate) / len(ids)) ** 0.5)


def test_threshold_of_one_lies_above_every_hash() -> None:
    assert threshold(1.0) == 2**64


@pytest.mark.parametrize(
    ("trace_state", "probability"),
    [
        ("", 1.0),
        ("vendor=abc", 1.0),
        ("ot=th:0", 1.0),
        ("ot=th:8", 0.5),
        ("ot=th:c", 0.25),
        ("ot=th:e666", 1 - 0xE666 / 0x10000),
        ("a=b, ot=rv:123;th:8", 0.5),
        ("ot=th:xyz", 1.0),
        ("ot=th:123456789abcdef", 1.0),
        ("ot=th:", 1.0),
    ],
)
def test_head_probability_is_read_from_the_trace_state(trace_state: str, probability: float) -> None:
    assert head_probability(trace_state) == pytest.approx(probability)


@given(st.text(max_size=60))
def test_head_probability_of_any_text_is_a_probability(trace_state: str) -> None:
    assert 0 < head_probability(trace_state) <= 1

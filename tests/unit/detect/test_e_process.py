import json
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.detect.e_process import FADING, FIXED, EProcess

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=40)


def fed(scores: list[float], mu0: float = 0.8) -> EProcess:
    process = EProcess.start(mu0=mu0)
    for x in scores:
        process = process.update(x)
    return process


def test_nothing_seen_is_no_evidence() -> None:
    process = EProcess.start(mu0=0.8)
    assert (process.log_current, process.log_max, process.n) == (0.0, 0.0, 0)


def by_hand(scores: list[float], mu0: float) -> float:
    """The same evidence by plain products, each fading bettor going over all its past anew."""
    gains = [(mu0 - x) / (1 - mu0) for x in scores]
    capitals = [math.prod(1 + stake * gained for gained in gains) for stake in FIXED]
    for fading in FADING:
        capital = 1.0
        for now, gained in enumerate(gains):
            weights = [fading ** (now - 1 - then) for then in range(now)]
            total = sum(weight * gains[then] for then, weight in enumerate(weights))
            squares = 0.5 * fading**now + sum(weight * gains[then] ** 2 for then, weight in enumerate(weights))
            capital *= 1 + min(0.8, max(0.0, total / squares)) * gained
        capitals.append(capital)
    return math.log(sum(capitals) / len(capitals))


@given(SCORES, st.floats(0.05, 0.95))
def test_evidence_is_the_mean_of_the_bettors_capitals(scores: list[float], mu0: float) -> None:
    assert fed(scores, mu0).log_current == pytest.approx(by_hand(scores, mu0), abs=1e-6)


@given(SCORES)
def test_running_maximum_never_falls(scores: list[float]) -> None:
    process, seen = EProcess.start(mu0=0.7), [0.0]
    for x in scores:
        process = process.update(x)
        seen.append(max(seen[-1], process.log_current))
        assert process.log_max == seen[-1]


def test_a_long_calm_costs_little() -> None:
    calm = fed([1.0, 0.6] * 250, mu0=0.7)
    assert calm.log_current > -1.0
    process = calm
    for _ in range(12):
        process = process.update(0.3)
    assert process.log_max >= math.log(1 / 0.05)


@given(SCORES, st.floats(1, 500))
def test_equal_weights_say_the_same_as_none(scores: list[float], weight: float) -> None:
    process = EProcess.start(mu0=0.8, max_weight=weight)
    for x in scores:
        process = process.update(x, weight)
    assert process.log_current == pytest.approx(fed(scores).log_current)


def test_scores_at_the_bound_move_nothing() -> None:
    assert fed([0.8] * 50).log_current == pytest.approx(0.0)


def test_a_million_updates_stay_finite() -> None:
    process = EProcess.start(mu0=0.8)
    for _ in range(1000):
        process = process.update(1.0)
    # What 10^6 such updates come to, then the other way.
    state = process.to_dict() | {"capitals": [value * 1000 for value in process.capitals], "n": 1_000_000}
    calm = EProcess.from_dict(state)
    assert -2e6 < calm.log_current < 0
    assert math.isfinite(calm.update(0.0).log_current)
    wild = EProcess.from_dict(state | {"capitals": [-value for value in calm.capitals], "log_max": 1e6})
    assert math.isfinite(wild.update(0.0).log_current)


def test_false_alarms_stay_below_alpha_although_one_looks_at_every_unit(rng: random.Random) -> None:
    alarms = 0
    for _ in range(200):
        process = EProcess.start(mu0=0.8)
        for _ in range(400):
            process = process.update(float(rng.random() < 0.8))
        alarms += process.log_max >= math.log(1 / 0.05)
    # 19 of 200 is three standard errors above .05.
    assert alarms <= 19


def test_a_fall_from_8_to_7_tenths_is_found(rng: random.Random) -> None:
    for _ in range(20):
        process = EProcess.start(mu0=0.8)
        for _ in range(200):
            process = process.update(rng.betavariate(7, 3))
        assert process.log_max >= math.log(1 / 0.05)


def test_weighted_false_alarms_stay_below_alpha(rng: random.Random) -> None:
    # Bad answers are judged ten times as often; unweighted, their mean would be .31.
    alarms = 0
    for _ in range(200):
        process = EProcess.start(mu0=0.8, max_weight=10.0)
        for _ in range(1500):
            x = float(rng.random() < 0.8)
            weight = 10.0 if x else 1.0
            if rng.random() < 1 / weight:
                process = process.update(x, weight)
        alarms += process.log_max >= math.log(1 / 0.05)
    assert alarms <= 19


@given(SCORES)
def test_state_survives_json(scores: list[float]) -> None:
    process = fed(scores)
    assert EProcess.from_dict(json.loads(json.dumps(process.to_dict()))) == process


@pytest.mark.parametrize(
    "damage",
    [
        {"capitals": [0.0]},
        {"capitals": None},
        {"capitals": [0.0] * 4 + [math.nan]},
        {"capitals": [0.0] * 4 + ["0"]},
        {"memories": [1.0]},
        {"log_max": True},
        {"log_max": 10**400},
        {"mu0": 1.0},
        {"max_weight": 0},
        {"n": -1},
        {"n": 1.5},
    ],
)
def test_damaged_state_is_refused_in_a_sentence(damage: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"must"):
        EProcess.from_dict(fed([0.5]).to_dict() | damage)


@pytest.mark.parametrize("mu0", [-0.1, 1.0, math.nan])
def test_bound_that_no_mean_can_have_is_refused(mu0: float) -> None:
    with pytest.raises(ValueError, match='"mu0" must be at least 0 and below 1'):
        EProcess.start(mu0=mu0)


def test_weight_above_the_announced_one_is_refused_not_clipped() -> None:
    with pytest.raises(ValueError, match="set max_weight"):
        EProcess.start(mu0=0.8, max_weight=2.0).update(0.5, 3.0)

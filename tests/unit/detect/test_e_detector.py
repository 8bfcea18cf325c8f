import json
import math
import random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.detect.betting import STAKES
from spanjudge.detect.e_detector import EDetector

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=40)


def fed(scores: list[float], mu0: float = 0.8) -> EDetector:
    detector = EDetector.start(mu0=mu0)
    for x in scores:
        detector = detector.update(x)
    return detector


@given(SCORES, st.floats(0.01, 0.99))
def test_evidence_follows_the_recursion(scores: list[float], mu0: float) -> None:
    levels = [0.0] * len(STAKES)
    for x in scores:
        levels = [
            (level + 1) * (1 + stake / (1 - mu0) * (mu0 - x)) for level, stake in zip(levels, STAKES, strict=True)
        ]
    assert fed(scores, mu0).log_current == pytest.approx(math.log(fmean(levels)), abs=1e-6)


def test_nothing_seen_says_nothing() -> None:
    detector = EDetector.start(mu0=0.8)
    assert detector.log_current is None
    assert detector.log_max is None


def test_a_change_is_seen_as_soon_after_a_long_calm_as_after_a_short_one(rng: random.Random) -> None:
    def units_to_alarm(calm: int) -> int:
        detector = fed([rng.betavariate(9, 1) for _ in range(calm)])
        while (detector.log_current or 0.0) < math.log(5000):
            detector = detector.update(0.2)
        return detector.n - calm

    assert abs(units_to_alarm(1000) - units_to_alarm(20)) <= 1


def test_runs_until_a_false_alarm_are_longer_than_promised_on_average(rng: random.Random) -> None:
    lengths = []
    for _ in range(40):
        detector = EDetector.start(mu0=0.8)
        while detector.n < 1500 and (detector.log_max or 0.0) < math.log(200):
            detector = detector.update(float(rng.random() < 0.8))
        lengths.append(detector.n)
    assert fmean(lengths) >= 200


def test_a_million_calm_updates_leave_a_level_that_can_rise_again() -> None:
    detector = fed([1.0] * 2000)
    again = detector.update(1.0)
    assert again.capitals == pytest.approx(detector.capitals)  # it has settled: more calm changes nothing
    assert again.update(0.0).log_current > again.log_current


def test_a_breakdown_without_end_does_not_overflow() -> None:
    state = fed([0.0] * 100).to_dict()
    high = EDetector.from_dict(state | {"capitals": [1e7] * len(STAKES), "log_max": 1e7})
    assert high.update(0.0).log_current > 1e7


@given(SCORES)
def test_state_survives_json(scores: list[float]) -> None:
    detector = fed(scores)
    assert EDetector.from_dict(json.loads(json.dumps(detector.to_dict()))) == detector


def test_state_of_nothing_seen_survives_json() -> None:
    detector = EDetector.start(mu0=0.5, max_weight=20.0)
    assert EDetector.from_dict(json.loads(json.dumps(detector.to_dict()))) == detector


def test_damaged_state_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match=r'"log_current" must hold 1 finite number\(s\), not None: start anew'):
        EDetector.from_dict(fed([0.5]).to_dict() | {"log_current": None})


def test_score_and_weight_are_checked() -> None:
    with pytest.raises(ValueError, match="share from 0 to 1"):
        EDetector.start(mu0=0.8).update(1.5)
    with pytest.raises(ValueError, match="above the greatest announced"):
        EDetector.start(mu0=0.8).update(0.5, 1.5)

import json
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.detect.regression import Evidence, RegressionDetector


def feed(detector: RegressionDetector, scores: list[float]) -> Evidence:
    for x in scores:
        detector.update(x)
    return detector.evidence


def beta(rng: random.Random, mean: float, n: int) -> list[float]:
    return [rng.betavariate(10 * mean, 10 * (1 - mean)) for _ in range(n)]


def test_while_the_baseline_is_collected_there_is_no_evidence() -> None:
    evidence = feed(RegressionDetector(baseline_n=10), [0.0] * 9)
    assert evidence == Evidence(
        log_current=None,
        log_max=None,
        threshold=evidence.threshold,
        crossed=False,
        baseline=None,
        collected=9,
        updates=0,
    )


def test_baseline_is_frozen_after_its_units() -> None:
    detector = RegressionDetector(baseline_n=4, tolerance=0.1)
    frozen = feed(detector, [0.5, 1.0, 1.0, 0.5]).baseline
    assert frozen is not None
    assert frozen.n == 4
    assert frozen.mean == pytest.approx(0.75)
    assert 0.0 <= frozen.lower < 0.75
    assert frozen.mu0 == max(0.0, frozen.lower - 0.1)
    assert feed(detector, [0.0] * 50).baseline is frozen


def test_threshold_leaves_the_baseline_its_share_of_alpha() -> None:
    assert RegressionDetector(alpha=0.05).evidence.threshold == pytest.approx(math.log(40))
    assert RegressionDetector(alpha=0.05, baseline_share=0.2).evidence.threshold == pytest.approx(math.log(25))


def test_floor_needs_no_baseline_and_spends_all_alpha_on_evidence() -> None:
    detector = RegressionDetector(floor=0.8, alpha=0.05)
    evidence = feed(detector, [0.0])
    assert evidence.threshold == pytest.approx(math.log(20))
    assert evidence.baseline is None
    assert evidence.updates == 1
    assert evidence.log_current is not None
    assert evidence.log_current > 0


def test_detector_kind_has_the_run_length_as_its_threshold() -> None:
    assert RegressionDetector(kind="e_detector", arl=5000).evidence.threshold == pytest.approx(math.log(5000))


@pytest.mark.parametrize("kind", ["e_process", "e_detector"])
def test_a_fall_from_8_to_7_tenths_is_found(kind: str, rng: random.Random) -> None:
    detector = RegressionDetector(baseline_n=200, tolerance=0.0, kind=kind)
    assert not feed(detector, beta(rng, 0.8, 200)).crossed
    assert feed(detector, beta(rng, 0.7, 400)).crossed


def test_false_alarms_with_an_estimated_baseline_stay_below_alpha(rng: random.Random) -> None:
    alarms = 0
    for _ in range(150):
        detector = RegressionDetector(baseline_n=50, tolerance=0.0, alpha=0.1)
        alarms += feed(detector, beta(rng, 0.8, 400)).crossed
    # 26 of 150 is three standard errors above .1.
    assert alarms <= 26


def test_a_baseline_of_zeros_never_alarms() -> None:
    evidence = feed(RegressionDetector(baseline_n=5), [0.0] * 100)
    assert evidence.baseline is not None
    assert evidence.baseline.mu0 == 0.0
    assert not evidence.crossed


def test_running_maximum_stays_after_the_series_has_recovered() -> None:
    detector = RegressionDetector(baseline_n=30)
    assert feed(detector, [0.9] * 30 + [0.1] * 15).crossed
    recovered = feed(detector, [0.95] * 60)
    assert recovered.crossed
    assert recovered.log_current is not None
    assert recovered.log_max is not None
    assert recovered.log_current < recovered.log_max


def test_reset_keeps_the_baseline_and_forgets_the_evidence() -> None:
    detector = RegressionDetector(baseline_n=30)
    before = feed(detector, [0.9] * 30 + [0.1] * 15)
    detector.reset()
    after = detector.evidence
    assert after.baseline == before.baseline
    assert (after.log_max, after.crossed, after.updates) == (None, False, 0)


def test_reset_may_ask_for_a_new_baseline() -> None:
    detector = RegressionDetector(baseline_n=30)
    feed(detector, [0.9] * 40)
    detector.reset(new_baseline=True)
    assert detector.evidence.baseline is None
    assert feed(detector, [0.5] * 30).baseline is not None


def test_reset_at_a_floor_goes_on_at_the_floor() -> None:
    detector = RegressionDetector(floor=0.8)
    assert feed(detector, [0.0] * 20).crossed
    detector.reset(new_baseline=True)
    assert feed(detector, [0.9]).updates == 1


@given(
    st.lists(st.floats(0, 1), max_size=30),
    st.lists(st.floats(0, 1), max_size=10),
    st.sampled_from(["e_process", "e_detector"]),
    st.sampled_from([None, 0.7]),
)
def test_a_restart_changes_nothing(before: list[float], after: list[float], kind: str, floor: float | None) -> None:
    lasting = RegressionDetector(baseline_n=8, kind=kind, floor=floor, detector_id="d1", max_weight=2.0)
    feed(lasting, before)
    restarted = RegressionDetector.from_dict(json.loads(json.dumps(lasting.to_dict())))
    assert (restarted.detector_id, restarted.settings) == ("d1", lasting.settings)
    assert feed(restarted, after) == feed(lasting, after)


def test_a_refused_update_changes_nothing() -> None:
    detector = RegressionDetector(baseline_n=2)
    detector.update(0.5)
    with pytest.raises(ValueError, match="share from 0 to 1"):
        detector.update(2.0)
    with pytest.raises(ValueError, match="above the greatest announced"):
        detector.update(0.5, weight=2.0)
    assert detector.evidence.collected == 1


@pytest.mark.parametrize(
    "damage",
    [
        {"detector_id": 3},
        {"settings": None},
        {"settings": {}},
        {"baseline": 1},
        {"baseline": {"n": 3}},
        {"process": []},
        {"units": None},
        {"units": [1]},
        {"units": [[2.0, 1.0]]},
        {"units": [[0.5, 9.0]]},
    ],
)
def test_damaged_state_is_refused_in_a_sentence(damage: dict[str, object]) -> None:
    detector = RegressionDetector(baseline_n=5)
    feed(detector, [0.5, 0.6])
    with pytest.raises(ValueError, match=r"Saved detector state|A score|A weight"):
        RegressionDetector.from_dict(detector.to_dict() | damage)


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"alpha": 0.0}, '"alpha" must be above 0'),
        ({"baseline_share": 1.0}, '"baseline_share" must be above 0'),
        ({"baseline_n": 0}, '"baseline_n" must be a whole number'),
        ({"tolerance": 1.0}, '"tolerance" must be at least 0'),
        ({"arl": 1.0}, '"arl" must be a finite number'),
        ({"arl": math.inf}, '"arl" must be a finite number'),
        ({"floor": 1.0}, '"floor" must be at least 0'),
        ({"max_weight": 0.0}, "A weight must be a finite number above 0"),
        ({"kind": "cusum"}, '"kind" must be one of e_process, e_detector'),
    ],
)
def test_settings_out_of_range_are_refused_by_name(setting: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        RegressionDetector(**setting)

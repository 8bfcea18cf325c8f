"""Simulate the alarms and the intervals: false alarms, median delay, coverage. Prints tables.

python benchmarks/detector.py [--streams 100] [--length 1000] [--seed 1]
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable, Iterator
from statistics import NormalDist, median

from spanjudge.detect.moments import Moments
from spanjudge.detect.regression import RegressionDetector

ALPHA = 0.05
ARL = 5000
LOOK_EVERY = 10
Draw = Callable[[random.Random, float], float]


def beta(rng: random.Random, mean: float) -> float:
    return rng.betavariate(10 * mean, 10 * (1 - mean))


def zero_or_one(rng: random.Random, mean: float) -> float:
    return float(rng.random() < mean)


def thirds(rng: random.Random, mean: float) -> float:
    return sum(rng.random() < mean for _ in range(3)) / 3


DRAWS: dict[str, Draw] = {"beta": beta, "0/1": zero_or_one, "k/3": thirds}


def stream(rng: random.Random, draw: Draw, before: float, after: float, change: int) -> Iterator[float]:
    position = 0
    while True:
        yield draw(rng, before if position < change else after)
        position += 1


def z_alarm(scores: Iterator[float], floor: float, length: int) -> int | None:
    """A sliding z-test over 50 scores at 5 %, looked at every 10: what a dashboard rule usually does."""
    bar = NormalDist().inv_cdf(1 - ALPHA)
    window: list[float] = []
    for position in range(1, length + 1):
        window = [*window[-49:], next(scores)]
        if position % LOOK_EVERY or len(window) < 50:
            continue
        mean = sum(window) / 50
        spread = math.sqrt(sum((x - mean) ** 2 for x in window) / 49)
        if spread and (floor - mean) / (spread / math.sqrt(50)) > bar:
            return position
    return None


def alarm(detector: RegressionDetector, scores: Iterator[float], length: int) -> int | None:
    """Updates until the alarm, a baseline's units not counted."""
    while True:
        evidence = detector.update(next(scores))
        if evidence.crossed:
            return evidence.updates
        if evidence.updates >= length:
            return None


def tell(name: str, times: list[int | None], change: int = 0) -> None:
    """Print false alarms before the change, changes missed, and the median delay, a missed one being endless."""
    early = f"{sum(time is not None and time <= change for time in times) / len(times):.1%}" if change else "-"
    after = [math.inf if time is None else time - change for time in times if time is None or time > change]
    middle = median(after) if after else math.inf
    delay = "endless" if middle == math.inf else f"{middle:.0f}"
    missed = sum(time is None for time in times)
    print(f"  {name:44} {early:>8} {missed / len(times):8.1%} {delay:>8}")


def quiet(name: str, times: list[int | None]) -> None:
    print(f"  {name:44} {sum(time is not None for time in times) / len(times):8.1%}")


def ways(baseline: int) -> dict[str, Callable[[], RegressionDetector]]:
    return {
        f"e-process at the true mean, alpha {ALPHA}": lambda: RegressionDetector(floor=0.8, alpha=ALPHA),
        f"e-detector at the true mean, ARL {ARL}": lambda: RegressionDetector(floor=0.8, kind="e_detector", arl=ARL),
        f"e-process, baseline of {baseline}, alpha {ALPHA}": lambda: RegressionDetector(
            baseline_n=baseline, tolerance=0.0, alpha=ALPHA
        ),
        f"e-process, baseline of {5 * baseline}, alpha {ALPHA}": lambda: RegressionDetector(
            baseline_n=5 * baseline, tolerance=0.0, alpha=ALPHA
        ),
        f"e-detector, baseline of {baseline}, ARL {ARL}": lambda: RegressionDetector(
            baseline_n=baseline, tolerance=0.0, kind="e_detector", arl=ARL
        ),
    }


def weighted(rng: random.Random, streams: int, length: int) -> None:
    """Bad answers are judged always, good ones one time in ten: by weight the mean stays .8, plainly it is .29."""
    for name, weight_of in (("weights as they are", lambda weight: weight), ("weights left out", lambda _: 1.0)):
        alarms = 0
        for _ in range(streams):
            detector = RegressionDetector(floor=0.8, alpha=ALPHA, max_weight=10.0)
            for _ in range(length):
                x = zero_or_one(rng, 0.8)
                weight = 10.0 if x else 1.0
                if rng.random() < 1 / weight:
                    detector.update(x, weight_of(weight))
            alarms += detector.evidence.crossed
        print(f"  {name:44} {alarms / streams:8.1%}")


def coverage(rng: random.Random, streams: int) -> None:
    print("\nCoverage of the 95 % interval (mean .95 unless said)")
    for name, draw, mean, n in (
        ("0/1, Wilson, 30 units", zero_or_one, 0.95, 30),
        ("0/1, Wilson, 100 units", zero_or_one, 0.95, 100),
        ("k/3, normal, 50 units", thirds, 0.95, 50),
        ("k/3, normal, 100 units", thirds, 0.95, 100),
        ("k/3, normal, 300 units", thirds, 0.95, 300),
        ("beta, normal, 100 units", beta, 0.95, 100),
        ("beta, normal, 100 units, mean .8", beta, 0.8, 100),
    ):
        held = 0
        for _ in range(streams):
            moments = Moments()
            for _ in range(n):
                moments = moments.add(draw(rng, mean))
            interval = moments.interval(least_n=2)
            held += interval is not None and interval.low <= mean <= interval.high
        print(f"  {name:44} {held / streams:8.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=100)
    parser.add_argument("--length", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)  # noqa: S311 - a simulation, repeatable
    streams, length = options.streams, options.length
    print(f"{streams} streams of {length} scores, seed {options.seed}, mean .8")
    for kind, draw in DRAWS.items():
        print(f"\n{kind} scores, no change: streams with a false alarm")
        still = [z_alarm(stream(rng, draw, 0.8, 0.8, 0), 0.8, length) for _ in range(streams)]
        quiet("sliding z-test of 50 scores, every 10, 5 %", still)
        for name, make in ways(200).items():
            quiet(name, [alarm(make(), stream(rng, draw, 0.8, 0.8, 0), length) for _ in range(streams)])
        for fall in (0.7, 0.5):
            print(f"\n{kind} scores, .8 -> {fall}: {'false':>33} {'missed':>8} {'delay':>8}")
            for name, make in ways(200).items():
                change = make().settings.baseline_n if make().settings.floor is None else 0
                times = [alarm(make(), stream(rng, draw, 0.8, fall, change), length) for _ in range(streams)]
                tell(name, times)
        print(f"\n{kind} scores, .8 -> .7 after 1000 calm ones: {'false':>14} {'missed':>8} {'delay':>8}")
        for name, make in list(ways(200).items())[:2]:
            times = [alarm(make(), stream(rng, draw, 0.8, 0.7, 1000), length + 1000) for _ in range(streams)]
            tell(name, times, change=1000)
    print("\nno change, bad answers sampled ten times as often: streams with a false alarm")
    weighted(rng, streams, length)
    coverage(rng, streams)


if __name__ == "__main__":
    main()

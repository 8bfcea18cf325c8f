"""How many reworded questions the near match of a golden set finds, and how many other questions it takes for them.

Usage: python benchmarks/golden_match.py [--misses]

The pairs are in golden_pairs.json: questions that ask the same, and questions that do not although they look alike. A
question that is not found has no reference and is skipped by recall; one that is taken for another gets a wrong
reference. So the default threshold is the lowest that takes none, on this grid.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import NamedTuple

from spanjudge.golden import GoldenSet
from spanjudge.golden.golden_set import DEFAULT_THRESHOLD

PAIRS = json.loads(Path(__file__).with_name("golden_pairs.json").read_text(encoding="utf-8"))
GRID = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0)


class Tally(NamedTuple):
    """What a threshold does."""

    found: int
    taken: list[tuple[str, str]]
    missed: list[tuple[str, str]]


def tally(threshold: float) -> Tally:
    """Count questions that are found, and list those that are taken for another and those that are missed."""
    hits = {name: [_matched(golden, asked, threshold) for golden, asked in pairs] for name, pairs in PAIRS.items()}
    taken = [tuple(pair) for pair, hit in zip(PAIRS["different"], hits["different"], strict=True) if hit]
    missed = [tuple(pair) for pair, hit in zip(PAIRS["same"], hits["same"], strict=True) if not hit]
    return Tally(sum(hits["same"]), taken, missed)


def _matched(golden: str, asked: str, threshold: float) -> bool:
    known = GoldenSet({golden: "the reference"}, threshold)
    return (known.exact(asked) or known.near(asked)) is not None


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--misses", action="store_true", help="list what the default threshold misses and takes")
    options = parser.parse_args()
    same, different = len(PAIRS["same"]), len(PAIRS["different"])
    print(f"| threshold | found of {same} reworded | taken of {different} others |\n|---:|---:|---:|")
    for threshold in GRID:
        found, taken, _ = tally(threshold)
        mark = " (default)" if threshold == DEFAULT_THRESHOLD else ""
        print(f"| {threshold}{mark} | {found} | {len(taken)} |")
    if options.misses:
        _, taken, missed = tally(DEFAULT_THRESHOLD)
        for name, pairs in (("missed", missed), ("taken", taken)):
            for golden, asked in pairs:
                print(f"{name}: {golden} | {asked}")


if __name__ == "__main__":
    main()

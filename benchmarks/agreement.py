"""Figures of agreement between a judge and labels, with intervals, and the tables that show them."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RESAMPLES = 1_000


@dataclass(frozen=True)
class Judged:
    """What a judge said of one labelled row; ``support`` orders rows, ``positive`` is its side."""

    row: dict[str, Any]
    group: int
    support: float
    positive: bool
    word: str


@dataclass(frozen=True)
class Line:
    """One line of the table."""

    title: str
    rows: int
    groups: int
    balanced_accuracy: float
    balanced_accuracy_low: float
    balanced_accuracy_high: float
    auroc: float
    auroc_low: float
    auroc_high: float


def balanced_accuracy(judged: Sequence[Judged]) -> float | None:
    """Mean of the shares of each class that are judged right; None where a class is missing."""
    right = {
        label: [it.positive == (label == "yes") for it in judged if it.row["label"] == label] for label in ("yes", "no")
    }
    if not right["yes"] or not right["no"]:
        return None
    return sum(sum(hits) / len(hits) for hits in right.values()) / 2


def auroc(judged: Sequence[Judged]) -> float | None:
    """Chance that a random yes has more support than a random no, ties counting half; None where a class is missing."""
    by_support: defaultdict[float, list[int]] = defaultdict(lambda: [0, 0])
    for it in judged:
        by_support[it.support][it.row["label"] == "yes"] += 1
    below, wins, ones = 0, 0.0, 0
    for support in sorted(by_support):
        zeros, hits = by_support[support]
        wins += hits * (below + zeros / 2)
        below += zeros
        ones += hits
    return wins / (below * ones) if below and ones else None


def interval(judged: Sequence[Judged], statistic: Callable[[Sequence[Judged]], float | None]) -> tuple[float, float]:
    """95 % bootstrap interval, whole groups resampled."""
    groups: defaultdict[int, list[Judged]] = defaultdict(list)
    for it in judged:
        groups[it.group].append(it)
    pools = list(groups.values())
    dice = random.Random(0)  # noqa: S311 - resampling, and the same each time
    found = []
    for _ in range(RESAMPLES):
        value = statistic([it for pool in dice.choices(pools, k=len(pools)) for it in pool])
        if value is not None:
            found.append(value)
    found.sort()
    return found[int(0.025 * len(found))], found[int(0.975 * len(found)) - 1]


def line(title: str, judged: list[Judged]) -> Line | None:
    accuracy, area = balanced_accuracy(judged), auroc(judged)
    if accuracy is None or area is None:
        return None
    low, high = interval(judged, balanced_accuracy)
    area_low, area_high = interval(judged, auroc)
    figures = (round(figure, 3) for figure in (accuracy, low, high, area, area_low, area_high))
    return Line(title, len(judged), len({it.group for it in judged}), *figures)


def print_table(lines: Sequence[Line]) -> None:
    print(f"{'set':42}{'rows':>6}{'groups':>8}   balanced accuracy      AUROC")
    for it in lines:
        print(
            f"{it.title:42}{it.rows:6}{it.groups:8}"
            f"   {it.balanced_accuracy:.3f} [{it.balanced_accuracy_low:.3f}, {it.balanced_accuracy_high:.3f}]"
            f"   {it.auroc:.3f} [{it.auroc_low:.3f}, {it.auroc_high:.3f}]"
        )


def markdown(stored: dict[str, Any]) -> tuple[str, str]:
    """The tables of docs/embedded-judge.md: agreement, and verdicts by label."""
    figures = (
        "| {title} | {rows} | {balanced_accuracy:.3f} [{balanced_accuracy_low:.3f}, {balanced_accuracy_high:.3f}] "
    )
    figures += "| {auroc:.3f} [{auroc_low:.3f}, {auroc_high:.3f}] |"
    head = ["| set | rows | balanced accuracy | AUROC |", "|---|--:|--:|--:|"]
    table = head + [figures.format(**it).replace("|   ", "| · ") for it in stored["lines"]]
    words = ["| labelled | yes | unsure | no |", "|---|--:|--:|--:|"]
    words += [f"| {label} | {' | '.join(map(str, it.values()))} |" for label, it in sorted(stored["verdicts"].items())]
    return "\n".join(table), "\n".join(words)

"""Fit the embedded judge's models and print the coefficients that stand in the code.

    python benchmarks/fit_embedded.py --data DIR            # the models of coefficients.py
    python benchmarks/fit_embedded.py --data DIR --rarity   # the stems of rarity.py

DIR holds a_attribution.dev.jsonl, b_chunk.dev.jsonl and c_relevancy.dev.jsonl (docs/embedded-judge.md says of what).
Plain gradient descent on standardised features, both classes weighing the same, a little L2, and every weight held to
the sign that its feature must have: more found can never speak against a claim.
"""

from __future__ import annotations

import argparse
import json
import math
import os
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from spanjudge.judge.embedded import evidence as ev
from spanjudge.judge.embedded import relevancy, usefulness
from spanjudge.judge.embedded.coefficients import Model
from spanjudge.judge.embedded.index import Index
from spanjudge.judge.embedded.pieces import pieces
from spanjudge.judge.embedded.rarity import RAREST
from spanjudge.judge.embedded.tokens import tokenise

Row = dict[str, Any]
Part = Literal["attribution", "usefulness", "relevancy"]
FILES: dict[Part, str] = {
    "attribution": "a_attribution.dev.jsonl",
    "usefulness": "b_chunk.dev.jsonl",
    "relevancy": "c_relevancy.dev.jsonl",
}
_ROUNDS = 1_500
_L2 = 1.0


@dataclass(frozen=True)
class Recipe:
    """One model of the code: which rows it learns from, and its features with the sign that each must have."""

    name: str
    part: Part
    sets: frozenset[str]
    signs: tuple[tuple[str, int], ...]


RECIPES = (
    Recipe(
        "ATTRIBUTION_WORDS",
        "attribution",
        frozenset({"ab_dev", "wice_dev"}),
        (("window", 1), ("closeness", 1), ("bigram", 1), ("names", -1), ("rarest", -1), ("numbers", -1), ("kin", 1)),
    ),
    Recipe("ATTRIBUTION_PAIRS", "attribution", frozenset({"klue", "ocnli"}), (("window", 1), ("numbers", -1))),
    Recipe(
        "USEFULNESS_WORDS",
        "usefulness",
        frozenset({"wice_dev", "rgb_en"}),
        (("fresh", 1), ("names", -1)),
    ),
    Recipe("USEFULNESS_PAIRS", "usefulness", frozenset({"rgb_zh"}), (("fresh", 1),)),
    Recipe("USEFULNESS_QUESTION", "usefulness", frozenset({"trecqa_dev"}), (("window", 1), ("names", -1))),
    Recipe("RELEVANCY", "relevancy", frozenset({"lfqa"}), (("recall", 1), ("mass", 1))),
)


def read_rows(data: Path, part: Part) -> list[Row]:
    with (data / FILES[part]).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def index_of(contexts: list[str]) -> Index:
    index = Index()
    for number, context in enumerate(contexts):
        for piece in pieces(context):
            index.add(number, piece)
    return index


def features_of(row: Row, part: Part) -> dict[str, float]:
    """The features of one labelled row, as the judge itself would see them."""
    if part == "attribution":
        return ev.features(ev.weigh(ev.read_item(row["claim"]), index_of(row["contexts"])))
    if part == "relevancy":
        question = ev.read_item(row["question"])
        return relevancy.relevancy_features(question, relevancy.relevant_keys(question, ev.read_item(row["statement"])))
    target = usefulness.read_target(row["question"], row["answer"])
    index = index_of([row["chunk"]])
    if not target.sentences:
        return ev.features(ev.weigh(target.question, index))
    # Answers here are one sentence; of more, the judge takes the one best supported.
    found = [usefulness.usefulness_features(target, item, ev.weigh(item, index)) for item in target.sentences]
    return max(found, key=lambda features: features["fresh"])


def groups_of(rows: list[Row]) -> list[int]:
    """Number the groups that share a question or a context, so that no document is on both sides of a split."""
    parent = list(range(len(rows)))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    seen: dict[tuple[str, str], int] = {}
    for at, row in enumerate(rows):
        shared = [("context", text) for text in row.get("contexts", [row.get("chunk", "")]) if text]
        shared += [(name, row[name]) for name in ("question", "answer") if row.get(name)]
        for key in shared:
            parent[root(at)] = root(seen.setdefault(key, at))
    return [root(at) for at in range(len(rows))]


def fit(recipe: Recipe, features: list[dict[str, float]], labels: list[bool]) -> Model:
    """Fit one model; the weights are given back for raw features."""
    names = [name for name, _ in recipe.signs]
    count = len(labels)
    means = [sum(row[name] for row in features) / count for name in names]
    spreads = [
        math.sqrt(sum((row[name] - mean) ** 2 for row in features) / count) or 1.0
        for name, mean in zip(names, means, strict=True)
    ]
    columns = [
        [(row[name] - mean) / spread for row in features]
        for name, mean, spread in zip(names, means, spreads, strict=True)
    ]
    share = sum(labels) / count
    importance = [0.5 / share if label else 0.5 / (1 - share) for label in labels]
    weights, bias = [0.0] * len(names), 0.0
    step = 4.0 / (len(names) + 1) / max(importance)
    for _ in range(_ROUNDS):
        errors = []
        for at in range(count):
            margin = bias + sum(weight * column[at] for weight, column in zip(weights, columns, strict=True))
            errors.append(importance[at] * (1 / (1 + math.exp(-margin)) - labels[at]))
        change = 0.0
        for at, (_, sign) in enumerate(recipe.signs):
            slope = sum(map(float.__mul__, errors, columns[at])) / count + _L2 * weights[at] / count
            moved = weights[at] - step * slope
            moved = moved if moved * sign > 0 else 0.0
            change = max(change, abs(moved - weights[at]))
            weights[at] = moved
        bias -= step * sum(errors) / count
        if change < 1e-5:
            break
    raw = [weight / spread for weight, spread in zip(weights, spreads, strict=True)]
    shift = sum(weight * mean for weight, mean in zip(raw, means, strict=True))
    return Model(
        tuple((name, round(weight, 3)) for name, weight in zip(names, raw, strict=True)), round(bias - shift, 3)
    )


def print_models(data: Path) -> None:
    for recipe in RECIPES:
        rows = [row for row in read_rows(data, recipe.part) if row["set"] in recipe.sets]
        model = fit(recipe, [features_of(row, recipe.part) for row in rows], [row["label"] == "yes" for row in rows])
        print(f"{recipe.name}: Final = Model({model.weights}, {model.bias})  # n={len(rows)}")


def print_rarity(data: Path) -> None:
    rows = read_rows(data, "attribution") + read_rows(data, "usefulness")
    texts = {text for row in rows if row["lang"] == "en" for text in row.get("contexts", [row.get("chunk")])}
    counts = Counter[str]()
    for text in texts:
        counts.update({token.key for token in tokenise(text) if token.kind != "number" and token.key.isascii()})
    steps: defaultdict[float, list[str]] = defaultdict(list)
    for stem, count in counts.items():
        if count * 250 >= len(texts):
            steps[min(RAREST, round(2 * math.log(len(texts) / count)) / 2)].append(stem)
    print(f"# {len(texts)} texts")
    for step in sorted(steps):
        print(f"{step}: {' '.join(sorted(steps[step]))}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=os.environ.get("SPANJUDGE_JUDGE_DATA"), help="folder of the sets")
    parser.add_argument("--rarity", action="store_true", help="print the stems of rarity.py instead of the models")
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("give the folder of the labelled sets with --data or SPANJUDGE_JUDGE_DATA")
    (print_rarity if arguments.rarity else print_models)(Path(arguments.data))


if __name__ == "__main__":
    main()

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[4] / "benchmarks"


@pytest.fixture
def agreement(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("judge_agreement")


@pytest.fixture
def fitting(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("fit_embedded")


def judged(agreement: ModuleType, *rows: tuple[str, float]) -> list[Any]:
    return [
        agreement.Judged({"label": label}, at, support, support >= 0.5, "yes")
        for at, (label, support) in enumerate(rows)
    ]


def test_balanced_accuracy_weighs_both_classes_the_same(agreement: ModuleType) -> None:
    rows = judged(agreement, ("yes", 0.9), ("yes", 0.9), ("yes", 0.1), ("no", 0.9))
    assert agreement.balanced_accuracy(rows) == pytest.approx((2 / 3 + 0) / 2)


def test_auroc_counts_pairs_in_order_and_ties_half(agreement: ModuleType) -> None:
    rows = judged(agreement, ("yes", 0.9), ("yes", 0.4), ("no", 0.4), ("no", 0.1))
    assert agreement.auroc(rows) == pytest.approx((2 + 0.5 + 1) / 4)


def test_one_class_alone_has_no_figure(agreement: ModuleType) -> None:
    rows = judged(agreement, ("yes", 0.9), ("yes", 0.4))
    assert agreement.balanced_accuracy(rows) is None
    assert agreement.auroc(rows) is None
    assert agreement.line("x", rows) is None


def test_interval_holds_the_figure_and_is_the_same_each_time(agreement: ModuleType) -> None:
    rows = judged(
        agreement, *[("yes", 0.6 + at % 5 / 10) for at in range(30)], *[("no", at % 7 / 10) for at in range(30)]
    )
    low, high = agreement.interval(rows, agreement.auroc)
    assert low < agreement.auroc(rows) < high
    assert (low, high) == agreement.interval(rows, agreement.auroc)


def test_a_judge_below_the_bar_fails_the_benchmark(agreement: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    def line(accuracy: float, area: float, title: str = agreement.GATED) -> Any:
        return agreement.Line(title, 1, 1, accuracy, accuracy, accuracy, area, area, area)

    assert agreement.met([line(0.70, 0.77)]) == 0
    assert agreement.met([line(0.69, 0.77)]) == 1
    assert agreement.met([line(0.70, 0.76)]) == 1
    assert agreement.met([line(0.99, 0.99, title="other")]) == 1
    assert "balanced_accuracy 0.690 < 0.70" in capsys.readouterr().out


def test_rows_that_share_a_question_or_context_are_one_group(fitting: ModuleType) -> None:
    rows = [
        {"question": "a", "contexts": ["x"]},
        {"question": "a", "contexts": ["y"]},
        {"question": "b", "contexts": ["y", "z"]},
        {"question": "", "contexts": ["w"]},
        {"question": "", "contexts": ["w"]},
        {"question": "c", "chunk": "x"},
    ]
    groups = fitting.groups_of(rows)
    assert groups[0] == groups[1] == groups[2] == groups[5]
    assert groups[3] == groups[4] != groups[0]


def test_fitting_finds_the_feature_that_tells_and_keeps_signs(fitting: ModuleType) -> None:
    recipe = fitting.Recipe("X", "relevancy", frozenset({"s"}), (("good", 1), ("wrong", -1)))
    labels = [at % 2 == 0 for at in range(100)]
    features = [{"good": label + (at % 3) / 10, "wrong": label + (at % 5) / 10} for at, label in enumerate(labels)]
    model = fitting.fit(recipe, features, labels)
    weights = dict(model.weights)
    assert weights["good"] > 1
    assert weights["wrong"] == 0
    right = [(model.support(row) >= 0.5) is label for row, label in zip(features, labels, strict=True)]
    assert sum(right) / len(right) > 0.95


def test_every_model_of_the_code_has_its_recipe(fitting: ModuleType) -> None:
    from spanjudge.judge.embedded import coefficients  # noqa: PLC0415 - beside the recipes it is held against

    for recipe in fitting.RECIPES:
        names = [name for name, _ in getattr(coefficients, recipe.name).weights]
        assert names == [name for name, _ in recipe.signs]

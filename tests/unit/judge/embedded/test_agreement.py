import asyncio
import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from spanjudge.judge.ask import Ask, JudgeError, Reply

BENCHMARKS = Path(__file__).parents[4] / "benchmarks"


@pytest.fixture
def agreement(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("judge_agreement")


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("agreement")


@pytest.fixture
def fitting(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("fit_embedded")


def judged(figures: ModuleType, *rows: tuple[str, float]) -> list[Any]:
    return [
        figures.Judged({"label": label}, at, support, support >= 0.5, "yes") for at, (label, support) in enumerate(rows)
    ]


def test_balanced_accuracy_weighs_both_classes_the_same(figures: ModuleType) -> None:
    rows = judged(figures, ("yes", 0.9), ("yes", 0.9), ("yes", 0.1), ("no", 0.9))
    assert figures.balanced_accuracy(rows) == pytest.approx((2 / 3 + 0) / 2)


def test_auroc_counts_pairs_in_order_and_ties_half(figures: ModuleType) -> None:
    rows = judged(figures, ("yes", 0.9), ("yes", 0.4), ("no", 0.4), ("no", 0.1))
    assert figures.auroc(rows) == pytest.approx((2 + 0.5 + 1) / 4)


def test_one_class_alone_has_no_figure(figures: ModuleType) -> None:
    rows = judged(figures, ("yes", 0.9), ("yes", 0.4))
    assert figures.balanced_accuracy(rows) is None
    assert figures.auroc(rows) is None
    assert figures.line("x", rows) is None


def test_interval_holds_the_figure_and_is_the_same_each_time(figures: ModuleType) -> None:
    rows = judged(
        figures, *[("yes", 0.6 + at % 5 / 10) for at in range(30)], *[("no", at % 7 / 10) for at in range(30)]
    )
    low, high = figures.interval(rows, figures.auroc)
    assert low < figures.auroc(rows) < high
    assert (low, high) == figures.interval(rows, figures.auroc)


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


TOO_SLOW = JudgeError("judge_timeout", "Too slow.")


class Scripted:
    """A judge that says yes to one text, fails on another and says no else."""

    model = fingerprint = "scripted"

    async def ask(self, ask: Ask, /) -> Reply:
        if ask.items == ("fails",):
            raise TOO_SLOW
        assert ask.answer_model is not None
        verdict = "yes" if ask.items == ("right",) else "no"
        return Reply(ask.answer_model.model_validate({"verdicts": [{"index": 0, "reason": "", "verdict": verdict}]}))


def test_another_judge_is_asked_and_rows_without_answer_are_left_out(
    agreement: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"id": claim, "claim": claim, "contexts": ["x"], "label": "yes"} for claim in ("right", "wrong", "fails")]
    judged = asyncio.run(agreement.judge_by_asking(Scripted(), rows, "attribution"))
    assert [(it.row["claim"], it.word, it.support, it.positive) for it in judged] == [
        ("right", "yes", 1.0, True),
        ("wrong", "no", 0.0, False),
    ]
    assert "left out fails: judge_timeout" in capsys.readouterr().out


def test_the_documentation_shows_the_stored_figures(figures: ModuleType) -> None:
    stored = json.loads((BENCHMARKS / "judge_agreement.json").read_text(encoding="utf-8"))
    text = (BENCHMARKS.parent / "docs" / "embedded-judge.md").read_text(encoding="utf-8")
    for table in figures.markdown(stored):
        assert table in text
    contradictions = stored["verdicts"]["klue contradiction"]
    denied = [counts["no"] for label, counts in stored["verdicts"].items() if label.startswith("klue")]
    assert f"{contradictions['yes']} of KLUE's {sum(contradictions.values())} contradictions" in text
    assert f"{contradictions['no']} of {sum(denied)} cases" in text
    assert all(ms < 1.0 for ms in stored["cpu_ms"].values())

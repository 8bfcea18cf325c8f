"""The golden set, and the marked call that is made of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from spanjudge.doctor.golden import golden_step
from spanjudge.errors import InputError
from spanjudge.settings import Settings


def test_marked_call_is_about_the_first_golden_question_and_bears_no_reference_itself(tmp_path: Path) -> None:
    file = tmp_path / "golden.csv"
    file.write_text("question,ground_truth\nHow long?,24 months.\nWhere?,Here.\n", encoding="utf-8")
    step, call = golden_step(Settings(ground_truth=str(file)))
    assert (step.state, step.facts["questions"]) == ("ok", 2)
    assert (call.question, call.documents, call.answer) == ("How long?", ("24 months.",), "24 months.")
    assert call.reference is None


def test_without_a_golden_set_the_marked_call_brings_its_own_reference() -> None:
    step, call = golden_step(Settings())
    assert (step.state, step.facts) == ("ok", {"path": None, "questions": 0})
    assert call.reference


def test_golden_set_without_a_question_is_bad_input(tmp_path: Path) -> None:
    file = tmp_path / "golden.csv"
    file.write_text("question,ground_truth\n", encoding="utf-8")
    with pytest.raises(InputError, match="holds no rows"):
        golden_step(Settings(ground_truth=str(file)))


def test_golden_set_that_cannot_be_read_names_its_line(tmp_path: Path) -> None:
    file = tmp_path / "golden.jsonl"
    file.write_text('{"question": "a", "ground_truth": "b"}\n{\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        golden_step(Settings(ground_truth=str(file)))

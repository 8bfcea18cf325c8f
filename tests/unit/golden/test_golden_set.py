"""References are found by the question, however it is written, and never for another question."""

from __future__ import annotations

import asyncio
import runpy
from pathlib import Path

import pytest

from spanjudge.dataset import GoldenItem
from spanjudge.errors import InputError
from spanjudge.golden import GoldenSet, Reference, normalised
from spanjudge.golden.golden_set import DEFAULT_THRESHOLD
from spanjudge.model import GoldenMatch, digest
from spanjudge.settings import Settings
from spanjudge.user_code import UserCode

MEASURED = runpy.run_path(str(Path(__file__).parents[3] / "benchmarks" / "golden_match.py"))


def _find(golden: GoldenSet, question: str) -> Reference | None:
    return asyncio.run(golden.find(question, UserCode(1.0)))


@pytest.mark.parametrize("question", ["How long?", "how LONG?", "  how\n long? ", "Ｈow long?"])
def test_question_is_matched_after_unicode_case_and_white_space_are_levelled(question: str) -> None:
    found = GoldenSet({"How long?": "24 months"}).exact(question)
    assert found == Reference("24 months", GoldenMatch(question=digest("how long?"), closeness=1.0))


def test_other_question_has_no_reference() -> None:
    assert _find(GoldenSet({"How long?": "24 months"}), "How much?") is None


def test_of_equal_questions_the_last_counts_and_ids_come_along() -> None:
    golden = GoldenSet([GoldenItem("How long?", "1"), GoldenItem("how  long?", "2", ("kb-1",))])
    found = golden.exact("How long?")
    assert found is not None
    assert found.match is not None
    assert (len(golden), found.text, found.match.ids) == (1, "2", ("kb-1",))


def test_equal_question_wins_over_a_close_one() -> None:
    golden = GoldenSet({"Is it the warranty": "close", "Is it your warranty": "equal"})
    found = _find(golden, "is it YOUR warranty")
    assert found is not None
    assert found.text == "equal"


def test_two_close_questions_with_different_references_give_none() -> None:
    assert _find(GoldenSet({"Is it the warranty": "1", "Is it my warranty": "2"}), "Is it your warranty") is None
    found = _find(GoldenSet({"Is it the warranty": "1", "Is it my warranty": "1"}), "Is it your warranty")
    assert found is not None
    assert found.text == "1"


def test_closest_question_is_taken_and_named_by_its_hash() -> None:
    golden = GoldenSet({"export monthly sales report": "a", "export monthly report": "b"}, threshold=0.5)
    found = golden.near("export the monthly regional sales report")
    assert found is not None
    assert found.text == "a"
    assert found.match == GoldenMatch(question=digest(normalised("export monthly sales report")), closeness=0.8)
    assert (
        GoldenSet({"export monthly sales report": "a"}, threshold=0.81).near("export monthly regional sales report")
        is None
    )


def test_default_threshold_is_the_lowest_measured_that_takes_no_question_for_another() -> None:
    """The table of benchmarks/golden_match.py."""
    tallies = {threshold: MEASURED["tally"](threshold) for threshold in MEASURED["GRID"]}
    clean = [threshold for threshold, tally in tallies.items() if not tally.taken]
    assert min(clean) == DEFAULT_THRESHOLD == Settings().golden_threshold
    assert tallies[DEFAULT_THRESHOLD].found >= 25


def test_mapping_that_holds_no_texts_is_refused() -> None:
    with pytest.raises(InputError, match="must map questions to texts, not 'How long\\?' to int"):
        GoldenSet({"How long?": 24})  # type: ignore[dict-item]

"""The golden set: whether it can be read, and a question of it for the marked trace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from spanjudge.doctor.marked import MarkedCall
from spanjudge.doctor.step import Step
from spanjudge.golden import GoldenFile

if TYPE_CHECKING:
    from spanjudge.settings import Settings


def golden_step(settings: Settings) -> tuple[Step, MarkedCall]:
    """Read the golden set, and make a call about its first question, whose reference the pipeline must then find.

    Raises:
        InputError: Where it cannot be read, naming its line, or holds no question.
    """
    path = settings.ground_truth
    if path is None:
        said = "there is none, so context_recall is skipped where a trace does not carry its right answer"
        return Step("golden", "ok", said, facts={"path": None, "questions": 0}), MarkedCall()
    items = list(GoldenFile(Path(path), settings.golden_threshold).current.items.values())
    facts = {"path": path, "questions": len(items)}
    first = items[0]
    call = MarkedCall(
        question=first.question, documents=(first.ground_truth,), answer=first.ground_truth, reference=None
    )
    return Step("golden", "ok", f"{len(items)} question{'s' if len(items) > 1 else ''} in {path}", facts=facts), call

"""What the application has recorded by hand wins over what instrumentations have captured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanjudge.assembly.joining import joined
from spanjudge.assembly.places import Found
from spanjudge.dialects.documents import ranked
from spanjudge.dialects.recorded import answer_of, retrievals

if TYPE_CHECKING:
    from spanjudge.assembly.view import RunView


def recorded_contexts(run: RunView) -> Found | None:
    """Documents of all retrievals that were recorded in a run, in the order of time.

    They are whole and of no instrumentation's making: no span vouches for them.
    """
    found = sorted((each for node in run.members for each in retrievals(node.span)), key=lambda each: each.time_ns)
    return Found(ranked(joined(each.documents for each in found))) if found else None


def recorded_question(run: RunView) -> str | None:
    """The first question that was recorded where the run begins.

    One that was recorded deeper inside may be a rewritten one: it counts as any retriever's.
    """
    begins = {run.root, *run.tops}
    found = [each for node in run.members if node in begins for each in retrievals(node.span) if each.query]
    return min(found, key=lambda each: each.time_ns).query if found else None


def recorded_answer(run: RunView) -> str | None:
    """The answer that was recorded last."""
    found = [told for node in run.members if (told := answer_of(node.span))]
    return max(found)[1] if found else None

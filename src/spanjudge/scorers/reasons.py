"""Reasons composed from verdicts: they cost nothing and cannot contradict the score."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge.judge.ask import Ask

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from spanjudge.model import VerdictWord
    from spanjudge.scorers.steps import Step, StepInput

_SHOWN: Final = 5
_ITEM_WIDTH: Final = 160

EXPLAIN: Final = """\
Explain the result to the people who run this system, in two to four sentences of plain text without lists or markup.
The verdicts and the result are settled: do not judge anew and give no other number.
{points}
Where a verdict's reason names a piece of context by its number, keep the number. Write in the language of the items."""


def explain(points: str, result: str = "{score:g} of {scale:g}", *, about_question: bool = True) -> Step:
    """Make the step that has the judge put verdicts and score into words; ``points`` says what to name."""
    instructions = EXPLAIN.format(points=points)

    def step(step: StepInput) -> Ask:
        return Ask(
            task="explain",
            instructions=instructions,
            question=(step.question.strip() or None) if about_question else None,
            verdicts=tuple(replace(each, item=shorten(each.item, _ITEM_WIDTH)) for each in step.verdicts),
            result=result.format(score=step.score, scale=step.scale),
        )

    return step


def compose(summary: str, groups: Mapping[VerdictWord, str], *, ranked: bool = False) -> Callable[[StepInput], str]:
    """Make a function that lists verdicts by word under ``summary``, which may name ``yes`` and ``total``.

    ``ranked`` puts each item's number before it.
    """

    def composed(step: StepInput) -> str:
        yes = sum(each.verdict == "yes" for each in step.verdicts)
        texts = [shorten(each.item, _ITEM_WIDTH) for each in step.verdicts]
        items = [f"[{rank}] “{text}”" if ranked else f"“{text}”" for rank, text in enumerate(texts)]
        pairs = list(zip(items, step.verdicts, strict=True))
        parts = [summary.format(yes=yes, total=len(step.verdicts))]
        for word, title in groups.items():
            held = [(item, each.reason) for item, each in pairs if each.verdict == word and not each.missing]
            if held:
                parts.append(f"{title}: {_listed(held)}.")
        missing = [(item, "") for item, each in pairs if each.missing]
        if missing:
            parts.append(f"Without a readable verdict, counted as no: {_listed(missing)}.")
        return " ".join(parts)

    return composed


def shorten(text: str, width: int) -> str:
    """Cut a text to ``width`` characters, visibly, in one line.

    >>> shorten("Paris is the capital of France.", 18)
    'Paris is the capi…'
    """
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"


def _listed(held: Sequence[tuple[str, str]]) -> str:
    shown = [item + (f" ({shorten(reason, _ITEM_WIDTH)})" if reason else "") for item, reason in held[:_SHOWN]]
    more = len(held) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more else "")

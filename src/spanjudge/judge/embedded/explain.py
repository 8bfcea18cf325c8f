"""A score explained in plain text, in the language of the data, from its verdicts alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spanjudge.judge.embedded.phrases import ENGLISH_BALANCED_ACCURACY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanjudge.judge.ask import Ask
    from spanjudge.judge.embedded.phrases import Phrases
    from spanjudge.model import Verdict, VerdictWord

_MOST_NAMED: Final = 5
_LONGEST_ITEM: Final = 90
_LONGEST_REASON: Final = 160


def explain(ask: Ask, phrases: Phrases) -> str:
    """Name the items by verdict with their reasons, five of each at most, and say what judged them."""
    groups: dict[VerdictWord, list[Verdict]] = {"yes": [], "unsure": [], "no": []}
    for verdict in ask.verdicts:
        groups[verdict.verdict].append(verdict)
    counts = {word: len(group) for word, group in groups.items()}
    parts = [phrases.result.format(result=ask.result or "-", **counts)]
    titles = {"yes": phrases.yes, "unsure": phrases.unsure, "no": phrases.no}
    parts += [f"{titles[word]}: {_named(group, phrases)}" for word, group in groups.items() if group]
    parts.append(phrases.about.format(accuracy=ENGLISH_BALANCED_ACCURACY))
    return phrases.stop.join(parts)


def _named(group: Sequence[Verdict], phrases: Phrases) -> str:
    named = [
        f"{phrases.quote.format(_cut(verdict.item, _LONGEST_ITEM))}{_reason(verdict)}"
        for verdict in group[:_MOST_NAMED]
    ]
    if len(group) > _MOST_NAMED:
        named.append(phrases.more.format(count=len(group) - _MOST_NAMED))
    return phrases.semicolon.join(named)


def _reason(verdict: Verdict) -> str:
    return f" ({_cut(verdict.reason, _LONGEST_REASON)})" if verdict.reason else ""


def _cut(text: str, most: int) -> str:
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else f"{line[: most - 1]}…"

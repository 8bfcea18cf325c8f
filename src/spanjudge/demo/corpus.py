"""The text that every Python carries, cut into passages."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LEAST_CHARS: Final = 350
_UNDERLINE: Final = re.compile(r"^([*=\-~^#])\1{2,}$")


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of one topic, with the headings it stands under."""

    id: str
    topic: str
    heading: str
    text: str


def read_topics() -> Mapping[str, str]:
    """Return the topics of ``help()``: the language reference of the running Python."""
    from pydoc_data.topics import topics  # noqa: PLC0415 - half a megabyte that only the demo reads

    return topics


def passages(topics: Mapping[str, str]) -> tuple[Passage, ...]:
    """Cut topics into passages of some paragraphs each; what several topics repeat is kept in the shortest one.

    Args:
        topics: Name of each topic and its text, headings underlined.
    """
    seen: set[str] = set()
    cut: list[Passage] = []
    for topic, text in sorted(topics.items(), key=lambda item: (len(item[1]), item[0])):
        fresh = [block for block in _blocks(text) if _is_new(block[1], seen)]
        for heading, blocks in itertools.groupby(fresh, key=lambda block: block[0]):
            for body in _joined(paragraph for _, paragraph in blocks):
                cut.append(Passage(f"{topic}#{len(cut)}", topic, heading, f"{heading}\n{body}"))
    return tuple(cut)


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    heading = ""
    for block in re.split(r"\n\s*\n", text):
        lines = block.strip("\n").split("\n")
        if len(lines) > 1 and _UNDERLINE.match(lines[1].strip()):
            heading, lines = lines[0].strip(), lines[2:]
        if any(line.strip() for line in lines):
            yield heading, "\n".join(lines)


def _is_new(paragraph: str, seen: set[str]) -> bool:
    key = " ".join(paragraph.split())
    if key in seen:
        return False
    seen.add(key)
    return True


def _joined(paragraphs: Iterator[str]) -> Iterator[str]:
    held: list[str] = []
    for paragraph in paragraphs:
        held.append(paragraph)
        if sum(map(len, held)) >= LEAST_CHARS:
            yield "\n\n".join(held)
            held = []
    if held:
        yield "\n\n".join(held)

"""Contexts out of a prompt's text, by patterns that the user has set: where no other place has any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spanjudge.assembly.places import Found
from spanjudge.model import Document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanjudge.assembly.tree import Node
    from spanjudge.assembly.view import RunView

MAX_CHARS: Final = 400_000
_ROLES: Final = ("system", "user")


def from_prompt(run: RunView) -> Found | None:
    """Find contexts in the prompt of the model that gives the answer, else in that of another one."""
    if not run.reading.context_patterns:
        return None
    models = ([run.speaker] if run.speaker else []) + [node for node in reversed(run.models) if node is not run.speaker]
    for node in models:
        texts = [text for prompt in _prompts(node) for text in run.reading.found_in(prompt[:MAX_CHARS])]
        if texts:
            return Found(tuple(Document(text=text) for text in texts), (node,), from_prompt=True)
    return None


def _prompts(node: Node) -> Iterator[str]:
    if node.facts.system:
        yield node.facts.system
    yield from (message.content for message in node.facts.input_messages if message.role in _ROLES)

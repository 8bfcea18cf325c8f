"""How spans are to be read, as the user has set it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spanjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection

    from spanjudge.dialects.plain_mapping import PlainMapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Settings of the reading of spans.

    Args:
        plain: Where facts stand in attributes of the user's own; names in common use are known without it.
        context_patterns: Regular expressions with one group each: what the group holds in a prompt is a context, where
            no other place has any. Runs that were read so carry the warning ``no_context_captured``.
        retrieval_tools: Names of the tools whose results are contexts; None takes every result that looks like
            documents.
        ignored_tools: Names of tools whose results are never contexts.
        sub_runs: Whether each agent inside a run is a run of its own as well.
        keep_attributes: Names of attributes to keep on the run: from its target, else from the nearest span around it,
            else from the resource.

    Raises:
        InputError: Where a pattern is no regular expression, or has not exactly one group.
    """

    plain: PlainMapping | None = None
    context_patterns: Collection[str | re.Pattern[str]] = ()
    retrieval_tools: Collection[str] | None = None
    ignored_tools: Collection[str] = ()
    sub_runs: bool = False
    keep_attributes: Collection[str] = ()

    def __post_init__(self) -> None:
        patterns = (self.context_patterns,) if isinstance(self.context_patterns, str) else self.context_patterns
        put = object.__setattr__
        put(self, "context_patterns", tuple(_compiled(pattern) for pattern in patterns))
        put(self, "retrieval_tools", None if self.retrieval_tools is None else _names(self.retrieval_tools))
        put(self, "ignored_tools", _names(self.ignored_tools))
        put(self, "keep_attributes", _names(self.keep_attributes))

    def takes(self, tool: str | None) -> bool:
        """Whether a tool's results may be contexts, by its name."""
        if tool is not None and tool in self.ignored_tools:
            return False
        return self.retrieval_tools is None or tool in self.retrieval_tools

    def found_in(self, prompt: str) -> list[str]:
        """Return what the patterns find in a prompt, in its order for each pattern."""
        patterns = [each for each in self.context_patterns if isinstance(each, re.Pattern)]
        found = (match[1] for pattern in patterns for match in pattern.finditer(prompt))
        return [text for text in found if text and text.strip()]


def _compiled(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        message = f"The context pattern {pattern!r} is no regular expression ({error}): correct it."
        raise InputError(message) from None
    if compiled.groups != 1:
        message = (
            f"The context pattern {compiled.pattern!r} has {compiled.groups} groups: give it exactly one,"
            " around the text of a context; write (?:...) for others."
        )
        raise InputError(message)
    return compiled


def _names(names: Collection[str]) -> frozenset[str]:
    return frozenset((names,) if isinstance(names, str) else names)


AS_IT_STANDS: Final = Reading()

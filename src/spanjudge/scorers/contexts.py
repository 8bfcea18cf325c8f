"""Where a scorer's contexts come from."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from spanjudge.scorers.case import checked_texts
from spanjudge.scorers.messages import tool_results
from spanjudge.scorers.steps import StepError

if TYPE_CHECKING:
    from spanjudge.scorers.case import Case
    from spanjudge.semconv import SkipCode

ContextExtractor: TypeAlias = Callable[[Any, Any], "list[str] | Awaitable[list[str] | None] | None"]
Contexts: TypeAlias = "tuple[str, ...] | SkipCode"


def captured_context(input: object, output: object) -> list[str] | None:  # noqa: A002, ARG001 - the signature of every extractor
    """Take the documents that the trace carried, or that the output's metadata names as ``retrieved_context``."""
    metadata = getattr(output, "metadata", None)
    if not isinstance(metadata, Mapping):
        return None
    found = metadata.get("retrieved_context", metadata.get("retrievedContext"))
    return list(found) if isinstance(found, (list, tuple)) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSource:
    """Contexts of a case, in order of precedence: named by the caller, then by these rules.

    ``extractor_first`` False leaves a run without the agent's shape to ``static`` where both are there.
    ``tools`` takes finished tool results where no documents were captured.
    """

    static: tuple[str, ...] | None = None
    extractor: ContextExtractor | None = None
    extractor_first: bool = True
    tools: bool = False

    @property
    def costly(self) -> bool:
        """Whether a user's own extractor may be called."""
        return self.extractor is not None and self.extractor is not captured_context

    async def of(self, case: Case) -> Contexts:
        """Return the contexts without blank ones, or the skip code that says why there are none to speak of.

        Raises:
            StepError: Where the extractor returns anything but a list of texts; what it raises itself passes.
        """
        if case.given is not None:
            return case.given
        extractor = self.extractor
        if self.static is not None and (extractor is None or not (self.extractor_first or case.agent_shaped)):
            return self.static
        if extractor is None or extractor is captured_context:
            return self._captured(case)
        found = extractor(case.input, case.output)
        if inspect.isawaitable(found):
            found = await found
        return "no_context_captured" if found is None else _texts(found, "What `context_extractor` returns")

    def _captured(self, case: Case) -> Contexts:
        documents = case.run.contexts
        if documents is not None:
            if any(document.text is None for document in documents):
                return "context_text_missing"
            return tuple(document.text for document in documents if document.text and document.text.strip())
        named = captured_context(case.input, case.output)
        if named is not None:
            return _texts(named, "`retrieved_context` in the output's metadata")
        results = tool_results(case.run.output) if self.tools else []
        return tuple(text for text in results if text.strip()) if results else "no_context_captured"


def _texts(value: object, name: str) -> tuple[str, ...]:
    try:
        return checked_texts(value, name)
    except TypeError as error:
        raise StepError(code="scorer_error", detail=str(error)) from error

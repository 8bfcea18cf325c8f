"""Texts of documents of which the telemetry carries only ids, from the user's own store."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge.conversation import AgentOutput
from spanjudge.dialects.documents import ranked

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanjudge.guard import Guard
    from spanjudge.model import Document, RagRun
    from spanjudge.settings import ResolveFunction
    from spanjudge.user_code import UserCode

MOST_TEXTS: Final = 4_096
MOST_CHARS: Final = 32 * 1024 * 1024
FRESH_S: Final = 600.0
WHERE: Final = "resolve_documents"


class DocumentResolver:
    """Asks the user's function for texts, once a run for all that are missing, and remembers what it said.

    Up to 4,096 texts of 32 million characters together are kept, the least used going first, each for 10 minutes.

    Args:
        function: Gives the texts of a list of ids: a mapping from id to text, or a list in the order of the ids, None
            where it knows none. Sync or async.
        caller: Calls it, in time.
        guard: Where its troubles are counted.
        monotonic: Seconds on some clock.
    """

    def __init__(
        self,
        function: ResolveFunction,
        caller: UserCode,
        guard: Guard,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._function = function
        self._caller = caller
        self._guard = guard
        self._monotonic = monotonic
        self._kept: OrderedDict[str, tuple[float, str]] = OrderedDict()
        self._chars = 0

    async def resolve(self, run: RagRun) -> RagRun:
        """Fill in the texts of a run's documents; what stays unknown stays a skip of the scorers that need it."""
        wanted = list(dict.fromkeys(each.id for each in run.contexts or () if each.text is None and each.id))
        if not wanted:
            return run
        texts = {each: text for each in wanted if (text := self._recall(each)) is not None}
        asked = [each for each in wanted if each not in texts]
        if asked:
            texts |= await self._ask(asked)
        return _with_texts(run, texts)

    async def _ask(self, ids: list[str]) -> dict[str, str]:
        try:
            found: object = await self._caller.call(self._function, list(ids))
        except Exception as error:  # noqa: BLE001 - the user's function; without the texts the run is a skip
            self._guard.caught(WHERE, error)
            return {}
        if isinstance(found, Mapping):
            pairs = {each: found.get(each) for each in ids}
        elif isinstance(found, Sequence) and not isinstance(found, str | bytes) and len(found) == len(ids):
            pairs = dict(zip(ids, found, strict=True))
        else:
            shape = f"{type(found).__name__} of {len(found)}" if isinstance(found, Sequence) else type(found).__name__
            expected = f"a mapping from id to text, or a list of {len(ids)} texts in the order of the ids"
            self._guard.tell(WHERE, f"resolve_documents must return {expected}, not {shape}.")
            return {}
        texts = {each: text for each, text in pairs.items() if isinstance(text, str)}
        if len(texts) < len(ids):
            missing = len(ids) - len(texts)
            self._guard.tell(WHERE, f"resolve_documents knows no text for {missing} of {len(ids)} documents of a run.")
        for each, text in texts.items():
            self._keep(each, text)
        return texts

    def _recall(self, document_id: str) -> str | None:
        known = self._kept.get(document_id)
        if known is None:
            return None
        at, text = known
        if self._monotonic() - at > FRESH_S:
            self._drop(document_id)
            return None
        self._kept.move_to_end(document_id)
        return text

    def _keep(self, document_id: str, text: str) -> None:
        self._drop(document_id)
        self._kept[document_id] = (self._monotonic(), text)
        self._chars += len(text)
        while self._kept and (len(self._kept) > MOST_TEXTS or self._chars > MOST_CHARS):
            self._drop(next(iter(self._kept)))

    def _drop(self, document_id: str) -> None:
        known = self._kept.pop(document_id, None)
        self._chars -= len(known[1]) if known else 0


def _with_texts(run: RagRun, texts: Mapping[str, str]) -> RagRun:
    documents = ranked([_filled(each, texts) for each in run.contexts or ()])
    whole = all(each.text is not None for each in documents)
    reason = None if run.skip_reason == "context_text_missing" and whole else run.skip_reason
    output = run.output
    if output is not None:
        known = [each.text for each in documents if each.text is not None]
        output = AgentOutput(output, {**output.metadata, "retrieved_context": known})
    return replace(run, contexts=documents, skip_reason=reason, output=output)


def _filled(document: Document, texts: Mapping[str, str]) -> Document:
    return document if document.text is not None else replace(document, text=texts.get(document.id or ""))

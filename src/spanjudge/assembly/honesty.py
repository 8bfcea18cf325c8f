"""Why a run is not complete: the codes that hold, in their order."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from spanjudge.assembly.untraced import has_untraced
from spanjudge.assembly.view import failed
from spanjudge.semconv import SKIP_CODES, SkipCode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spanjudge.assembly.places import Found
    from spanjudge.assembly.tree import Node
    from spanjudge.assembly.view import RunView

Piece: TypeAlias = Literal["contexts", "query", "answer"]
PIECES: Final[tuple[Piece, ...]] = get_args(Piece)

_CANCELED: Final = ("CancelledError", "CanceledError", "Cancelled", "GeneratorExit", "KeyboardInterrupt", "AbortError")
# This many different texts of the same length, longer than any other, are the work of a limit and not of chance.
_ALIKE: Final = 3
_MARKS: Final[frozenset[SkipCode]] = frozenset({"redacted", "attributes_dropped", "truncated"})
_SHORTEST_LIMIT: Final = 32


@dataclass(frozen=True, slots=True)
class Pieces:
    """What a run was put together from, the spans that told it, and which of the pieces were recorded by hand."""

    query: str | None
    answer: str | None
    contexts: Found
    tellers: tuple[Node, ...]
    by_hand: frozenset[Piece] = frozenset()

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        documents = self.contexts.documents
        return bool(
            self.query
            and self.answer
            and documents is not None
            and all(document.text is not None for document in documents)
        )

    def texts(self) -> Iterator[str]:
        """All texts that would be judged and that a limit may have cut."""
        if self.query and "query" not in self.by_hand:
            yield self.query
        if self.answer and "answer" not in self.by_hand:
            yield self.answer
        if "contexts" not in self.by_hand:
            yield from (document.text for document in self.contexts.documents or () if document.text)


def codes_of(run: RunView, pieces: Pieces) -> tuple[SkipCode | None, tuple[SkipCode, ...]]:
    """Return the first code that stops the run, and those that hold without stopping it."""
    holds: dict[SkipCode, bool] = {}
    if run.root.span.error and _is_canceled(run.root):
        holds["canceled"] = True
    elif _has_failed(run, pieces):
        holds["source_error"] = True
    captured = set(PIECES) - pieces.by_hand
    searches = run.outermost(run.of_kind("retriever", "reranker", "tool")) if "contexts" in captured else []
    tellers = {run.root, *pieces.tellers, *pieces.contexts.nodes, *searches} if captured else set()
    for code, marked in _marks(run, pieces):
        stops = not pieces.complete or not tellers.isdisjoint(marked)
        holds[code] = holds.get(code, False) or stops
    limit = _limit(run)
    if limit is not None:
        holds["truncated"] = (
            not pieces.complete
            or any(len(text) >= limit for text in pieces.texts())
            or ("contexts" in captured and any(node.facts.order_cut for node in run.members))
        )
    if captured and (run.torn or ("contexts" in captured and has_untraced(run, pieces.contexts))):
        holds["truncated"] = True
    documents = pieces.contexts.documents
    holds["no_content_captured"] = not any(node.facts.content for node in run.members)
    holds["no_query"] = not pieces.query
    holds["no_answer"] = not pieces.answer
    holds["no_context_captured"] = documents is None
    holds["context_text_missing"] = any(document.text is None for document in documents or ())
    stopping: list[SkipCode] = [code for code in SKIP_CODES if holds.get(code)]
    told: set[SkipCode] = {code for code in _MARKS if holds.get(code) is False}
    if pieces.contexts.from_prompt:
        told.add("no_context_captured")
    noted: tuple[SkipCode, ...] = tuple(code for code in SKIP_CODES if code in told)
    return (stopping[0] if stopping else None), noted


def _marks(run: RunView, pieces: Pieces) -> Iterator[tuple[SkipCode, list[Node]]]:
    """Codes that stop a run only where a span that matters has them."""
    redacted = [node for node in run.members if node.facts.redacted]
    if redacted:
        yield "redacted", redacted
    dropped = [node for node in run.members if node.span.dropped_attributes or node.facts.gaps]
    if dropped and (not pieces.complete or any(node.facts.content for node in dropped)):
        yield "attributes_dropped", dropped


def _has_failed(run: RunView, pieces: Pieces) -> bool:
    """Whether an error made the run what it is; one that a retry or a fallback made good does not count."""
    if failed(run.root):
        return True
    if not pieces.answer and any(map(failed, run.of_kind("llm"))):
        return True
    sources = run.outermost(run.of_kind("retriever", "reranker", "tool"))
    return pieces.contexts.documents is None and bool(sources) and all(map(failed, sources))


def _is_canceled(node: Node) -> bool:
    kinds = (str(event.attributes.get("exception.type", "")) for event in node.span.events)
    return any(kind.rsplit(".", 1)[-1] in _CANCELED for kind in kinds)


def _limit(run: RunView) -> int | None:
    """The least length at which values were cut, where something shows that they were.

    Values of spans and values beside them have limits of their own.
    """
    limits = (
        _limit_of(_values(run.members), cut=any(node.facts.cut for node in run.members)),
        _limit_of(_values_beside(run.members), cut=any(node.facts.cut_beside for node in run.members)),
    )
    return min((limit for limit in limits if limit is not None), default=None)


def _limit_of(values: Iterable[str], *, cut: bool) -> int | None:
    longest: defaultdict[int, set[str]] = defaultdict(set)
    for text in values:
        longest[len(text)].add(text)
    if not longest:
        return None
    limit = max(longest)
    return limit if cut or (limit >= _SHORTEST_LIMIT and len(longest[limit]) >= _ALIKE) else None


def _values(nodes: Iterable[Node]) -> Iterator[str]:
    for node in nodes:
        yield from (value for value in node.span.attributes.values() if isinstance(value, str))


def _values_beside(nodes: Iterable[Node]) -> Iterator[str]:
    for node in nodes:
        for given in (event.attributes for event in node.span.events if event.name != "exception"):
            yield from (value for value in given.values() if isinstance(value, str))
        for given in (part.attributes for part in node.span.logs):
            yield from (value for value in given.values() if isinstance(value, str))

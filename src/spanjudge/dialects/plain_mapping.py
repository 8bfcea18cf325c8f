"""Attributes of the user's own: where each fact stands, as the user says."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from spanjudge.dialects.decode import decode, decode_fully, is_cut, plain
from spanjudge.dialects.document import document_of
from spanjudge.dialects.documents import Documents, documents_in, listed
from spanjudge.dialects.flat import nested, records
from spanjudge.model import Document

if TYPE_CHECKING:
    from spanjudge.sources.record import Attributes

Place: TypeAlias = "str | Callable[[Attributes], object]"

_log: Final = logging.getLogger("spanjudge")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainMapping:
    """Where the facts of a run stand on spans that speak no known dialect, or speak one by halves.

    Each is the name of an attribute, a dotted path into an attribute that holds JSON (``"payload.result.docs"``), or a
    function of the span's attributes; None where there is nothing of the kind. A function that raises says nothing.

    Args:
        query: What the user asked.
        contexts: What was retrieved: a list of texts, of records, or JSON of it, or the start of numbered names.
        answer: What the user was told.
        ground_truth: The reference answer.
        session: Id of the conversation.
        user: Id of the user.
    """

    query: Place | None = None
    contexts: Place | None = None
    answer: Place | None = None
    ground_truth: Place | None = None
    session: Place | None = None
    user: Place | None = None
    _failed: set[str] = field(default_factory=set, init=False, repr=False, compare=False)

    def text(self, fact: str, given: Attributes) -> str | None:
        """Return what stands at a place as a text."""
        found = self.value(fact, given)
        if isinstance(found, int | float) and not isinstance(found, bool):
            return str(found)
        return plain(found)

    def documents(self, given: Attributes) -> tuple[Documents | None, bool]:
        """Return what stands at the place of the contexts, and whether numbers are missing among them."""
        if isinstance(self.contexts, str) and self.contexts not in given:
            found, gap = numbered(given, self.contexts)
            if found is not None:
                return found, gap
        return documents_of(self.value("contexts", given)), False

    def cut(self, given: Attributes) -> bool:
        """Whether one of the attributes that are read breaks off."""
        places = (self.query, self.contexts, self.answer)
        return any(is_cut(value) for place in places if isinstance(place, str) for value in (_holder(given, place)[0],))

    def value(self, fact: str, given: Attributes) -> object:
        """Return what stands at a place."""
        place: Place | None = getattr(self, fact)
        if place is None:
            return None
        if isinstance(place, str):
            value, path = _holder(given, place)
            return _at(value, path) if path else value
        try:
            return place(given)
        except Exception as error:  # noqa: BLE001 - the user's function, on spans that it may not know
            if fact not in self._failed:
                self._failed.add(fact)
                _log.warning(
                    "The function for %s in the mapping of attributes raised %s: it says nothing then.",
                    fact,
                    type(error).__name__,
                )
            return None


def documents_of(value: object) -> Documents | None:
    """Read contexts in any shape; a text alone is one document."""
    value = decode_fully(value)
    if isinstance(value, str):
        return (Document(text=value),) if plain(value) else None
    if isinstance(value, Document):
        return (value,)
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        known = [item for item in value if isinstance(item, Document)]
        if known:
            return tuple(known)
        return documents_in(value) or listed(value)
    return documents_in(value)


def numbered(given: Attributes, prefix: str) -> tuple[Documents | None, bool]:
    """Read ``documents.0.text``, ``documents.1.text``, and whether numbers are missing."""
    found, gap = records(given, prefix)
    if found is None:
        return None, False
    rows = (Document(text=str(row[""])) if "" in row else document_of(nested(row)) for row in found)
    known = tuple(row for row in rows if row is not None)
    return known or None, gap or len(known) != len(found)


def _holder(given: Attributes, place: str) -> tuple[object, list[str]]:
    """Find the attribute that a place begins with, the longest name first, and the way on from there."""
    parts = place.split(".")
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        if name in given:
            return given[name], parts[length:]
    return None, []


def _at(value: object, path: list[str]) -> object:
    for part in path:
        value = decode(value, quoted=True)
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, Sequence) and not isinstance(value, str | bytes) and part.isdecimal():
            value = value[int(part)] if len(part) <= len(str(len(value))) and int(part) < len(value) else None
        else:
            return None
    return value

"""Lists of documents from several sources, joined into one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spanjudge.dialects.documents import Documents
    from spanjudge.model import Document


def joined(lists: Iterable[Documents]) -> Documents:
    """Concatenate lists; what an earlier list holds already is left out.

    Two documents are the same where their ids are equal and no text says otherwise, or where their texts are equal and
    one has no id. Inside one list nothing is left out: a rank is a rank.
    """
    kept: list[Document] = []
    seen = _Seen()
    for documents in lists:
        fresh = [document for document in documents if document not in seen]
        kept += fresh
        for document in fresh:
            seen.add(document)
    return tuple(kept)


class _Seen:
    """What earlier lists hold, by id and by text."""

    def __init__(self) -> None:
        self._whole: set[tuple[str, str]] = set()
        self._ids: set[str] = set()
        self._bare_ids: set[str] = set()
        self._texts: set[str] = set()
        self._bare_texts: set[str] = set()

    def add(self, document: Document) -> None:
        if document.id is not None:
            self._ids.add(document.id)
        if document.text is not None:
            self._texts.add(document.text)
        if document.id is not None and document.text is not None:
            self._whole.add((document.id, document.text))
        elif document.id is not None:
            self._bare_ids.add(document.id)
        elif document.text is not None:
            self._bare_texts.add(document.text)

    def __contains__(self, document: Document) -> bool:
        if document.id is None:
            return document.text in self._texts
        if document.text is None:
            return document.id in self._ids
        return (
            (document.id, document.text) in self._whole
            or document.id in self._bare_ids
            or document.text in self._bare_texts
        )

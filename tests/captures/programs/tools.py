"""The knowledge base as plain functions, which every framework wraps as a tool in its own way."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from profiles import PROFILES, Doc, Profile
from shapes import Shape


def profile_of(query: str) -> Profile:
    """Find the profile that a search belongs to."""
    for profile in PROFILES.values():
        if query in {profile.question, profile.search, profile.follow_up, profile.follow_up_search}:
            return profile
    message = f"no index for {query!r}"
    raise LookupError(message)


def found(query: str, start: int = 0, stop: int | None = None) -> tuple[Doc, ...]:
    """Search: a follow-up finds the third document and later ones."""
    profile = profile_of(query)
    if query == profile.follow_up_search:
        return profile.documents[2:]
    return profile.documents[start:stop]


def search_text(shape: Shape) -> Callable[[str], str]:
    """Make a search that returns JSON text."""

    def search_kb(query: str) -> str:
        """Search the knowledge base.

        Args:
            query: The words to search for.

        Returns:
            Documents as JSON.
        """
        return json.dumps(shape(found(query)), ensure_ascii=False)

    return search_kb


def search_objects(shape: Shape) -> Callable[[str], Any]:
    """Make a search that returns objects."""

    def search_kb(query: str) -> Any:
        """Search the knowledge base."""
        return shape(found(query))

    return search_kb

"""References for runs whose trace carries none: golden sets, and the user's function."""

from __future__ import annotations

from spanjudge.golden.embedding import Embeddings
from spanjudge.golden.file import GoldenFile
from spanjudge.golden.golden_set import GoldenSet, Reference, normalised
from spanjudge.golden.lookup import Lookup, ReferenceFunction, reference_lookup

__all__ = [
    "Embeddings",
    "GoldenFile",
    "GoldenSet",
    "Lookup",
    "Reference",
    "ReferenceFunction",
    "normalised",
    "reference_lookup",
]

"""Metric labels: the contract's few, with their values capped so that no series explosion can come from us."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spanjudge import semconv

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spanjudge.model import RagRun

MOST_VALUES: Final = 50
MOST_CHARACTERS: Final = 128
OTHER: Final = "other"


class Labels:
    """Builds the labels of a run.

    Args:
        names: Attributes that the user wants as labels beside the contract's.
        most_values: Different values kept per label; whatever comes later is ``"other"``.
    """

    def __init__(self, names: Sequence[str] = (), most_values: int = MOST_VALUES) -> None:
        self._names = tuple(names)
        self._most_values = most_values
        self._seen: dict[str, set[str]] = {}

    def of_run(self, run: RagRun | None) -> dict[str, str]:
        """Return agent, data source and the user's own labels, each where the run has it."""
        if run is None:
            return {}
        values = {semconv.AGENT_NAME: run.agent, semconv.DATA_SOURCE_ID: run.data_source}
        values.update((name, run.attributes.get(name)) for name in self._names)
        return {name: self._capped(name, value) for name, value in values.items() if value}

    def _capped(self, name: str, value: str) -> str:
        value = value[:MOST_CHARACTERS]
        seen = self._seen.setdefault(name, set())
        if value in seen:
            return value
        if len(seen) >= self._most_values:
            return OTHER
        seen.add(value)
        return value

"""A rule before it is written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

EVERY_SCORER: Final = "*"
Severity: TypeAlias = Literal["critical", "warning", "info"]
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A query whose result is kept under a name of its own, ``level:metric:operation``."""

    record: str
    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """A query whose results are alerts.

    ``wait`` is the duration for which it must hold. ``scorer`` is the one that the alert is about, ``"*"`` where its
    label says which, None where it is about the application as a whole. The two texts are templates of Prometheus, in
    which ``{scorer}`` and ``{agent}`` stand for the labels, ``{mean_now}`` and ``{mean_before}`` for sentences on the
    series' mean.
    """

    name: str
    query: str
    wait: str
    severity: Severity
    summary: str
    description: str
    scorer: str | None


def percent(share: float) -> str:
    """Return a share as people read it.

    >>> percent(0.07)
    '7%'
    """
    return f"{100 * share:g}%"

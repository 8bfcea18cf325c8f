"""How long a run may take and how much it may hold, and what comes out when it is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from spanjudge.model import RagRun
    from spanjudge.semconv import DropCode


@dataclass(frozen=True, slots=True, kw_only=True)
class AssemblyLimits:
    """Bounds of the assembly; what goes over one is dropped whole, never judged on half.

    Args:
        linger_s: Seconds that a run stays open after its last span has started or ended.
        silence_s: Seconds of silence after which a trace from a network is closed; None for spans of this process,
            whose starts are known.
        max_age_s: Most seconds from a run's first span to its end.
        max_traces: Most traces that are open at a time.
        max_spans_per_trace: Most spans held of one trace.
        max_bytes_per_trace: Most bytes held of one trace, as estimated.
        max_total_bytes: Most bytes held of all traces.
        max_remembered: Most spans whose run has been given out that are remembered, to know their stragglers.
    """

    linger_s: float = 1.0
    silence_s: float | None = None
    max_age_s: float = 300.0
    max_traces: int = 2_000
    max_spans_per_trace: int = 2_000
    max_bytes_per_trace: int = 8 << 20
    max_total_bytes: int = 256 << 20
    max_remembered: int = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A run that is not judged; ``target_span_id`` is empty where its root is not known."""

    trace_id: str
    target_span_id: str
    code: DropCode


Closed: TypeAlias = "RagRun | Dropped"

"""Loose spans under a parent without content are runs, or none, and never a reason to stop."""

from __future__ import annotations

import pytest

from spanjudge.assembly import assemble
from spanjudge.sources.record import SpanRecord

TRACE = "1" * 32


def _span(number: int, parent: int | None, kind: str | None, **attributes: object) -> SpanRecord:
    return SpanRecord(
        trace_id=TRACE,
        span_id=f"{number:016x}",
        parent_id=None if parent is None else f"{parent:016x}",
        name=kind or "POST /chat",
        kind=1 if kind else 2,
        start_ns=number * 1000,
        end_ns=(100 - number) * 1000,
        attributes={**({"openinference.span.kind": kind} if kind else {}), **attributes},
    )


@pytest.mark.parametrize(
    "spans",
    [
        [_span(2, 1, "GUARDRAIL"), _span(3, 2, "TOOL"), _span(4, 1, "GUARDRAIL"), _span(5, 4, "TOOL")],
        [_span(2, 1, "EMBEDDING"), _span(3, 1, "EMBEDDING"), _span(4, 3, "RETRIEVER", **{"input.value": "Why?"})],
        [_span(2, 1, "GUARDRAIL"), _span(3, 1, "EMBEDDING")],
    ],
)
def test_side_spans_alone_make_no_complete_run_and_no_error(spans: list[SpanRecord]) -> None:
    assert not any(run.complete for run in assemble([_span(1, None, None), *spans]))

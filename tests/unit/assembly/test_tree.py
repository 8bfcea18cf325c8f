from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from spanjudge.assembly.tree import forest_of
from spanjudge.sources.record import SpanRecord
from unit.assembly.tracing import TRACE, rag_trace

IDS = [f"{number:016x}" for number in range(1, 7)]


def test_children_stand_below_their_parent_whatever_their_order() -> None:
    spans = rag_trace(under="GET /")
    forest = forest_of(spans[::-1])
    assert [node.span.name for node in forest.nodes] == ["GET /", "chain", "retriever", "model"]
    assert [[each.span.name for each in node.above()] for node in forest.nodes] == [
        [],
        ["GET /"],
        ["chain", "GET /"],
        ["chain", "GET /"],
    ]


def test_span_whose_clock_is_behind_its_childs_is_still_the_parent() -> None:
    spans = rag_trace()
    late = [replace(spans[0], start_ns=spans[0].start_ns + 10**12), *spans[1:]]
    top = next(node for node in forest_of(late).nodes if node.span.name == "chain")
    assert len(forest_of(late).subtree(top)) == 3


@given(st.lists(st.tuples(st.sampled_from(IDS), st.none() | st.sampled_from([*IDS, "f" * 16])), max_size=10))
def test_every_span_stands_once_and_no_way_up_is_endless(links: list[tuple[str, str | None]]) -> None:
    spans = [SpanRecord(trace_id=TRACE, span_id=own, parent_id=parent) for own, parent in links]
    forest = forest_of(spans)
    assert sorted(node.span.span_id for node in forest.nodes) == sorted({own for own, _ in links})
    assert all(len(list(node.above())) < len(IDS) for node in forest.nodes)
    roots = [node for node in forest.nodes if node.parent is None]
    assert sum(len(forest.subtree(root)) for root in roots) == len(forest.nodes)

"""The doctor's trace ids are taken by every sampler, and are not all one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.sdk.trace.sampling import Decision, TraceIdRatioBased

from spanjudge.doctor.marked import ForcedIds, forced_trace_id
from spanjudge.sampling import taken


@given(st.integers(1, 1 << 40), st.floats(1e-15, 1.0))
def test_forced_trace_is_taken_at_every_rate_above_zero(chosen: int, rate: float) -> None:
    trace_id = forced_trace_id(chosen)
    assert 0 < trace_id < 1 << 128
    assert taken(trace_id, rate)
    assert not taken(trace_id, 0.0)


@given(st.integers(1, 1 << 40), st.floats(1e-7, 1.0))
def test_forced_trace_is_taken_by_the_ratio_sampler_of_the_sdk(chosen: int, rate: float) -> None:
    found = TraceIdRatioBased(rate).should_sample(None, forced_trace_id(chosen), "call")
    assert found.decision is Decision.RECORD_AND_SAMPLE


@given(st.lists(st.integers(1, 1 << 40), unique=True))
def test_no_two_choices_give_the_same_id(chosen: list[int]) -> None:
    assert len({forced_trace_id(each) for each in chosen}) == len(chosen)


def test_ids_are_never_zero() -> None:
    ids = ForcedIds(lambda _: 0)
    assert ids.generate_span_id() > 0
    assert ids.generate_trace_id() > 0

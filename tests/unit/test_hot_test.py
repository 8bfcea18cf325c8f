"""The processor's hot test is the sampling rule, written more cheaply."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spanjudge.processor import JudgeSpanProcessor
from spanjudge.sampling import taken
from spanjudge.testing import FakeJudge


@given(st.integers(min_value=1, max_value=2**128 - 1), st.sampled_from([0.0, 0.001, 0.1, 0.5, 0.999, 1.0]))
def test_processor_wants_the_traces_that_the_rate_takes(trace_id: int, rate: float) -> None:
    processor = JudgeSpanProcessor(judge=FakeJudge(), sample_rate=rate)
    assert processor.wants(trace_id) == taken(trace_id, rate)

"""Stand-ins for tests of programs that use spanjudge."""

from spanjudge.testing.clock import ManualClock
from spanjudge.testing.fake_judge import FakeJudge
from spanjudge.testing.model_server import ModelServer
from spanjudge.testing.recording import RecordingSink
from spanjudge.testing.traces import rag_run, rag_spans, trace_rag_call

__all__ = ["FakeJudge", "ManualClock", "ModelServer", "RecordingSink", "rag_run", "rag_spans", "trace_rag_call"]

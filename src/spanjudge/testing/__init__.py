"""Stand-ins for tests of programs that use spanjudge."""

from spanjudge.testing.clock import ManualClock
from spanjudge.testing.fake_judge import FakeJudge
from spanjudge.testing.recording import RecordingSink

__all__ = ["FakeJudge", "ManualClock", "RecordingSink"]

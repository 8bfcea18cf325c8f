from __future__ import annotations

import io
import subprocess
import sys

import pytest

from spanjudge.evals.progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("stream", "wanted"), [(io.StringIO(), None), (Terminal(), False)])
def test_nothing_is_written_where_nobody_looks(stream: io.StringIO, wanted: bool | None) -> None:  # noqa: FBT001 - a parameter of the test
    with progress_bar(2, wanted=wanted, stream=stream) as advance:
        advance()
    assert stream.getvalue() == ""


@pytest.mark.parametrize(("stream", "wanted"), [(Terminal(), None), (io.StringIO(), True)])
def test_bar_shows_how_many_are_done(stream: io.StringIO, wanted: bool | None) -> None:  # noqa: FBT001 - a parameter of the test
    with progress_bar(2, wanted=wanted, stream=stream) as advance:
        advance()
        advance()
    assert "2/2" in stream.getvalue()


def test_rich_is_loaded_for_a_bar_alone() -> None:
    program = "import sys, spanjudge.evals; print('rich' in sys.modules, 'litellm' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]

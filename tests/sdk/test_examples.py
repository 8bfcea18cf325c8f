"""The examples run as they stand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from spanjudge.settings import DEFAULT_SCORERS

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_langchain_example_prints_an_evaluation_span_of_each_scorer_in_at_most_15_lines() -> None:
    program = EXAMPLES / "langchain_rag.py"
    assert len(program.read_text(encoding="utf-8").splitlines()) <= 15
    done = subprocess.run(
        [sys.executable, str(program)],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
        env={**os.environ, "LANGSMITH_TRACING": "false"},
    )
    answer, _, rest = done.stdout.partition("\n")
    assert "24 months" in answer
    spans = [json.loads(text) for text in rest.replace("\n}\n{", "\n}\0{").split("\0")]
    assert sorted(span["name"] for span in spans) == sorted(f"evaluate {name}" for name in DEFAULT_SCORERS)
    assert len({span["parent_id"] for span in spans}) == 1
    assert all(span["attributes"]["gen_ai.evaluation.explanation"] for span in spans)

"""What importing spanjudge costs, against what an application that traces has imported anyway.

Usage: python benchmarks/import_time.py [--rounds 9] [--check]

CPU time of fresh interpreters that take turns; the ratio is the median over the rounds. ``--check`` fails over 1.2.
"""

from __future__ import annotations

import argparse
import platform
import resource
import statistics
import subprocess
import sys

FLOOR = "import opentelemetry.sdk.trace.export; from pydantic import BaseModel"
OURS = "import spanjudge; spanjudge.JudgeSpanProcessor"
LITELLM = "import litellm"
BOUND = 1.2


def cpu(code: str) -> float:
    """Return the CPU seconds of an interpreter that runs ``code``."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-c", code], check=True, env={"LITELLM_LOCAL_MODEL_COST_MAP": "True"}, capture_output=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--check", action="store_true", help="fail where the bound of the design is exceeded")
    options = parser.parse_args()
    rows: dict[str, list[float]] = {FLOOR: [], OURS: [], LITELLM: []}
    for code in rows:
        cpu(code)
    for _ in range(options.rounds):
        for code, row in rows.items():
            row.append(cpu(code))
    print(f"Python {platform.python_version()}, {options.rounds} rounds, CPU of a fresh interpreter")
    print("| import | s (median) | ratio (median) |\n|---|---:|---:|")
    ratios = {}
    for code, row in rows.items():
        ratios[code] = statistics.median(a / b for a, b in zip(row, rows[FLOOR], strict=True))
        print(f"| `{code}` | {statistics.median(row):.3f} | {ratios[code]:.2f} |")
    return 1 if options.check and ratios[OURS] > BOUND else 0


if __name__ == "__main__":
    sys.exit(main())

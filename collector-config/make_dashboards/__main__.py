"""Make the dashboards, in OpenTelemetry's names, where `spanjudge dashboards` finds them.

python collector-config/make_dashboards [DIRECTORY]

Needs grafana-foundation-sdk. `spanjudge dashboards --out collector-config/dashboards` then writes those of the compose
file, in the names of a Collector.
"""
# ruff: noqa: INP001 - a script; the builders take flags by position

from __future__ import annotations

import json
import sys
from pathlib import Path

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from pipeline import pipeline
from quality import quality

PLACE = Path(__file__).parents[2] / "src" / "spanjudge" / "dashboards"


def main() -> None:
    """Write both."""
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PLACE
    for name, made in (("quality", quality()), ("pipeline", pipeline())):
        built = json.loads(JSONEncoder().encode(made.build()))
        for number, each in enumerate(built["panels"], start=1):
            each["id"] = number
        text = json.dumps(built, sort_keys=True, indent=2, ensure_ascii=False)
        (place / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

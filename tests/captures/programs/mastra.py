"""Mastra agents in Node.js (folder with node_modules in CAPTURE_NODE), exported by its OTel exporter."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

from otlp import Receiver
from profiles import CODE, EMPTY, EQUAL, KOREAN, METADATA, NUMBERS
from shapes import SHAPES, told
from stage import Stage


def exported(text: str) -> str:
    """Return a text as the exporter leaves it: one that is JSON loses its blanks."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"))
    except ValueError:
        return text


def main(out: Path, only: str, framework: str) -> None:
    stage = Stage(out, only)
    receiver = Receiver()
    stage.received = receiver.take
    folder = Path(os.environ["CAPTURE_NODE"])
    program = folder / "mastra.mjs"
    shutil.copy(Path(__file__).with_name("mastra.mjs"), program)
    stage.instrumentation = ", ".join(
        f"{name} {json.loads((folder / 'node_modules' / name / 'package.json').read_text())['version']}"
        for name in ("@mastra/core", "@mastra/observability", "@mastra/otel-exporter")
    )
    note = "the second run streams; the question is a list of messages; the exporter writes JSON texts anew"
    for form, profiles in {"results": (KOREAN, CODE), "total": (EMPTY, EQUAL), "qdrant": (METADATA, NUMBERS)}.items():
        shape = SHAPES[form]
        with stage.capture(f"{framework}_tool_{form}", f"tool result, form `{form}`", note) as capture:
            runs = [
                {
                    "messages": [{"role": "user", "content": stage.search(profile).question}],
                    "stream": place == 1,
                    "session": f"s-{profile.name}",
                    "results": {profile.search: shape(profile.documents)},
                }
                for place, profile in enumerate(profiles)
            ]
            task = {"model": stage.model.url, "traces": f"{receiver.url}/v1/traces", "runs": runs}
            subprocess.run(["node", str(program)], input=json.dumps(task), text=True, check=True, timeout=60)  # noqa: S607
            for profile in profiles:
                capture.run(
                    profile,
                    "invoke_agent support",
                    [{**each, "text": exported(each["text"])} for each in told(profile.documents, shape)],
                    session_id=f"s-{profile.name}",
                    user_id="u-1",
                )

"""Make captures of one framework: `python make.py --framework openinference_langchain --out DIR [--only PART]`."""

from __future__ import annotations

import argparse
import importlib
import os
from pathlib import Path

GENAI = {"OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental"}
SPAN_ONLY = {**GENAI, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "SPAN_ONLY"}
EVENT_ONLY = {
    **GENAI,
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "EVENT_ONLY",
    "OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT": "true",
}

# Framework -> the file that runs it and the environment that it wants before anything is imported.
FRAMEWORKS: dict[str, tuple[str, dict[str, str]]] = {
    "hand_made": ("hand_made", {}),
    "openinference_langchain": ("openinference_langchain", {}),
}


def main() -> None:
    """Run the programs of one framework."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--framework", required=True, choices=sorted(FRAMEWORKS))
    parser.add_argument("--out", type=Path, required=True, help="where the captures and expected.json go")
    parser.add_argument("--only", default="", help="write only files whose name has this part")
    given = parser.parse_args()
    module, environment = FRAMEWORKS[given.framework]
    os.environ.update({"LITELLM_LOCAL_MODEL_COST_MAP": "True", "OPENAI_API_KEY": "none", **environment})
    given.out.mkdir(parents=True, exist_ok=True)
    importlib.import_module(module).main(given.out, given.only)
    os._exit(0)  # some frameworks leave threads that never end


if __name__ == "__main__":
    main()

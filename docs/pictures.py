"""Makes the README's two pictures from a run of the demo: python docs/pictures.py [--chromium chromium]."""

from __future__ import annotations

import argparse
import io
import subprocess
import tempfile
from pathlib import Path

from rich.console import Console

from spanjudge.demo.main_job import run_demo
from spanjudge.demo.page import page
from spanjudge.demo.tree import trace_tree
from spanjudge.report.page import write

DOCS = Path(__file__).parent
# No web font: a picture that is looked at offline must not ask for one.
SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" class="rich-terminal">
<style>
.{unique_id}-matrix {{ font: {char_height}px ui-monospace, Menlo, Consolas, monospace; line-height: {line_height}px }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>{lines}
</defs>
<rect width="{width}" height="{height}" rx="8" fill="#292929"/>
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""
CHROMIUM_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars --window-size=1100,1250"
)


def main() -> None:
    """Run the demo and write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", default="chromium")
    options = parser.parse_args()
    demo = run_demo()
    target = demo.runs[demo.moment].run.target
    if target is None:
        message = "the demo's runs have their span"
        raise RuntimeError(message)
    console = Console(record=True, width=118, file=io.StringIO(), highlight=False)
    console.print(trace_tree(int(target.trace_id, 16), demo.spans))
    console.save_svg(str(DOCS / "score-in-trace.svg"), title="", code_format=SVG)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        write(page(demo), report)
        shot = ["--user-data-dir=" + folder, f"--screenshot={DOCS / 'report.png'}", report.as_uri()]
        subprocess.run([options.chromium, *CHROMIUM_FLAGS.split(), *shot], check=True, capture_output=True)


if __name__ == "__main__":
    main()

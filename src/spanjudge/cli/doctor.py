"""``spanjudge doctor``: a set-up checked end to end, or captured traces explained."""

from __future__ import annotations

import json
import logging
import sys
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from spanjudge.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from spanjudge.doctor.captured import Findings, TraceFindings
    from spanjudge.doctor.step import Step

_PLAIN_WIDTH: Final = 120
_MOST_MESSAGES: Final = 3


def doctor(
    files: Annotated[
        list[str] | None, typer.Argument(help="OTLP/JSON files to explain, plain or .gz; - is standard input.")
    ] = None,
    judge: Annotated[
        str | None, typer.Option(help='A LiteLLM model name, or "embedded"; default: as an application resolves it.')
    ] = None,
    golden: Annotated[str | None, typer.Option(help="JSONL or CSV file with question and ground_truth.")] = None,
    otlp: Annotated[
        str | None, typer.Option(help="Export to this OTLP/HTTP base URL as well, as http://localhost:4318.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Send a marked trace through the set-up and name the first step that loses it; or explain captured traces."""
    # What the checks need is of no use to the other commands.
    from rich.console import Console  # noqa: PLC0415

    console = Console(highlight=False, soft_wrap=True)
    if not console.is_terminal:
        console = Console(highlight=False, soft_wrap=True, width=_PLAIN_WIDTH)
    if files:
        given = {"--judge": judge, "--golden": golden, "--otlp": otlp}
        unused = [name for name, value in given.items() if value is not None]
        if unused:
            message = f"{unused[0]} is for the check of a set-up: give it without files, or the files alone."
            raise InputError(message)
        well = _explain(files, console, as_json=as_json)
    else:
        well = _examine({"judge": judge, "golden": golden, "otlp": otlp}, console, as_json=as_json)
    if not well:
        raise typer.Exit(1)


def _examine(given: dict[str, str | None], console: Console, *, as_json: bool) -> bool:
    from spanjudge.doctor.setup import examine  # noqa: PLC0415
    from spanjudge.doctor.show import show_end, show_step  # noqa: PLC0415
    from spanjudge.doctor.step import first_lost  # noqa: PLC0415

    heard = _listen()
    steps: list[Step] = []
    for step in examine(given["judge"], given["golden"], given["otlp"]):
        steps.append(step)
        if not as_json:
            show_step(step, console)
    lost = first_lost(steps)
    if as_json:
        _write(_setup_json(steps, lost, heard.messages))
    else:
        show_end(lost, console)
        for message in heard.messages[:_MOST_MESSAGES] if lost else ():
            console.print(f"log: {message}", markup=False)
    return lost is None


class _Heard(logging.Handler):
    """Keeps what is logged meanwhile: it may tell why a step was lost, and would break up the output."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if message not in self.messages:
            self.messages.append(message)


def _listen() -> _Heard:
    heard = _Heard()
    for name in ("spanjudge", "opentelemetry"):
        logger = logging.getLogger(name)
        logger.addHandler(heard)
        logger.propagate = False
    return heard


def _explain(files: list[str], console: Console, *, as_json: bool) -> bool:
    from spanjudge.doctor.captured import explain  # noqa: PLC0415
    from spanjudge.doctor.show import show_findings  # noqa: PLC0415
    from spanjudge.sources.file import read_spans  # noqa: PLC0415

    findings = explain([span for file in files for span in read_spans(file)])
    if as_json:
        _write(_findings_json(findings))
    else:
        show_findings(findings, console)
    return findings.well


def _write(found: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")


def _setup_json(steps: list[Step], lost: Step | None, messages: list[str]) -> dict[str, Any]:
    return {
        "well": lost is None,
        "lost": lost.name if lost else None,
        "sentence": lost.sentence if lost else None,
        "steps": [
            {
                "step": step.name,
                "state": step.state,
                "said": step.said,
                "do": step.do or None,
                "facts": dict(step.facts),
            }
            for step in steps
        ],
        "log": messages,
    }


def _findings_json(findings: Findings) -> dict[str, Any]:
    return {
        "well": findings.well,
        "counts": findings.counts,
        "traces": [_trace_json(trace) for trace in findings.traces],
    }


def _trace_json(trace: TraceFindings) -> dict[str, Any]:
    from spanjudge.assembly import capture_json  # noqa: PLC0415

    return {
        "trace_id": trace.trace_id,
        "spans": trace.spans,
        "scopes": list(trace.scopes),
        "runs": [
            {
                **capture_json(each.run),
                "why": dict(each.why),
                "advice": [
                    {"codes": list(item.codes), "instrumentation": item.instrumentation, "do": item.do}
                    for item in each.advice
                ],
            }
            for each in trace.runs
        ],
    }

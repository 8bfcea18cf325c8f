"""The doctor's findings for people, on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.markup import escape
from rich.table import Table

from spanjudge.doctor.captured import COMPLETE, NO_RUN, NO_RUN_DO, NO_RUN_WHY

if TYPE_CHECKING:
    from rich.console import Console

    from spanjudge.doctor.captured import Explained, Findings, TraceFindings
    from spanjudge.doctor.step import State, Step

_MARKS: Final[dict[State, str]] = {
    "ok": "[green]ok  [/]",
    "note": "[yellow]note[/]",
    "lost": "[bold red]lost[/]",
    "not_tried": "[dim]-   [/]",
}
_SHORT: Final = 90


def show_step(step: Step, console: Console) -> None:
    """Print one step as a line; what is lost comes as a sentence at the end."""
    said = step.said if step.state == "lost" or not step.do else f"{step.said}; {step.do}"
    console.print(f"{_MARKS[step.state]} {step.name:<13}{escape(said)}")


def show_end(lost: Step | None, console: Console) -> None:
    """Print the verdict on a set-up."""
    if lost is None:
        console.print("\n[bold green]All is well:[/] the marked trace came through every step.")
    else:
        console.print(f"\n[bold red]{escape(lost.sentence)}[/]")


def show_findings(findings: Findings, console: Console) -> None:
    """Print each trace with its runs, and the counts at the end."""
    for trace in findings.traces:
        _show_trace(trace, console)
    table = Table("reason", "runs", box=None, header_style="bold")
    for code, number in findings.counts.items():
        table.add_row("traces without a run" if code == NO_RUN else code, str(number))
    console.print(table)


def _show_trace(trace: TraceFindings, console: Console) -> None:
    scopes = ", ".join(trace.scopes)
    console.print(f"[bold]{trace.trace_id}[/]  [dim]{trace.spans} spans of {escape(scopes)}[/]")
    if not trace.runs:
        console.print(f"  [yellow]no run[/]    {NO_RUN_WHY}\n  [bold]to do[/]     {escape(NO_RUN_DO)}")
    for run in trace.runs:
        _show_run(run, console)
    console.print()


def _show_run(explained: Explained, console: Console) -> None:
    run = explained.run
    console.print(f"  run       {escape(run.target.name) if run.target else ''}")
    console.print(f"  question  {_text(run.query)}")
    console.print(f"  contexts  {_contexts(explained)}")
    console.print(f"  answer    {_text(run.answer)}")
    if not explained.why:
        console.print(f"  [green]{COMPLETE}[/]")
    for code, why in explained.why:
        console.print(f"  [yellow]{code}[/]: {escape(why)}")
    for advised in explained.advice:
        whose = f"{advised.instrumentation}: " if advised.instrumentation else ""
        console.print(f"  [bold]to do[/]     {escape(whose + advised.do)}")


def _contexts(explained: Explained) -> str:
    contexts = explained.run.contexts
    if contexts is None:
        return "[dim]not captured[/]"
    without = sum(document.text is None for document in contexts)
    texts = f", {without} of them without text" if without else ""
    return f"{len(contexts)} documents{texts}" if contexts else "none retrieved"


def _text(text: str | None) -> str:
    if text is None:
        return "[dim]not captured[/]"
    line = " ".join(text.split())
    return escape(line if len(line) <= _SHORT else line[: _SHORT - 1] + "…")

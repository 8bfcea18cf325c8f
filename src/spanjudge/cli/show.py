"""Runs and scores for people to read on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from spanjudge.model import Failure, Score

if TYPE_CHECKING:
    from spanjudge.model import Evaluation, Outcome, RagRun

_WIDTH = 100


def show_run(run: RagRun, evaluations: list[Evaluation]) -> None:
    """Print one run: question, documents, answer, and what the scorers said."""
    console = Console(highlight=False, soft_wrap=True)
    target = run.target
    console.print(f"[bold]{escape(target.name) if target else 'run'}[/]  [dim]{target.trace_id if target else ''}[/]")
    console.print(f"  question  {_short(run.query)}")
    console.print(f"  contexts  {_contexts(run)}")
    console.print(f"  answer    {_short(run.answer)}")
    if run.skip_reason:
        console.print(f"  [yellow]incomplete: {run.skip_reason}[/]")
    for evaluation in evaluations:
        console.print(f"  {evaluation.outcome.scorer:<20} {_outcome(evaluation.outcome)}")


def _outcome(outcome: Outcome) -> str:
    if isinstance(outcome, Score):
        return f"[bold]{outcome.score:.2f}[/] {outcome.label}  {escape(outcome.reason or '')}"
    if isinstance(outcome, Failure):
        return f"[red]failed: {outcome.code}[/] {escape(outcome.detail)}"
    return f"[yellow]skipped: {outcome.code}[/]"


def _contexts(run: RagRun) -> str:
    if run.contexts is None:
        return "[dim]not captured[/]"
    return f"{len(run.contexts)} documents" if run.contexts else "none retrieved"


def _short(text: str | None) -> str:
    if text is None:
        return "[dim]not captured[/]"
    line = " ".join(text.split())
    return escape(line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…")

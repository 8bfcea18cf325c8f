"""The demo's story on a terminal; plain lines where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.markup import escape
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from spanjudge.demo.main_job import ALPHA, BROKEN_RUNS, FAULT, WATCHED, WORKING_RUNS, expected_evaluations
from spanjudge.demo.tree import short, trace_tree
from spanjudge.model import Failure, Score
from spanjudge.report.runs import scorers_of
from spanjudge.report.summary import parts

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import TaskID
    from typing_extensions import Self

    from spanjudge.demo.main_job import Demo, Phase
    from spanjudge.model import Outcome
    from spanjudge.report.runs import JudgedRun
    from spanjudge.report.trail import Step

_WIDTH: Final = 30
_AFTER_ALARM: Final = 2
_LONG: Final = 240
_PHASES: Final[dict[Phase, str]] = {"works": "the retriever works", "broken": "the retriever is broken"}


class Bars:
    """A progress bar for each phase; a context manager. ``arrived`` may be called from another thread.

    Args:
        console: Where the bars are drawn; on one that is no terminal each phase is one line.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._progress = Progress(
            TextColumn("  {task.description}"),
            BarColumn(_WIDTH),
            MofNCompleteColumn(),
            TextColumn("evaluations"),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
        )
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        """Begin to draw."""
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the bars as they are."""
        self._progress.stop()

    def entered(self, phase: Phase) -> None:
        """Begin the next bar."""
        self._task = self._progress.add_task(f"{_PHASES[phase]:<24}", total=expected_evaluations(phase))
        if not self._console.is_terminal:
            self._console.print(f"  {_PHASES[phase]} …")

    def arrived(self) -> None:
        """Move the bar on by one evaluation."""
        if self._task is not None:
            self._progress.advance(self._task)


def show(demo: Demo, console: Console) -> None:
    """Tell the story of a demo: scores, reasons, the alarm's rise, the trace."""
    _scores(demo, console)
    _one_run(demo, console)
    _evidence(demo, console)
    _trace(demo, console)


def _say(console: Console, text: str) -> None:
    console.print(text, no_wrap=True, overflow="ellipsis")


def _inset(text: str, left: int) -> Padding:
    return Padding(f"[dim]{escape(text)}[/]", (0, 0, 0, left), expand=False)


def _scores(demo: Demo, console: Console) -> None:
    _say(console, f"\n[bold]Scores[/]  mean and 95 % interval over {WORKING_RUNS} runs, then {BROKEN_RUNS} broken ones")
    for scorer in scorers_of(demo.runs):
        found = parts(scorer, demo.runs, demo.moment)
        shown = " → ".join(
            f"{part.mean:.2f} [dim]({part.interval.low:.2f} to {part.interval.high:.2f})[/]"
            if part.mean is not None and part.interval is not None
            else "[dim]no score[/]"
            for part in found
        )
        left_out = sum(count for part in found for _, count in part.left_out)
        _say(console, f"  {scorer:<20}{shown}" + (f"  [yellow]{left_out} without a score[/]" if left_out else ""))


def _one_run(demo: Demo, console: Console) -> None:
    """Show a run of the working retriever that has more to tell than full marks."""
    working = demo.runs[: demo.moment]
    partial = [judged for judged in working if 0.0 < (judged.share(WATCHED) or 0.0) < 1.0]
    judged = (partial or list(working))[0]
    console.print(f"\n[bold]Run {judged.position + 1}, judged[/]")
    for name, text in (("question", judged.run.query), ("answer", judged.run.answer)):
        console.print(_inset(f"{name}: {short(text or '', _LONG)}", 2))
    for scorer in scorers_of([judged]):
        _say(console, f"  {scorer:<20}{_result(judged.evaluations[scorer].outcome)}")
        console.print(_inset(_reason(judged.evaluations[scorer].outcome), 4))


def _result(outcome: Outcome) -> str:
    if isinstance(outcome, Score):
        return f"[bold]{outcome.score:.2f}[/] {outcome.label}"
    word = "failed" if isinstance(outcome, Failure) else "skipped"
    return f"[yellow]{word}: {outcome.code}[/]"


def _reason(outcome: Outcome) -> str:
    if isinstance(outcome, Score):
        return short(outcome.reason or "", _LONG)
    return outcome.detail if isinstance(outcome, Failure) else ""


def _evidence(demo: Demo, console: Console) -> None:
    trail = demo.trail
    console.print(f"\n[bold]The retriever breaks[/]: from run {demo.moment + 1} on it {FAULT}")
    baseline = trail.steps[-1].evidence.baseline if trail.steps else None
    if baseline is None:
        console.print(f"  [yellow]Too few runs have a {WATCHED} score for a baseline: nothing is watched.[/]")
        return
    console.print(
        f"  Baseline: the first {baseline.n} runs, mean {baseline.mean:.2f}. Watched: is {WATCHED} still at least "
        f"{baseline.mu0:.2f}?\n  Evidence that it is not, in nats, grows to the alarm at {trail.threshold:.2f}:\n"
    )
    last = demo.moment + BROKEN_RUNS if trail.alarm is None else trail.alarm + _AFTER_ALARM
    for step in trail.steps:
        if demo.moment <= step.position <= last:
            _say(console, _step(step, trail.threshold, demo.runs[step.position]))
    if trail.alarm is None:
        console.print("\n  [yellow]No alarm: the evidence stayed under its threshold.[/]")
    else:
        delay = trail.alarm - demo.moment + 1
        console.print(f"\n  [bold red]Alarm at run {trail.alarm + 1}[/]: {delay} runs after the break.")
    reading = (
        f"How to read it: within the life of one baseline a false alarm has a chance of at most {ALPHA:.0%}, however "
        f"often one looks. That holds because each run draws one of {demo.questions} questions at random. The turns of "
        "a session, or a question that everybody asks, would be one unit."
    )
    console.print(_inset(reading, 2))


def _step(step: Step, threshold: float, judged: JudgedRun) -> str:
    highest = step.evidence.log_max or 0.0
    filled = round(_WIDTH * min(1.0, highest / threshold))
    colour = "red" if step.evidence.crossed else "yellow"
    bar = f"[{colour}]{'█' * filled}[/][dim]{'·' * (_WIDTH - filled)}[/]"
    question = escape(short(judged.run.query or "", _LONG))
    return f"  run {step.position + 1:>3}  recall {step.share:.2f}  {bar} {highest:5.2f}  [dim]{question}[/]"


def _trace(demo: Demo, console: Console) -> None:
    target = demo.runs[demo.moment].run.target
    if target is None:
        return
    console.print("\n[bold]Where the evaluations sit in the trace[/]")
    console.print(trace_tree(int(target.trace_id, 16), demo.spans))

"""Alerts on the judging itself: when it is silent, fails, loses runs or costs too much, no score tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spanjudge import semconv
from spanjudge.alerts.recorded import chosen
from spanjudge.alerts.rule import EVERY_SCORER, Alert, percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanjudge.alerts.settings import RuleSettings

QUIET: Final = "30m"
SOON: Final = "15m"
FULL: Final = 0.9
_NAME: Final = f'"{semconv.EVALUATION_NAME}"'


def pipeline_alerts(settings: RuleSettings) -> Iterator[Alert]:
    """Return the alerts on the judging."""
    yield _no_scores(settings)
    yield _incomplete(settings)
    yield _failing(settings)
    yield _dropping(settings)
    yield _queue(settings)
    if settings.daily_cost is not None:
        yield _cost(settings, settings.daily_cost)


def _increase(settings: RuleSettings, metric: str, window: str, *matchers: str) -> str:
    return f'increase({{"{metric}"{chosen(settings, *matchers)}}}[{window}])'


def _outcome(settings: RuleSettings, window: str, *outcomes: str) -> str:
    which = f'"{semconv.OUTCOME}"=~"{"|".join(outcomes)}"'
    return f"sum by ({_NAME}) ({_increase(settings, semconv.METRIC_EVALUATIONS, window, which)})"


def _no_scores(settings: RuleSettings) -> Alert:
    candidates = f"sum by ({_NAME}) ({_increase(settings, semconv.METRIC_CANDIDATES, QUIET)})"
    skipped, scored = (_outcome(settings, QUIET, outcome) for outcome in ("skipped", "scored"))
    return Alert(
        name="SpanjudgeNoScores",
        # What a scorer had to skip, as recall without references, it was not asked to score.
        query=f"(\n  ({candidates} - ({skipped} or 0 * {candidates}))\n  >= {settings.least_runs}\n)\n"
        f"unless\n{scored} > 0",
        wait="5m",
        severity="critical",
        scorer=EVERY_SCORER,
        summary="{scorer} has given no score for " + QUIET,
        description=(
            '{{ $value | printf "%.0f" }} runs were offered to {scorer} within ' + QUIET + " and none has got a score. "
            "Look at failures by reason code, at the queue, and at the log of the application."
        ),
    )


def _incomplete(settings: RuleSettings) -> Alert:
    incomplete, every = (
        f"sum({_increase(settings, semconv.METRIC_RUNS, settings.window, *which)})"
        for which in ((f'"{semconv.DECISION}"="incomplete"',), ())
    )
    return Alert(
        name="SpanjudgeRunsIncomplete",
        query=f"{incomplete}\n/\n({every} >= {settings.least_runs})\n> {settings.incomplete:g}",
        wait="15m",
        severity="warning",
        scorer=None,
        summary="{{ $value | humanizePercentage }} of the runs cannot be judged",
        description=(
            f"{{{{ $value | humanizePercentage }}}} of the runs over {settings.window} lack question, contexts or "
            "answer, or were cut. The reason code says which; most often the capture of content is switched off."
        ),
    )


def _failing(settings: RuleSettings) -> Alert:
    failed, tried = (_outcome(settings, SOON, *outcomes) for outcomes in (("failed",), ("failed", "scored")))
    return Alert(
        name="SpanjudgeJudgeFailing",
        query=f"{failed}\n/\n({tried} >= {settings.least_runs})\n> {settings.failures:g}",
        wait="5m",
        severity="warning",
        scorer=EVERY_SCORER,
        summary="The judge fails on {{ $value | humanizePercentage }} of the evaluations of {scorer}",
        description=(
            f"{{{{ $value | humanizePercentage }}}} of the evaluations of {{scorer}} over {SOON} failed; "
            f"{percent(settings.failures)} may. A failure is no score: the means stay right, but rest on less."
        ),
    )


def _dropping(settings: RuleSettings) -> Alert:
    def share(metric: str, lost: str) -> str:
        dropped = f"sum({_increase(settings, metric, SOON, lost)})"
        return f"{dropped}\n/\n(sum({_increase(settings, metric, SOON)}) >= {settings.least_runs})"

    runs = share(semconv.METRIC_RUNS, f'"{semconv.DECISION}"="dropped"')
    evaluations = share(semconv.METRIC_EVALUATIONS, f'"{semconv.OUTCOME}"="dropped"')
    return Alert(
        name="SpanjudgeDropping",
        query=f"({runs}\n> {settings.drops:g})\nor\n({evaluations}\n> {settings.drops:g})",
        wait="5m",
        severity="warning",
        scorer=None,
        summary="{{ $value | humanizePercentage }} of what was to be judged is dropped",
        description=(
            f"{{{{ $value | humanizePercentage }}}} of the runs or evaluations over {SOON} were dropped for lack of "
            f"room or time; {percent(settings.drops)} may. The application is unharmed; the scores rest on a share "
            "of the traffic that nobody chose. Lower the sample rate, or raise concurrency or queue_size."
        ),
    )


def _queue(settings: RuleSettings) -> Alert:
    size, capacity = (
        f'sum({{"{metric}"{chosen(settings)}}})'
        for metric in (semconv.METRIC_QUEUE_SIZE, semconv.METRIC_QUEUE_CAPACITY)
    )
    return Alert(
        name="SpanjudgeQueueFilling",
        query=f"{size} / ({capacity} > 0) > {FULL:g}",
        wait="10m",
        severity="info",
        scorer=None,
        summary="The queue of runs is {{ $value | humanizePercentage }} full",
        description=(
            "More runs come in than the judge gets done; when the queue is full, runs are dropped. "
            "Lower the sample rate, or raise concurrency."
        ),
    )


def _cost(settings: RuleSettings, daily: float) -> Alert:
    return Alert(
        name="SpanjudgeJudgeCost",
        query=f"sum({_increase(settings, semconv.METRIC_JUDGE_COST, '1d')}) > {daily:g}",
        wait="15m",
        severity="warning",
        scorer=None,
        summary='The judge cost {{ $value | printf "%.2f" }} US dollars within a day',
        description=(
            f'The judge cost {{{{ $value | printf "%.2f" }}}} US dollars within the last day; {daily:g} may be spent. '
            "Lower the sample rate of the dearest scorer, or take a cheaper model."
        ),
    )

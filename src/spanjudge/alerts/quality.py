"""Alerts on what users of the application get: scores that fell, that are low, that are bad too often."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from spanjudge import semconv
from spanjudge.alerts.recorded import EVIDENCE, THRESHOLD, live, names
from spanjudge.alerts.rule import EVERY_SCORER, Alert, percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanjudge.alerts.rule import Severity
    from spanjudge.alerts.settings import RuleSettings

# One-sided 95 % of the normal distribution.
Z: Final = 1.645
FAITHFULNESS: Final = "faithfulness"


class _Burn(NamedTuple):
    factor: float
    long: str
    short: str


# Site Reliability Workbook, chapter 5, table 5-8, for a budget of 30 days.
_FAST: Final = (_Burn(14.4, "1h", "5m"), _Burn(6.0, "6h", "30m"))
_SLOW: Final = (_Burn(3.0, "1d", "2h"), _Burn(1.0, "3d", "6h"))


def quality_alerts(settings: RuleSettings) -> Iterator[Alert]:
    """Return the alerts on scores."""
    yield _regression(settings)
    for scorer, floor in settings.floors.items():
        yield _below_floor(settings, scorer, floor)
    yield _burning(settings, "SpanjudgeBadScoresFast", _FAST, "critical", "2m")
    yield _burning(settings, "SpanjudgeBadScoresSlow", _SLOW, "warning", "15m")
    yield _contradictions(settings)


def _regression(settings: RuleSettings) -> Alert:
    series = names(settings, semconv.EVALUATOR_VERSION)
    return Alert(
        name="SpanjudgeRegression",
        query=f"{EVIDENCE}\n>= on ({series})\n{THRESHOLD}",
        wait="1m",
        severity="critical",
        scorer=EVERY_SCORER,
        summary="{scorer} of {agent} has fallen below its own past",
        description=(
            "{mean_now}{mean_before}"
            'The evidence that the mean of {scorer} is lower than its baseline is {{ $value | printf "%.1f" }} nat and '
            "has passed its threshold. It counts every score since the baseline, however often one looks: a series "
            "that has not fallen passes the threshold with at most the chance alpha that its detector was given. "
            "Look at the runs with label poor or none since the evidence began to rise."
        ),
    )


def _below_floor(settings: RuleSettings, scorer: str, floor: float) -> Alert:
    window = settings.window
    mean, error, count = (f"scorer:spanjudge_score:{what}{window}" for what in ("mean", "stderr", "count"))
    only = f'{{"{semconv.EVALUATION_NAME}"="{scorer}"}}'
    return Alert(
        name="SpanjudgeScoreBelowFloor",
        query=f"(\n  {mean}{only}\n  and\n  {mean}{only} + {Z} * {error}{only} < {floor:g}\n)\n"
        f"and\n{count}{only} >= {settings.least_scores}",
        wait="5m",
        severity="warning",
        scorer=scorer,
        summary=f"{{scorer}} of {{agent}} is below its floor of {floor:g}",
        description=(
            f"The mean of {{scorer}} over {window} is {{{{ $value | printf "
            f'"%.2f" }}}}, and the upper end of its one-sided 95 % interval is below the floor of {floor:g}. '
            "A rule that looks at an interval again and again will see it miss by chance sooner or later: "
            "SpanjudgeRegression is the alert that makes a promise on false alarms."
        ),
    )


def _burning(settings: RuleSettings, name: str, burns: tuple[_Burn, ...], severity: Severity, wait: str) -> Alert:
    def condition(burn: _Burn) -> str:
        most = burn.factor * (1 - settings.objective)
        long, short = (f"scorer:spanjudge_score_bad:ratio{window}" for window in (burn.long, burn.short))
        enough = f"scorer:spanjudge_score_bad:increase{burn.long} >= {settings.least_bad}"
        return f"(\n  {long} > {most:.6g}\n  and\n  {short} > {most:.6g}\n  and\n  {enough}\n)"

    said = " or ".join(f"{burn.factor:g} times over {burn.long} and {burn.short}" for burn in burns)
    return Alert(
        name=name,
        query="\nor\n".join(map(condition, burns)),
        wait=wait,
        severity=severity,
        scorer=EVERY_SCORER,
        summary=f"Too many scores of {{scorer}} of {{agent}} are {settings.bad_at:g} or less",
        description=(
            f"{{{{ $value | humanizePercentage }}}} of the scores of {{scorer}} are {settings.bad_at:g} or less. "
            f"{percent(1 - settings.objective)} may be: that budget is being spent {said}."
        ),
    )


def _contradictions(settings: RuleSettings) -> Alert:
    by, window = names(settings), settings.window
    of = f'"{semconv.EVALUATION_NAME}"="{FAITHFULNESS}"'
    no, every = (
        f'sum by ({by}) (increase({{"{semconv.METRIC_VERDICTS}"{live(settings, *which)}}}[{window}]))'
        for which in ((of, f'"{semconv.VERDICT}"="no"'), (of,))
    )
    return Alert(
        name="SpanjudgeContradictions",
        query=f"{no}\n/\n({every} >= {settings.least_scores})\n> {settings.contradictions:g}",
        wait="10m",
        severity="warning",
        scorer=FAITHFULNESS,
        summary="Answers of {agent} contradict what was retrieved",
        description=(
            f"{{{{ $value | humanizePercentage }}}} of the claims in answers over {window} are contradicted by the "
            f"retrieved contexts; {percent(settings.contradictions)} may be. Look at poor faithfulness scores."
        ),
    )

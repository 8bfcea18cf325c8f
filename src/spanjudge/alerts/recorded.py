"""Recording rules: means with their errors, shares of bad scores, the evidence of a regression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spanjudge import semconv
from spanjudge.alerts.rule import Recording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanjudge.alerts.settings import RuleSettings

BURN_WINDOWS: Final = ("5m", "30m", "1h", "2h", "6h", "1d", "3d")
EVIDENCE: Final = "scorer:spanjudge_regression_evidence:combined"
THRESHOLD: Final = "scorer:spanjudge_regression_threshold:max"
_HIGHEST: Final = "detector:spanjudge_regression_evidence:min"
_CURRENT: Final = "detector:spanjudge_regression_evidence_current:min"


def names(settings: RuleSettings, *more: str) -> str:
    """Return the labels that tell scores apart, for a grouping."""
    return ", ".join(f'"{name}"' for name in (semconv.EVALUATION_NAME, *settings.by, *more))


def chosen(settings: RuleSettings, *more: str) -> str:
    """Return what follows the metric's name in a selector: ``, "a"="x"``."""
    pairs = [f'"{name}"="{value}"' for name, value in settings.match.items()]
    return "".join(f", {pair}" for pair in (*more, *pairs))


def live(settings: RuleSettings, *more: str) -> str:
    """Return the same for scores of live traffic: canaries and offline evaluations are no evidence of its quality."""
    return chosen(settings, f'"{semconv.SOURCE}"="live"', *more)


def recordings(settings: RuleSettings) -> Iterator[Recording]:
    """Return the recording rules, each before the ones that use it."""
    yield from _means(settings)
    yield from _bad(settings)
    yield from _evidence(settings)


def _means(settings: RuleSettings) -> Iterator[Recording]:
    """Hajek's mean and its error from five sums (Sarndal, Swensson, Wretman 1992, section 5.7)."""
    by, window = names(settings), settings.window
    sums = f"scorer:spanjudge_score_moments:increase{window}"

    def of(moment: str) -> str:
        return f'sum by ({by}) ({sums}{{"{semconv.MOMENT}"="{moment}"}})'

    mean = f"scorer:spanjudge_score:mean{window}"
    yield Recording(
        record=f"scorer:spanjudge_score:count{window}",
        query=f'sum by ({by}) (increase({{"{semconv.METRIC_SCORE}_count"{live(settings)}}}[{window}]))',
    )
    grouped = names(settings, semconv.MOMENT)
    yield Recording(
        record=sums,
        query=f'sum by ({grouped}) (increase({{"{semconv.METRIC_MOMENTS}"{live(settings)}}}[{window}]))',
    )
    yield Recording(record=mean, query=f"{of('wx')}\n/\n({of('w')} > 0)")
    yield Recording(
        record=f"scorer:spanjudge_score:stderr{window}",
        query=f"sqrt(clamp_min(\n  {of('wwxx')}\n  - 2 * {mean} * {of('wwx')}\n  + {mean} * {mean} * {of('ww')},\n0))\n"
        f"/\n({of('w')} > 0)",
    )


def _bad(settings: RuleSettings) -> Iterator[Recording]:
    by, bound = names(settings), f'le="{settings.bad_at:g}"'
    for window in BURN_WINDOWS:
        bad = f"scorer:spanjudge_score_bad:increase{window}"
        scores = f'{{"{semconv.METRIC_SCORE}_count"{live(settings)}}}'
        bucket = f'{{"{semconv.METRIC_SCORE}_bucket"{live(settings, bound)}}}'
        yield Recording(record=bad, query=f"sum by ({by}) (increase({bucket}[{window}]))")
        yield Recording(
            record=f"scorer:spanjudge_score_bad:ratio{window}",
            query=f"{bad}\n/\n(sum by ({by}) (increase({scores}[{window}])) > 0)",
        )


def _evidence(settings: RuleSettings) -> Iterator[Recording]:
    """One process: its running maximum, that no scrape misses. Several: the sum of what they have now.

    The product of independent e-processes is an e-process (Vovk and Wang 2021, Annals of Statistics 49, section 4);
    running maxima have no such sum.
    """
    series = names(settings, semconv.EVALUATOR_VERSION)
    each = names(settings, semconv.EVALUATOR_VERSION, semconv.DETECTOR_ID)
    where = chosen(settings)
    # Two Collectors may hold one detector: it counts once.
    for record, metric in ((_HIGHEST, semconv.METRIC_EVIDENCE), (_CURRENT, semconv.METRIC_EVIDENCE_CURRENT)):
        yield Recording(record=record, query=f'min by ({each}) ({{"{metric}"{where}}})')
    yield Recording(
        record=EVIDENCE,
        query=f"(\n  max by ({series}) ({_HIGHEST})\n  and\n  count by ({series}) ({_HIGHEST}) == 1\n)\n"
        f"or\nsum by ({series}) ({_CURRENT})",
    )
    yield Recording(record=THRESHOLD, query=f'max by ({series}) ({{"{semconv.METRIC_THRESHOLD}"{where}}})')

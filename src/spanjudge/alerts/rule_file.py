"""All rules as one file for Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spanjudge import semconv
from spanjudge.alerts.pipeline import pipeline_alerts
from spanjudge.alerts.quality import quality_alerts
from spanjudge.alerts.recorded import recordings
from spanjudge.alerts.rule import EVERY_SCORER
from spanjudge.alerts.yaml_text import dump
from spanjudge.errors import InputError
from spanjudge.promql import label, quoted, translate

if TYPE_CHECKING:
    from spanjudge.alerts.rule import Alert
    from spanjudge.alerts.settings import RuleSettings

HEADER: Final = "# Made by `spanjudge rules`: change its options rather than this file.\n"


def alerts(settings: RuleSettings) -> tuple[Alert, ...]:
    """Return every alert, queries in OpenTelemetry's names.

    Raises:
        InputError: Where a wait or a severity is set for an alert that is not there.
    """
    made = (*quality_alerts(settings), *pipeline_alerts(settings))
    _check_names(settings, {alert.name for alert in made})
    return made


def _check_names(settings: RuleSettings, known: set[str]) -> None:
    for table in ("waits", "severities"):
        unknown = sorted(set(getattr(settings, table)) - known)
        if unknown:
            message = f'"{table}" names the alert {unknown[0]!r}; the alerts are: {", ".join(sorted(known))}.'
            raise InputError(message)


def rule_file(settings: RuleSettings) -> str:
    """Return the text of a rule file.

    Raises:
        InputError: Where the settings name an alert that is not there.
    """
    quality, pipeline = tuple(quality_alerts(settings)), tuple(pipeline_alerts(settings))
    _check_names(settings, {alert.name for alert in (*quality, *pipeline)})
    recorded = [
        {"record": rule.record, "expr": translate(rule.query, settings.translation)} for rule in recordings(settings)
    ]
    # The rules of a group are taken one after the other: an alert sees what was recorded at the same moment.
    groups = [
        {"name": "spanjudge-quality", "rules": [*recorded, *(_written(alert, settings) for alert in quality)]},
        {"name": "spanjudge-pipeline", "rules": [_written(alert, settings) for alert in pipeline]},
    ]
    return HEADER + dump({"groups": groups})


def _mean(settings: RuleSettings, words: str, query: str) -> str:
    """Return a template that says the mean of the alert's own series, and nothing where there is none."""
    labels = [label(name, settings.translation) for name in (semconv.EVALUATION_NAME, *settings.by)]
    matchers = ", ".join(f"{quoted(name)}=%q" for name in labels)
    found = query.replace("{series}", f"scorer:spanjudge_score:mean{settings.window}{{{matchers}}}")
    values = " ".join(f'(index $labels "{name}")' for name in labels)
    value = '{{ . | first | value | printf "%.2f" }}'
    return f"{{{{ with printf `{found}` {values} | query }}}}{words} {value}. {{{{ end }}}}"


def _written(alert: Alert, settings: RuleSettings) -> dict[str, object]:
    scorer, agent = (
        f'index $labels "{label(name, settings.translation)}"' for name in (semconv.EVALUATION_NAME, semconv.AGENT_NAME)
    )
    named: dict[str, str] = {}
    if alert.scorer is not None:
        named["scorer"] = f"{{{{ {scorer} }}}}" if alert.scorer == EVERY_SCORER else alert.scorer
    told_apart = alert.scorer is not None and semconv.AGENT_NAME in settings.by
    if told_apart:
        named["agent"] = f"{{{{ {agent} }}}}"

    def text(template: str) -> str:
        # Plain replacement: the braces of Prometheus' own templates stand in the same text.
        whose = f'{{{{ or ({agent}) "the application" }}}}' if told_apart else "the application"
        for placeholder, meaning in (
            ("{scorer}", named.get("scorer", "")),
            ("{agent}", whose),
            ("{mean_now}", _mean(settings, f"Over the last {settings.window} its mean is", "{series}")),
            (
                "{mean_before}",
                _mean(
                    settings, "Over the day before it was", f"avg_over_time({{series}}[1d] offset {settings.window})"
                ),
            ),
        ):
            template = template.replace(placeholder, meaning)
        return template

    return {
        "alert": alert.name,
        "expr": translate(alert.query, settings.translation),
        "for": settings.waits.get(alert.name, alert.wait),
        "labels": {"severity": settings.severities.get(alert.name, alert.severity), **named, **settings.labels},
        "annotations": {
            "summary": text(alert.summary),
            "description": text(alert.description),
            "runbook_url": f"{settings.runbook_url}#{alert.name.lower()}",
        },
    }

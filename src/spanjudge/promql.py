"""Queries on our metrics, in the names that a way to Prometheus gives them.

Queries are written once, with OpenTelemetry's own names in the quoted form of Prometheus 3, as
``sum by ("spanjudge.reason_code") (rate({"spanjudge.runs", "spanjudge.decision"="dropped"}[1h]))``: that is what the
strategy ``NoTranslation`` needs, and the others follow from it.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from spanjudge import semconv

Translation: TypeAlias = Literal[
    "UnderscoreEscapingWithSuffixes",
    "UnderscoreEscapingWithoutSuffixes",
    "NoUTF8EscapingWithSuffixes",
    "NoTranslation",
]
TRANSLATIONS: Final[tuple[Translation, ...]] = get_args(Translation)
DEFAULT_TRANSLATION: Final[Translation] = "UnderscoreEscapingWithSuffixes"
UTF8: Final[frozenset[Translation]] = frozenset({"NoUTF8EscapingWithSuffixes", "NoTranslation"})


class _Instrument(NamedTuple):
    kind: Literal["counter", "gauge", "histogram"]
    unit: str = ""


# Units in braces are dropped on the way; of ours only the second is none of these.
_INSTRUMENTS: Final[dict[str, _Instrument]] = {
    semconv.METRIC_SCORE: _Instrument("histogram"),
    semconv.METRIC_MOMENTS: _Instrument("counter"),
    semconv.METRIC_VERDICTS: _Instrument("counter"),
    semconv.METRIC_TRACES: _Instrument("counter"),
    semconv.METRIC_RUNS: _Instrument("counter"),
    semconv.METRIC_CANDIDATES: _Instrument("counter"),
    semconv.METRIC_EVALUATIONS: _Instrument("counter"),
    semconv.METRIC_PENDING: _Instrument("gauge"),
    semconv.METRIC_QUEUE_SIZE: _Instrument("gauge"),
    semconv.METRIC_QUEUE_CAPACITY: _Instrument("gauge"),
    semconv.METRIC_LAG: _Instrument("histogram", "_seconds"),
    semconv.METRIC_JUDGE_COST: _Instrument("counter"),
    semconv.METRIC_CLIENT_DURATION: _Instrument("histogram", "_seconds"),
    semconv.METRIC_CLIENT_TOKENS: _Instrument("histogram"),
    semconv.METRIC_EVIDENCE: _Instrument("gauge"),
    semconv.METRIC_EVIDENCE_CURRENT: _Instrument("gauge"),
    semconv.METRIC_THRESHOLD: _Instrument("gauge"),
    semconv.METRIC_LAST_SCORE: _Instrument("gauge", "_seconds"),
}
_PARTS: Final = re.compile(r"^(.*?)(_bucket|_sum|_count)?$")
_SELECTOR: Final = re.compile(r'\{\s*"([^"]+)"\s*(?:,\s*([^{}]*))?\}')
_MATCHED: Final = re.compile(r'"([^"]+)"(?=\s*(?:=~|!~|!=|=))')
# A quoted value is stepped over whole: what looks like a grouping inside it is none.
_GROUPED: Final = re.compile(r'"[^"]*"|\b(by|without|on|ignoring|group_left|group_right)\s*\(([^()]*)\)')
_LEGEND: Final = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")
_PLAIN: Final = re.compile(r"^[A-Za-z_]\w*$")


def metric(name: str, translation: Translation) -> str:
    """Return a metric's name in Prometheus (OpenTelemetry's "Prometheus and OpenMetrics Compatibility").

    Args:
        name: One of our instruments, for a histogram with ``_bucket``, ``_sum`` or ``_count``.
        translation: What the way to Prometheus does to names.

    Raises:
        KeyError: Where there is no such instrument.

    >>> metric("spanjudge.evaluation.lag_bucket", "UnderscoreEscapingWithSuffixes")
    'spanjudge_evaluation_lag_seconds_bucket'
    """
    split = _PARTS.match(name)
    base, part = (split[1], split[2] or "") if split else (name, "")
    instrument = _INSTRUMENTS[base]
    suffix = ""
    if translation.endswith("WithSuffixes"):
        suffix = instrument.unit + ("_total" if instrument.kind == "counter" else "")
    return (base if translation in UTF8 else _escaped(base)) + suffix + part


def label(name: str, translation: Translation) -> str:
    """Return a label's name in Prometheus, without quotes."""
    return name if translation in UTF8 else _escaped(name)


def translate(query: str, translation: Translation) -> str:
    """Return a query in the names of a translation.

    Args:
        query: PromQL with OpenTelemetry's names, quoted.
        translation: What the way to Prometheus does to names.

    Raises:
        KeyError: Where the query selects a metric that is none of ours.

    >>> translate('sum by ("spanjudge.verdict") (rate({"spanjudge.verdicts", "spanjudge.source"="live"}[5m]))',
    ...           "UnderscoreEscapingWithSuffixes")
    'sum by (spanjudge_verdict) (rate(spanjudge_verdicts_total{spanjudge_source="live"}[5m]))'
    """

    def selector(found: re.Match[str]) -> str:
        name, matchers = metric(found[1], translation), found[2] or ""
        if _PLAIN.match(name):
            return name + (f"{{{matchers}}}" if matchers else "")
        return f'{{"{name}"' + (f", {matchers}" if matchers else "") + "}"

    def grouping(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0]
        names = [name.strip().strip('"') for name in found[2].split(",") if name.strip()]
        return f"{found[1]} ({', '.join(quoted(label(name, translation)) for name in names)})"

    # Matchers first: a selector's own name is not followed by an operator, and stays as it is till its turn.
    query = _MATCHED.sub(lambda found: quoted(label(found[1], translation)), query)
    return _GROUPED.sub(grouping, _SELECTOR.sub(selector, query))


def legend(text: str, translation: Translation) -> str:
    """Return a Grafana legend, ``{{gen_ai.agent.name}}``, in the names of a translation."""
    return _LEGEND.sub(lambda found: f"{{{{{label(found[1], translation)}}}}}", text)


def quoted(name: str) -> str:
    """Return a label's name as queries write it: quoted where it is not plain."""
    return name if _PLAIN.match(name) else f'"{name}"'


def _escaped(name: str) -> str:
    return re.sub(r"\W", "_", name, flags=re.ASCII)

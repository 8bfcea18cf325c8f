"""Thresholds, windows and names of the rules, in one place, checked once."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, cast

from spanjudge import semconv
from spanjudge.alerts.rule import SEVERITIES, Severity
from spanjudge.errors import InputError
from spanjudge.promql import DEFAULT_TRANSLATION, TRANSLATIONS, Translation

if TYPE_CHECKING:
    from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # pyright: ignore[reportMissingImports]

# Fast burn of the Site Reliability Workbook, chapter 5: 14.4 times the budget must be possible at all.
FASTEST_BURN: Final = 14.4
RUNBOOK: Final = "docs/runbook.md"
_DURATION: Final = re.compile(r"^[1-9]\d*[smhdw]$")
_NAME: Final = re.compile(r"^[A-Za-z_][\w.]*$", re.ASCII)
_WORD: Final = re.compile(r"^[A-Za-z_]\w*$", re.ASCII)
_INNER_BOUNDS: Final = tuple(bound for bound in semconv.SCORE_BOUNDS if 0 < bound < 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSettings:
    """What the rules are made with.

    Attributes:
        translation: What the way to Prometheus does to names.
        window: Over which means, failures and drops are counted, as ``1h``.
        floors: Least acceptable mean score of each scorer, 0..1.
        least_scores: Scores in a window below which no mean is judged; 56 show a fall of 0.1 below a floor at a
            standard deviation of 0.3, 99 at 0.4 (one-sided 5 %, power 80 %).
        bad_at: A score of at most this counts as bad: an inner bound of the score histogram.
        objective: Share of scores that shall not be bad, for the burn rates; above 1 - 1/14.4.
        least_bad: Bad scores in a burn rate's long window below which it says nothing.
        contradictions: Share of contradicted claims in faithful answers that is too high, 0..1.
        failures: Share of failed evaluations that is too high, 0..1.
        drops: Share of dropped runs or evaluations that is too high, 0..1.
        incomplete: Share of runs that could not be judged for lack of content that is too high, 0..1.
        least_runs: Runs or evaluations in a window below which shares of them are not judged.
        daily_cost: US dollars a day for the judge, above which there is an alert; None for no such alert.
        by: Attributes by which scores are told apart beside the scorer.
        match: Attributes with the one value that the rules look at, as a deployment environment.
        labels: Labels to put on every alert.
        waits: Duration for which an alert must hold before it is sent, by alert name.
        severities: Severity by alert name.
        runbook_url: Where the runbook is to be read.
    """

    translation: Translation = DEFAULT_TRANSLATION
    window: str = "1h"
    floors: Mapping[str, float] = field(
        default_factory=lambda: {
            "context_recall": 0.5,
            "context_precision": 0.5,
            "answer_relevancy": 0.5,
            "faithfulness": 0.5,
        }
    )
    least_scores: int = 100
    bad_at: float = 0.3
    objective: float = 0.95
    least_bad: int = 10
    contradictions: float = 0.1
    failures: float = 0.1
    drops: float = 0.01
    incomplete: float = 0.5
    least_runs: int = 20
    daily_cost: float | None = None
    by: tuple[str, ...] = (semconv.AGENT_NAME,)
    match: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    waits: Mapping[str, str] = field(default_factory=dict)
    severities: Mapping[str, Severity] = field(default_factory=dict)
    runbook_url: str = RUNBOOK


NAMES: Final = tuple(item.name for item in fields(RuleSettings))


def rule_settings(given: Mapping[str, object], origin: str = "given as option") -> RuleSettings:
    """Check settings.

    Args:
        given: Values by name; one that is None counts as not given.
        origin: Where they come from, for messages.

    Raises:
        InputError: One sentence that names the setting, its value and where it came from.
    """
    values: dict[str, object] = {}
    for name, value in given.items():
        if name not in NAMES:
            message = f'There is no rule setting "{name}" ({origin}); the settings are: {", ".join(NAMES)}.'
            raise InputError(message)
        if value is None:
            continue
        try:
            values[name] = _checked(name, value)
        except ValueError as error:
            message = f'Rule setting "{name}" {error}, but it is {value!r} ({origin}).'
            raise InputError(message) from None
    return RuleSettings(**cast("dict[str, Any]", values))


def read_rule_file(path: Path) -> dict[str, object]:
    """Read settings from a TOML file, unchecked but for their names.

    Raises:
        InputError: Where the file cannot be read.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        message = f"The rule settings file {path} cannot be read: {error}."
        raise InputError(message) from None
    except tomllib.TOMLDecodeError as error:
        message = f"The rule settings file {path} is no valid TOML: {error}."
        raise InputError(message) from None


def _checked(name: str, value: object) -> object:  # noqa: PLR0911 - one kind of value after the other
    if name == "translation":
        return _one_of(value, TRANSLATIONS)
    if name == "window":
        return _duration(value)
    if name in {"least_scores", "least_bad", "least_runs"}:
        return _count(value)
    if name == "bad_at":
        return _one_of(value, _INNER_BOUNDS)
    if name == "objective":
        return _objective(value)
    if name == "daily_cost":
        return _number(value, math.inf)
    if name == "by":
        return _attribute_names(value)
    if name == "runbook_url":
        return _text(value)
    if name in {"floors", "match", "labels", "waits", "severities"}:
        return _table(name, value)
    return _number(value, 1.0)


def _table(name: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        message = "must be a table of names and values"
        raise ValueError(message)  # noqa: TRY004 - every refusal of a setting is the same kind of error
    names = _NAME if name == "match" else _WORD
    odd = [key for key in value if not isinstance(key, str) or not names.match(key)]
    if odd:
        message = f"must have plain names, which {odd[0]!r} is not"
        raise ValueError(message)
    if name == "floors":
        return {key: _number(item, 1.0) for key, item in value.items()}
    if name == "waits":
        return {key: _duration(item) for key, item in value.items()}
    if name == "severities":
        return {key: _one_of(item, SEVERITIES) for key, item in value.items()}
    if name == "match" and any(isinstance(item, str) and set(item) & set('"\\{}') for item in value.values()):
        message = "must have values without quotes, backslashes and braces"
        raise ValueError(message)
    return {key: _text(item) for key, item in value.items()}


def _number(value: object, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= most or value == math.inf:
        message = "must be a number above 0" + ("" if most == math.inf else f" and at most {most:g}")
        raise ValueError(message)
    return float(value)


def _objective(value: object) -> float:
    least = 1 - 1 / FASTEST_BURN
    share = _number(value, 1.0)
    if not least < share < 1:
        message = (
            f"must be above {least:.3f} and below 1, as nothing could burn its budget {FASTEST_BURN} times as fast"
        )
        raise ValueError(message)
    return share


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        message = "must be a whole number of 1 or more"
        raise ValueError(message)
    return value


def _duration(value: object) -> str:
    if not isinstance(value, str) or not _DURATION.match(value):
        message = "must be a duration of one number and one of s, m, h, d, w, as 30s or 1h"
        raise ValueError(message)
    return value


def _one_of(value: object, allowed: tuple[object, ...]) -> object:
    if isinstance(value, bool) or value not in allowed:
        message = f"must be one of {', '.join(map(str, allowed))}"
        raise ValueError(message)
    return value


def _attribute_names(value: object) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(name, str) and _NAME.match(name) for name in value):
        message = "must be a list of attribute names"
        raise ValueError(message)
    return tuple(value)


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.isprintable() or not value.strip():
        message = "must be a printable text that is not empty"
        raise ValueError(message)
    return value

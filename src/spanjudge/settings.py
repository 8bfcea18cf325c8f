"""Settings: argument over SPANJUDGE_* variable over file over default, validated at the door."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Literal, TypedDict, cast

from spanjudge.errors import InputError

Vectors = Sequence[Sequence[float]]
Texts = Mapping[str, str | None] | Sequence[str | None]
EmbedFunction = Callable[[list[str]], Vectors | Awaitable[Vectors]]
ResolveFunction = Callable[[list[str]], Texts | Awaitable[Texts]]

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # pyright: ignore[reportMissingImports]

PREFIX: Final = "SPANJUDGE_"
FILE_VARIABLE: Final = "SPANJUDGE_CONFIG"
DEFAULT_SCORERS: Final = ("context_recall", "context_precision", "answer_relevancy", "faithfulness")
MOST_METRIC_ATTRIBUTES: Final = 4
MOST_SECONDS: Final = 1e6


class SettingsError(InputError):
    """A setting that cannot be used: which, its value, where it came from, what is allowed."""


class Options(TypedDict, total=False):
    """What may be given as keyword arguments beside the four main ones: settings, and two functions of the user's."""

    resolve_documents: ResolveFunction
    embed_questions: EmbedFunction
    golden_threshold: float
    golden_embedding_threshold: float
    golden_rate: float
    lookup_timeout_s: float
    missing_ground_truth: Literal["skip", "zero"]
    inbox_size: int
    queue_size: int
    concurrency: int
    linger_s: float
    max_trace_age_s: float
    max_open_traces: int
    max_trace_bytes: int
    run_timeout_s: float
    judge_timeout_s: float
    judge_max_attempts: int
    shutdown_timeout_s: float
    baseline_runs: int
    metric_attributes: tuple[str, ...]
    disabled: bool


Parse = Callable[[object], object]


def _rate(value: object) -> float:
    rate = _number(value)
    if not 0 <= rate <= 1:
        message = "must be between 0 and 1"
        raise ValueError(message)
    return rate


def _sample_rate(value: object) -> dict[str, float]:
    """One rate for all scorers, or ``{"context_recall": 1.0, "*": 0.1}``, or the same as ``name=rate,name=rate``."""
    if isinstance(value, str) and "=" in value:
        pairs = [pair.partition("=") for pair in value.split(",")]
        value = {name.strip(): rate.strip() for name, _, rate in pairs}
    if isinstance(value, Mapping):
        return {str(name): _rate(rate) for name, rate in value.items()}
    return {"*": _rate(value)}


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        message = "must be a number"
        raise ValueError(message)  # noqa: TRY004 - every refusal of a setting is the same kind of error
    try:
        number = float(value)
    except (ValueError, OverflowError):
        message = "must be a number"
        raise ValueError(message) from None
    if not math.isfinite(number):
        message = "must be a finite number"
        raise ValueError(message)
    return number


def _seconds(value: object) -> float:
    seconds = _number(value)
    if not 0 <= seconds <= MOST_SECONDS:
        message = f"must be from 0 to {MOST_SECONDS:.0f} seconds"
        raise ValueError(message)
    return seconds


def _count(value: object) -> int:
    number = _number(value)
    if number < 1 or number != int(number):
        message = "must be a whole number of 1 or more"
        raise ValueError(message)
    return int(number)


def _flag(value: object) -> bool:
    word = str(value).strip().lower()
    if word in {"true", "1", "yes", "on"}:
        return True
    if word in {"false", "0", "no", "off", ""}:
        return False
    message = "must be true or false"
    raise ValueError(message)


def _text(value: object) -> str:
    if not isinstance(value, (str, os.PathLike)) or not str(value).strip():
        message = "must be a text that is not empty"
        raise ValueError(message)
    return str(value)


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        value = [name.strip() for name in value.split(",") if name.strip()]
    if not isinstance(value, (list, tuple)) or not value or not all(isinstance(name, str) and name for name in value):
        message = "must be a list of names"
        raise ValueError(message)
    return tuple(value)


def _few_names(value: object) -> tuple[str, ...]:
    names = () if value in ((), [], "") else _names(value)
    if len(names) > MOST_METRIC_ATTRIBUTES:
        message = f"must be at most {MOST_METRIC_ATTRIBUTES} names, as each multiplies the series"
        raise ValueError(message)
    return names


def _missing(value: object) -> str:
    if value not in ("skip", "zero"):
        message = 'must be "skip" or "zero"'
        raise ValueError(message)
    return str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set, with its default.

    ``sample_rate`` maps scorer ids to rates in 0..1, ``"*"`` standing for all others; ``golden_rate`` is the least rate
    of a run with a reference, None: as without. Thresholds are 0..1. Names that end in ``_s`` are seconds, in
    ``_bytes`` bytes.
    """

    judge: str = "embedded"
    scorers: tuple[str, ...] = DEFAULT_SCORERS
    sample_rate: Mapping[str, float] = field(default_factory=lambda: {"*": 1.0})
    ground_truth: str | None = None
    missing_ground_truth: Literal["skip", "zero"] = "skip"
    golden_threshold: float = 0.95
    golden_embedding_threshold: float = 0.92
    golden_rate: float | None = None
    lookup_timeout_s: float = 10.0
    inbox_size: int = 4096
    queue_size: int = 256
    concurrency: int = 4
    linger_s: float = 1.0
    max_trace_age_s: float = 300.0
    max_open_traces: int = 2000
    max_trace_bytes: int = 8 * 1024 * 1024
    run_timeout_s: float = 120.0
    judge_timeout_s: float = 60.0
    judge_max_attempts: int = 3
    shutdown_timeout_s: float = 5.0
    baseline_runs: int = 200
    metric_attributes: tuple[str, ...] = ()
    disabled: bool = False

    def rate(self, scorer: str) -> float:
        """Return the sampling rate of a scorer; one that is not named and has no ``"*"`` is always taken."""
        return self.sample_rate.get(scorer, self.sample_rate.get("*", 1.0))


_PARSE: Final[Mapping[str, Parse]] = {
    "judge": _text,
    "scorers": _names,
    "sample_rate": _sample_rate,
    "ground_truth": _text,
    "missing_ground_truth": _missing,
    "golden_threshold": _rate,
    "golden_embedding_threshold": _rate,
    "golden_rate": _rate,
    "lookup_timeout_s": _seconds,
    "inbox_size": _count,
    "queue_size": _count,
    "concurrency": _count,
    "linger_s": _seconds,
    "max_trace_age_s": _seconds,
    "max_open_traces": _count,
    "max_trace_bytes": _count,
    "run_timeout_s": _seconds,
    "judge_timeout_s": _seconds,
    "judge_max_attempts": _count,
    "shutdown_timeout_s": _seconds,
    "baseline_runs": _count,
    "metric_attributes": _few_names,
    "disabled": _flag,
}
NAMES: Final = tuple(item.name for item in fields(Settings))


def load(arguments: Mapping[str, object], environ: Mapping[str, str] | None = None) -> Settings:
    """Resolve every setting.

    Args:
        arguments: Settings given in code; a None counts as not given.
        environ: Environment variables (default: the process's). ``SPANJUDGE_CONFIG`` names a TOML file.

    Raises:
        SettingsError: One sentence that names the setting, its value and where it came from.
    """
    environ = os.environ if environ is None else environ
    values: dict[str, object] = {}
    path = environ.get(FILE_VARIABLE)
    if path:
        for name, value in _read(Path(path)).items():
            values[name] = _checked(name, value, f"from {path}")
    for name in NAMES:
        variable = PREFIX + name.upper()
        if variable in environ:
            values[name] = _checked(name, environ[variable], f"from {variable}")
    for name, value in arguments.items():
        if value is not None:
            values[name] = _checked(name, value, "given as argument")
    return Settings(**cast("dict[str, Any]", values))


def _checked(name: str, value: object, origin: str) -> object:
    parse = _PARSE.get(name)
    if parse is None:
        message = f'There is no setting "{name}" ({origin}); the settings are: {", ".join(NAMES)}.'
        raise SettingsError(message)
    try:
        return parse(value)
    except ValueError as error:
        message = f'"{name}" {error}: {value!r} ({origin}).'
        raise SettingsError(message) from None


def _read(path: Path) -> Mapping[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        message = f"The settings file {path} (named by {FILE_VARIABLE}) cannot be read: {error}."
        raise SettingsError(message) from None
    except tomllib.TOMLDecodeError as error:
        message = f"The settings file {path} (named by {FILE_VARIABLE}) is no valid TOML: {error}."
        raise SettingsError(message) from None

"""Options of the scorers: by keyword or as ``options={...}``, checked at construction."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from spanjudge.errors import InputError
from spanjudge.scorers.case import checked_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Unset:
    """Marks an option that was not given by keyword."""

    def __repr__(self) -> str:
        return "..."


UNSET: Any = Unset()


def merged(scorer: str, options: object, given: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Merge options given by keyword with those in ``options`` and the defaults.

    Raises:
        TypeError: Where ``options`` is no mapping.
        InputError: Where an option is unknown or given both ways.
    """
    if options is not None and not isinstance(options, Mapping):
        message = f"{scorer}: `options` must be a dict, not {type(options).__name__}."
        raise TypeError(message)
    by_keyword = {name: value for name, value in given.items() if value is not UNSET}
    for name in options or {}:
        if name not in defaults:
            near = difflib.get_close_matches(_snake(str(name)), defaults, n=1)
            hint = f"did you mean `{near[0]}`?" if near else f"it takes {_listed(defaults)}."
            message = f"{scorer}: unknown option {name!r}; {hint}"
            raise InputError(message)
        if name in by_keyword:
            message = f"{scorer}: `{name}` is given twice, by keyword and in `options`; keep one."
            raise InputError(message)
    return {**defaults, **(options or {}), **by_keyword}


def checked_scale(scorer: str, scale: object) -> float:
    """Return a scale, which must be above 0.

    Raises:
        InputError: Where it is anything else.
    """
    return _number(scorer, "scale", scale, "a number above 0", lambda value: value > 0)


def checked_weight(scorer: str, weight: object) -> float:
    """Return an uncertainty weight, which must be within 0..1.

    Raises:
        InputError: Where it is anything else.
    """
    return _number(scorer, "uncertainty_weight", weight, "a number from 0 to 1", lambda value: 0 <= value <= 1)


def checked_context(scorer: str, context: object, *, may_be_empty: bool) -> tuple[str, ...] | None:
    """Return a static context without blank texts.

    Raises:
        TypeError: Where it is no list of strings.
        InputError: Where nothing is left although something must be.
    """
    if context is None:
        return None
    texts = checked_texts(context, f"{scorer}: `context`")
    if not texts and not may_be_empty:
        message = f"{scorer}: `context` cannot be empty if it is given; pass at least one text that is not blank."
        raise InputError(message)
    return texts


def checked_extractor(scorer: str, extractor: object) -> Any:
    """Return a context extractor, which must be callable.

    Raises:
        TypeError: Where it is not.
    """
    if extractor is None or callable(extractor):
        return extractor
    message = f"{scorer}: `context_extractor` must be a function of (input, output), not {type(extractor).__name__}."
    raise TypeError(message)


def required_context(scorer: str, context: object, extractor: object) -> None:
    """Refuse a scorer without any source of contexts.

    Raises:
        InputError: Where neither is given.
    """
    if context is None and extractor is None:
        message = (
            f"{scorer}: either `context` or `context_extractor` is required; "
            "`context_extractor=captured_context` takes the documents of the trace, "
            "or those given to `run(context=...)`."
        )
        raise InputError(message)


def checked_model(scorer: str, model: object) -> Any:
    """Return a judge or its name, None for the processor's judge.

    Raises:
        TypeError: Where it is anything else.
        InputError: Where the name is blank.
    """
    if isinstance(model, str) and not model.strip():
        message = f"{scorer}: `model` is blank; name a LiteLLM model such as 'openai/gpt-5-mini', or 'embedded'."
        raise InputError(message)
    if model is None or isinstance(model, str):
        return model
    if not isinstance(model, type) and all(hasattr(model, name) for name in ("model", "fingerprint", "ask")):
        return model
    message = f"{scorer}: `model` must be a model name or a judge, not {type(model).__name__}."
    raise TypeError(message)


def checked_choice(scorer: str, name: str, value: object, choices: Sequence[str]) -> Any:
    """Return a value of a closed set.

    Raises:
        InputError: Where it is not of the set.
    """
    if value in choices:
        return value
    message = f"{scorer}: `{name}` must be {' or '.join(map(repr, choices))}, not {value!r}."
    raise InputError(message)


def checked_flag(scorer: str, name: str, value: object) -> bool:
    """Return a flag.

    Raises:
        TypeError: Where it is neither True nor False.
    """
    if isinstance(value, bool):
        return value
    message = f"{scorer}: `{name}` must be True or False, not {value!r}."
    raise TypeError(message)


def _number(scorer: str, name: str, value: object, wanted: str, holds: Callable[[float], bool]) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and holds(value):
        return value
    message = f"{scorer}: `{name}` must be {wanted}, not {value!r}."
    raise InputError(message)


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def _listed(names: Mapping[str, Any]) -> str:
    return ", ".join(f"`{name}`" for name in names)

"""The scorers that have a name: one line each."""

from __future__ import annotations

import difflib
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from spanjudge.errors import InputError
from spanjudge.scorers import answer_relevancy, context_precision, context_recall, faithfulness
from spanjudge.scorers.contexts import captured_context
from spanjudge.scorers.custom import function_scorer
from spanjudge.scorers.scorer import Scorer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from spanjudge.judge.ask import Judge

Factory: TypeAlias = "Callable[[str | Judge | None], Scorer]"

DEFAULT_SCORERS: Final[Mapping[str, Factory]] = MappingProxyType(
    {
        context_recall.ID: lambda model: context_recall.create_context_recall_scorer(
            model=model, context_extractor=captured_context
        ),
        context_precision.ID: lambda model: context_precision.create_context_precision_scorer(
            model=model, context_extractor=captured_context
        ),
        answer_relevancy.ID: lambda model: answer_relevancy.create_answer_relevancy_scorer(model=model),
        faithfulness.ID: lambda model: faithfulness.create_faithfulness_scorer(model=model),
    }
)


def as_scorer(scorer: str | Scorer | Callable[..., Any], *, model: str | Judge | None = None) -> Scorer:
    """Make a scorer of a name, a function of the run, or a Scorer.

    Args:
        scorer: What names or is the scorer.
        model: Judge of a scorer given by name; None for the processor's.

    Raises:
        InputError: Where the name is unknown, or a function has none.
        TypeError: Where it is none of the three.

    >>> as_scorer("faithfulness").id
    'faithfulness'
    """
    if isinstance(scorer, Scorer):
        return scorer
    if isinstance(scorer, str):
        if scorer in DEFAULT_SCORERS:
            return DEFAULT_SCORERS[scorer](model)
        near = difflib.get_close_matches(scorer, DEFAULT_SCORERS, n=1, cutoff=0.6)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        message = f"Unknown scorer {scorer!r}.{hint} Known are {', '.join(DEFAULT_SCORERS)}."
        raise InputError(message)
    if isinstance(scorer, type) or not callable(scorer):
        message = f"A scorer is a name, a Scorer or a function of the run, not {type(scorer).__name__}."
        raise TypeError(message)
    return function_scorer(scorer)


def chosen_scorers(scorers: Sequence[str | Scorer | Callable[..., object]]) -> tuple[Scorer, ...]:
    """Make scorers of names, objects and functions.

    Raises:
        InputError: Where two have the same id, or one is no scorer.
    """
    made = tuple(as_scorer(item) for item in scorers)
    ids = [scorer.id for scorer in made]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        message = f"Two scorers are called {twice[0]!r}; each scorer needs an id of its own."
        raise InputError(message)
    return made

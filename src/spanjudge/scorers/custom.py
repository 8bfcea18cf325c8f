"""One's own scorers: of four steps, or of one function."""

from __future__ import annotations

import inspect
import re
from tokenize import TokenError
from typing import TYPE_CHECKING, Any, Final

from spanjudge.errors import InputError
from spanjudge.scorers.contexts import ContextSource
from spanjudge.scorers.options import checked_context, checked_extractor, checked_model, checked_scale
from spanjudge.scorers.scorer import Scorer
from spanjudge.scorers.steps import Steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from spanjudge.judge.ask import Judge
    from spanjudge.scorers.contexts import ContextExtractor
    from spanjudge.scorers.scorer import Need
    from spanjudge.scorers.steps import Step, StepInput

_ID: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,99}")
_NEEDS: Final = ("query", "answer", "contexts", "ground_truth")


def create_scorer(  # noqa: PLR0913 - all by keyword, and each step has its name
    *,
    id: str,  # noqa: A002 - the reference's name
    generate_score: Step,
    name: str = "",
    description: str = "",
    judge: str | Judge | None = None,
    model: str | Judge | None = None,
    preprocess: Step | None = None,
    analyze: Step | None = None,
    generate_reason: Step | None = None,
    context: list[str] | None = None,
    context_extractor: ContextExtractor | None = None,
    needs: Iterable[Need] = (),
    scale: float = 1,
    version: str | None = None,
) -> Scorer:
    """Make a scorer of one's own of the four steps.

    Each step is a function, plain or async, of a ``StepInput``. It returns its result, an ``Ask`` whose answer becomes
    the result, or a ``Skip`` where no score can be given.

    Args:
        id: Name in results, metrics and on the command line: letters, digits, ``_``, ``.``, ``-``.
        generate_score: Gives the score, 0..scale.
        name: Name for people.
        description: One sentence for people.
        judge: Judge: a LiteLLM model name, ``"embedded"`` or a Judge; None for the processor's.
        model: The same, under the name that the built-in scorers use.
        preprocess: First step.
        analyze: Second step.
        generate_reason: Gives the reason; knows ``step.score``. A failure here keeps the score.
        context: Retrieved texts, the same for every run; default: those of the trace.
        context_extractor: Function of (input, output) that gives the retrieved texts.
        needs: What a run must have, of ``query, answer, contexts, ground_truth``; else it is skipped.
        scale: Greatest score, above 0.
        version: Part of the evaluator version; default: the source of the steps.

    Raises:
        InputError: Where an argument is out of range.
        TypeError: Where an argument is of the wrong type.

    >>> short = create_scorer(id="short", generate_score=lambda step: float(len(step.answer) < 100))
    >>> short.run_sync(output="Paris.").score
    1.0
    """
    if not _ID.fullmatch(str(id)):
        message = f"create_scorer: `id` must be of letters, digits, '_', '.' and '-', at most 100, not {id!r}."
        raise InputError(message)
    if judge is not None and model is not None:
        message = f"{id}: `judge` and `model` are two names for the same; keep one."
        raise InputError(message)
    wanted = frozenset(needs)
    unknown = sorted(str(need) for need in wanted.difference(_NEEDS))
    if unknown:
        message = f"{id}: unknown need {unknown[0]!r}; it may be one of {', '.join(_NEEDS)}."
        raise InputError(message)
    steps: dict[str, Any] = {
        "preprocess": preprocess,
        "analyze": analyze,
        "generate_score": generate_score,
        "generate_reason": generate_reason,
    }
    for step_name, step in steps.items():
        if step is not None and not callable(step):
            message = f"{id}: `{step_name}` must be a function, not {type(step).__name__}."
            raise TypeError(message)
    extractor = checked_extractor(id, context_extractor)
    return Scorer(
        id=id,
        name=name or id,
        description=description,
        model=checked_model(id, judge if model is None else model),
        scale=checked_scale(id, scale),
        needs=wanted,
        contexts=ContextSource(static=checked_context(id, context, may_be_empty=True), extractor=extractor),
        empty_context="skip" if "contexts" in wanted else "ask",
        steps=Steps(
            preprocess=preprocess, analyze=analyze, generate_score=generate_score, generate_reason=generate_reason
        ),
        material=(version,) if version else tuple(_source(step) for step in steps.values() if step),
    )


def function_scorer(function: Callable[..., Any]) -> Scorer:
    """Make a scorer of a function of the run: it returns a score 0..1, (score, reason), or an outcome.

    Raises:
        InputError: Where the function has no name that can be an id.
    """
    name = getattr(function, "__name__", type(function).__name__)
    if not _ID.fullmatch(name):
        message = (
            f"A function used as a scorer needs a name of its own, not {name!r}: use `def`, or create_scorer(id=...)."
        )
        raise InputError(message)

    def generate_score(step: StepInput) -> Any:
        return function(step.run)

    return Scorer(
        id=name,
        name=name,
        description=(inspect.getdoc(function) or "").partition("\n")[0],
        steps=Steps(generate_score=generate_score),
        material=(_source(function),),
        asks=False,
    )


def _source(function: Callable[..., Any]) -> str:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError, SyntaxError, TokenError):  # no source, or a file that is no Python
        return f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', type(function).__qualname__)}"

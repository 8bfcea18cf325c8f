"""Context precision: whether the useful pieces of the retrieved context come first (average precision)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import AliasChoices, Field

from spanjudge.judge.ask import Ask
from spanjudge.scorers.answers import (
    LIST_NAMES,
    WORD_NAMES,
    AnswerModel,
    AnyRow,
    Index,
    Row,
    Text,
    VerdictsAnswer,
    Word,
    material,
)
from spanjudge.scorers.arithmetic import average_precision
from spanjudge.scorers.contexts import ContextSource
from spanjudge.scorers.options import (
    UNSET,
    checked_choice,
    checked_context,
    checked_extractor,
    checked_flag,
    checked_model,
    checked_scale,
    merged,
    required_context,
)
from spanjudge.scorers.reasons import compose, explain
from spanjudge.scorers.scorer import Scorer
from spanjudge.scorers.steps import Judged, Share, StepInput, Steps
from spanjudge.scorers.verdicts import BINARY, collect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from spanjudge.judge.ask import Judge
    from spanjudge.scorers.contexts import ContextExtractor
    from spanjudge.scorers.scorer import Need
    from spanjudge.scorers.steps import Step

ID: Final = "context_precision"

RATE: Final = """\
For each numbered piece of context, decide whether it was useful for giving the {target} to the question.
yes: the piece holds information that the {target} uses or directly rests on.
no: it is only on the same topic, gives background, repeats the question, or has nothing to do with it.
Judge each piece alone, whatever the others say and wherever it stands. First give the reason in one short sentence, in
the language of the data, naming what is or is not used; then the verdict, always one of the English words yes and no.
Give exactly one verdict for each piece and repeat the piece's number as its context_index.
Answer with JSON: {{"verdicts": [{{"context_index": 0, "reason": "...", "verdict": "yes"}}]}}"""

POINTS: Final = """\
The items are the retrieved pieces of context in the order of their rank; yes means that the piece was useful. The
result is average precision: useful pieces count more the higher they rank. Say which pieces were useful and which were
not, by what criterion, and how their positions moved the result."""


class Usefulness(AnswerModel):
    """Whether one piece of context was useful."""

    context_index: Index = Field(
        None, validation_alias=AliasChoices("context_index", "index", "i"), description="Number of the piece, from 0."
    )
    reason: Text = Field("", description="Why, in one short sentence, in the language of the data.")
    verdict: Word = Field("", validation_alias=WORD_NAMES, json_schema_extra={"enum": list(BINARY)})


class Usefulnesses(VerdictsAnswer):
    """What ``rate_usefulness`` gives."""

    verdicts: list[Annotated[Usefulness, AnyRow]] = Field(validation_alias=LIST_NAMES)

    def rows(self) -> Sequence[Row]:
        """Give the verdicts in the order of the reply."""
        return [Row(each.context_index, each.verdict, each.reason) for each in self.verdicts]


def create_context_precision_scorer(
    *,
    model: str | Judge | None,
    context: list[str] | None = UNSET,
    context_extractor: ContextExtractor | None = UNSET,
    scale: float = UNSET,
    expected: Literal["output", "ground_truth"] = UNSET,
    include_reason: bool = UNSET,
    options: Mapping[str, Any] | None = None,
) -> Scorer:
    """Make a scorer of the rank of useful context: average precision over the pieces * scale.

    Pieces that are relevant but were not retrieved do not matter, nor does junk after the last useful piece: one useful
    piece at the top is 1, whatever follows.

    Args:
        model: Judge: a LiteLLM model name, ``"embedded"``, a Judge, or None for the processor's judge.
        context: Retrieved texts by rank, the same for every run.
        context_extractor: Function of (input, output) that gives the retrieved texts by rank; ``captured_context``
            takes those of the trace. It wins over ``context``.
        scale: Greatest score, above 0. Default 1.
        expected: What a useful piece contributes to: the answer that was given (default) or the ground truth.
        include_reason: Whether the judge puts the result into words (one more call). Default True.
        options: The same options as a dict.

    Raises:
        ValueError: Where an option is out of range, unknown or given twice, or neither context nor extractor is given.
        TypeError: Where an option is of the wrong type.
    """
    given = {
        "context": context,
        "context_extractor": context_extractor,
        "scale": scale,
        "expected": expected,
        "include_reason": include_reason,
    }
    defaults = {
        "context": None,
        "context_extractor": None,
        "scale": 1,
        "expected": "output",
        "include_reason": True,
    }
    chosen = merged(ID, options, given, defaults)
    static = checked_context(ID, chosen["context"], may_be_empty=False)
    extractor = checked_extractor(ID, chosen["context_extractor"])
    required_context(ID, static, extractor)
    by_answer = checked_choice(ID, "expected", chosen["expected"], ("output", "ground_truth")) == "output"
    needed: Need = "answer" if by_answer else "ground_truth"
    explained = checked_flag(ID, "include_reason", chosen["include_reason"])
    return Scorer(
        id=ID,
        name="Context precision",
        description="Whether the useful pieces of the retrieved context come first.",
        model=checked_model(ID, model),
        scale=checked_scale(ID, chosen["scale"]),
        needs=frozenset({"query", "contexts", needed}),
        contexts=ContextSource(static=static, extractor=extractor),
        empty_context="skip",
        steps=Steps(
            analyze=_rate_pieces(by_answer=by_answer),
            generate_score=lambda step: Share(average_precision([each.verdict == "yes" for each in step.verdicts])),
            generate_reason=explain(POINTS) if explained else None,
            compose_reason=compose(
                "{yes} of {total} pieces of context are useful; useful pieces count more the higher they rank.",
                {"yes": "Useful", "no": "Not useful"},
                ranked=True,
            ),
        ),
        material=material(RATE, POINTS, Usefulnesses, scale=chosen["scale"], expected=chosen["expected"]),
    )


def _rate_pieces(*, by_answer: bool) -> Step:
    instructions = RATE.format(target="answer" if by_answer else "reference")

    async def rate_pieces(step: StepInput) -> Judged:
        pieces = step.contexts or ()
        ask = Ask(
            task="rate_usefulness",
            instructions=instructions,
            contexts=pieces,
            question=step.question,
            answer=step.answer if by_answer else None,
            reference=None if by_answer else step.ground_truth,
            answer_model=Usefulnesses,
            vocabulary=BINARY,
        )
        verdicts = await collect(ask, step.ask, items=pieces, vocabulary=BINARY, subset=_some_pieces)
        shown = [
            {"context_index": index, "verdict": each.verdict, "reason": each.reason}
            for index, each in enumerate(verdicts)
        ]
        return Judged({"verdicts": shown}, verdicts)

    return rate_pieces


def _some_pieces(ask: Ask, positions: Sequence[int]) -> Ask:
    return replace(ask, contexts=tuple(ask.contexts[position] for position in positions))

"""Context recall: the share of the ground truth's claims that the retrieved context supports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field

from spanjudge.judge.ask import Ask
from spanjudge.model import Skip
from spanjudge.scorers.answers import (
    LIST_NAMES,
    WORD_NAMES,
    AnyRow,
    Claims,
    NumberedVerdict,
    Row,
    VerdictsAnswer,
    Word,
    material,
)
from spanjudge.scorers.arithmetic import count, share_of_yes
from spanjudge.scorers.contexts import ContextSource
from spanjudge.scorers.options import (
    UNSET,
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

ID: Final = "context_recall"

SPLIT: Final = """\
Split the reference into claims. A claim states one fact and can be checked alone: put names in place of pronouns, keep
numbers, dates, quantities and relations exactly as they are, and split a sentence that states several facts.
Leave out questions, instructions, greetings and remarks on style. Add nothing that the reference does not say, and give
each claim once. Write claims in the language of the reference. If it states no fact, give an empty list.
Answer with JSON: {"claims": ["..."]}"""

ATTRIBUTE: Final = """\
For each numbered item, decide whether the contexts support it. Use the contexts alone, not what you know.
yes: some part of the contexts states the item or says the same in other words, with every number, date and name in it.
no: no part of them does, they cover only a part of the item, or they contradict it.
There is no third verdict. First give the reason in one short sentence, in the language of the item, citing the pieces
of context by number; then the verdict, always one of the English words yes and no. Give exactly one verdict for each
item and repeat the item's number as its index.
Answer with JSON: {"verdicts": [{"index": 0, "reason": "...", "verdict": "yes"}]}"""

POINTS: Final = """\
The items are the claims of the reference answer; yes means that the retrieved context supports the claim. Say which
claims were found and in which pieces, which are missing, and what information the retrieval would have to add."""


class Attribution(NumberedVerdict):
    """Whether the contexts support one claim."""

    verdict: Word = Field("", validation_alias=WORD_NAMES, json_schema_extra={"enum": list(BINARY)})


class Attributions(VerdictsAnswer):
    """What ``attribute`` gives."""

    verdicts: list[Annotated[Attribution, AnyRow]] = Field(validation_alias=LIST_NAMES)

    def rows(self) -> Sequence[Row]:
        """Give the verdicts in the order of the reply."""
        return [Row(each.index, each.verdict, each.reason) for each in self.verdicts]


def create_context_recall_scorer(
    *,
    model: str | Judge | None,
    context: list[str] | None = UNSET,
    context_extractor: ContextExtractor | None = UNSET,
    scale: float = UNSET,
    include_reason: bool = UNSET,
    options: Mapping[str, Any] | None = None,
) -> Scorer:
    """Make a scorer of how much of the ground truth the retrieved context covers.

    Score = supported claims / claims of the ground truth * scale.

    Args:
        model: Judge: a LiteLLM model name, ``"embedded"``, a Judge, or None for the processor's judge.
        context: Retrieved texts, the same for every run.
        context_extractor: Function of (input, output) that gives the retrieved texts; ``captured_context`` takes those
            of the trace. With ``context`` given too, it is used only where input and output are an agent's messages.
        scale: Greatest score, above 0. Default 1.
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
        "include_reason": include_reason,
    }
    defaults = {"context": None, "context_extractor": None, "scale": 1, "include_reason": True}
    chosen = merged(ID, options, given, defaults)
    static = checked_context(ID, chosen["context"], may_be_empty=False)
    extractor = checked_extractor(ID, chosen["context_extractor"])
    required_context(ID, static, extractor)
    explained = checked_flag(ID, "include_reason", chosen["include_reason"])
    return Scorer(
        id=ID,
        name="Context recall",
        description="Share of the ground truth's claims that the retrieved context supports.",
        model=checked_model(ID, model),
        scale=checked_scale(ID, chosen["scale"]),
        needs=frozenset({"contexts", "ground_truth"}),
        contexts=ContextSource(static=static, extractor=extractor, extractor_first=False),
        empty_context="zero",
        steps=Steps(
            preprocess=split_ground_truth,
            analyze=attribute_claims,
            generate_score=lambda step: Share(share_of_yes(count(step.verdicts))),
            generate_reason=explain(POINTS, about_question=False) if explained else None,
            compose_reason=compose(
                "{yes} of {total} claims of the ground truth are supported by the retrieved context.",
                {"no": "Missing", "yes": "Found"},
            ),
        ),
        material=material(SPLIT, ATTRIBUTE, POINTS, Claims, Attributions, scale=chosen["scale"]),
    )


async def split_ground_truth(step: StepInput) -> dict[str, list[str]] | Skip:
    """Have the ground truth split into claims."""
    ask = Ask(task="extract_claims", instructions=SPLIT, reference=step.ground_truth, answer_model=Claims)
    claims = Claims.model_validate(await step.ask(ask)).claims
    return {"claims": claims} if claims else Skip(scorer=ID, code="no_claims")


async def attribute_claims(step: StepInput) -> Judged:
    """Have each claim looked for in the contexts."""
    claims = tuple(step.preprocess_step_result["claims"])
    ask = Ask(
        task="attribute",
        instructions=ATTRIBUTE,
        contexts=step.contexts or (),
        items=claims,
        answer_model=Attributions,
        vocabulary=BINARY,
    )
    verdicts = await collect(ask, step.ask, items=claims, vocabulary=BINARY)
    return Judged({"verdicts": [{"verdict": each.verdict, "reason": each.reason} for each in verdicts]}, verdicts)

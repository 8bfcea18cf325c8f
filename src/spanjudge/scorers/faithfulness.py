"""Faithfulness: the share of the answer's claims that the context supports."""

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
from spanjudge.scorers.options import UNSET, checked_context, checked_flag, checked_model, checked_scale, merged
from spanjudge.scorers.reasons import compose, explain
from spanjudge.scorers.scorer import ZERO_IN_RUN, Scorer
from spanjudge.scorers.steps import Judged, Share, StepInput, Steps
from spanjudge.scorers.verdicts import TERNARY, collect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from spanjudge.judge.ask import Judge
    from spanjudge.semconv import SkipCode

ID: Final = "faithfulness"
# The reference takes an agent without tool results as one without context.
_ZERO_IN_RUN: Final[frozenset[SkipCode]] = frozenset((*ZERO_IN_RUN, "no_context_captured"))

SPLIT: Final = """\
List every claim that the answer makes, certain or not: keep words such as may, might, could and probably. A claim
states one thing and can be checked alone: put names in place of pronouns, keep numbers, dates and relations exactly as
they are, and split a sentence that claims several things. Leave out only questions and instructions. Do not judge,
correct or add. Write claims in the language of the answer. If it claims nothing, give an empty list.
Answer with JSON: {"claims": ["..."]}"""

VERIFY: Final = """\
Check each numbered item against the contexts. Use the contexts alone, not what you know.
yes: some part of the contexts states the item or says the same in other words.
no: some part of the contexts directly contradicts the item.
unsure: neither. The contexts do not mention it, say too little to decide, or the item only speculates.
Whether an item is relevant or complete does not matter. First give the reason in one short sentence, in the language of
the item, citing the pieces of context by number; then the verdict, always one of the English words yes, unsure and no.
Give exactly one verdict for each item and repeat the item's number as its index.
Answer with JSON: {"verdicts": [{"index": 0, "reason": "...", "verdict": "yes"}]}"""

POINTS: Final = """\
The items are the claims of the answer: yes is supported by the context, no contradicts it, unsure cannot be verified
with it. Say which claims are supported, which contradict the context, and which could not be determined."""


class Verification(NumberedVerdict):
    """Whether the contexts support, contradict or do not decide one claim."""

    verdict: Word = Field("", validation_alias=WORD_NAMES, json_schema_extra={"enum": list(TERNARY)})


class Verifications(VerdictsAnswer):
    """What ``verify`` gives."""

    verdicts: list[Annotated[Verification, AnyRow]] = Field(validation_alias=LIST_NAMES)

    def rows(self) -> Sequence[Row]:
        """Give the verdicts in the order of the reply."""
        return [Row(each.index, each.verdict, each.reason) for each in self.verdicts]


def create_faithfulness_scorer(
    *,
    model: str | Judge | None,
    context: list[str] | None = UNSET,
    scale: float = UNSET,
    include_reason: bool = UNSET,
    options: Mapping[str, Any] | None = None,
) -> Scorer:
    """Make a scorer of how far the answer rests on the context.

    Score = supported claims / claims of the answer * scale; what cannot be verified is not supported.

    Args:
        model: Judge: a LiteLLM model name, ``"embedded"``, a Judge, or None for the processor's judge.
        context: Texts to check against, the same for every run. Without it: the documents of the trace, else the
            results of the agent's tools.
        scale: Greatest score, above 0. Default 1.
        include_reason: Whether the judge puts the result into words (one more call). Default True.
        options: The same options as a dict.

    Raises:
        ValueError: Where an option is out of range, unknown or given twice.
        TypeError: Where an option is of the wrong type.
    """
    given = {"context": context, "scale": scale, "include_reason": include_reason}
    chosen = merged(ID, options, given, {"context": None, "scale": 1, "include_reason": True})
    explained = checked_flag(ID, "include_reason", chosen["include_reason"])
    return Scorer(
        id=ID,
        name="Faithfulness",
        description="Share of the answer's claims that the context supports.",
        model=checked_model(ID, model),
        scale=checked_scale(ID, chosen["scale"]),
        needs=frozenset({"contexts", "answer"}),
        contexts=ContextSource(static=checked_context(ID, chosen["context"], may_be_empty=True), tools=True),
        empty_context="zero",
        zero_in_run=_ZERO_IN_RUN,
        steps=Steps(
            preprocess=list_claims,
            analyze=verify_claims,
            generate_score=lambda step: Share(share_of_yes(count(step.verdicts))),
            generate_reason=explain(POINTS) if explained else None,
            compose_reason=compose(
                "{yes} of {total} claims of the answer are supported by the context.",
                {"no": "Contradicted", "unsure": "Not verifiable", "yes": "Supported"},
            ),
        ),
        material=material(SPLIT, VERIFY, POINTS, Claims, Verifications, scale=chosen["scale"]),
    )


async def list_claims(step: StepInput) -> list[str] | Skip:
    """Have the answer's claims listed."""
    ask = Ask(task="extract_claims", instructions=SPLIT, answer=step.answer, answer_model=Claims)
    claims = Claims.model_validate(await step.ask(ask)).claims
    return claims or Skip(scorer=ID, code="no_claims")


async def verify_claims(step: StepInput) -> Judged:
    """Have each claim checked against the contexts."""
    claims = tuple(step.preprocess_step_result)
    ask = Ask(
        task="verify",
        instructions=VERIFY,
        contexts=step.contexts or (),
        items=claims,
        answer_model=Verifications,
        vocabulary=TERNARY,
    )
    verdicts = await collect(ask, step.ask, items=claims, vocabulary=TERNARY)
    return Judged({"verdicts": [{"verdict": each.verdict, "reason": each.reason} for each in verdicts]}, verdicts)

"""Answer relevancy: how much of the answer is about what was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import AliasChoices, Field

from spanjudge.judge.ask import Ask
from spanjudge.model import Skip
from spanjudge.scorers.answers import (
    INDEX_NAMES,
    AnswerModel,
    AnyRow,
    Index,
    Row,
    Text,
    Texts,
    VerdictsAnswer,
    Word,
    material,
)
from spanjudge.scorers.arithmetic import count, weighted_relevancy
from spanjudge.scorers.options import UNSET, checked_flag, checked_model, checked_scale, checked_weight, merged
from spanjudge.scorers.reasons import compose, explain
from spanjudge.scorers.scorer import Scorer
from spanjudge.scorers.steps import Judged, Share, StepInput, Steps
from spanjudge.scorers.verdicts import TERNARY, collect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from spanjudge.judge.ask import Judge

ID: Final = "answer_relevancy"

SPLIT: Final = """\
Split the answer into statements that mean something when read alone, in its order. Keep the context that a statement
needs; split a sentence that gives several facts or describes several things, but do not split finer than one thought.
Questions that the answer asks back are statements too; an answer of one word is one statement, an error message is one
statement. Leave nothing out and add nothing. Write statements in the language of the answer. An empty answer has none.
Answer with JSON: {"statements": ["..."]}"""

RATE: Final = """\
For each numbered item, a statement of an answer, decide whether it helps to answer the question. Consider how complete
and how detailed the help is. Whether the statement is true does not matter here.
yes: it directly gives what was asked for, of the right kind, even where it is wrong.
unsure: it helps in part: it is near to what was asked, indirect, or helps only together with something else.
no: it does not help: another subject, the same subject but not what was asked, a counter-question, an error message.
First give the reason in one short sentence, in the language of the item; then the result, always one of the English
words yes, unsure and no. Give exactly one result for each item and repeat the item's number as its index.
Answer with JSON: {"results": [{"index": 0, "reason": "...", "result": "yes"}]}"""

POINTS: Final = """\
The items are the statements of the answer; yes means that the statement answers the question, unsure that it helps in
part. Say what of the question is answered, what is answered in part, and what is beside it."""


class Statements(AnswerModel):
    """What ``extract_statements`` gives."""

    statements: Texts = Field(description="One thought each, in the language of the answer.")


class Relevance(AnswerModel):
    """Whether one statement helps to answer the question."""

    index: Index = Field(None, validation_alias=INDEX_NAMES, description="Number of the item, as shown in brackets.")
    reason: Text = Field("", description="Why, in one short sentence, in the language of the data.")
    result: Word = Field(
        "", validation_alias=AliasChoices("result", "verdict", "answer"), json_schema_extra={"enum": list(TERNARY)}
    )


class Relevances(VerdictsAnswer):
    """What ``rate_relevancy`` gives."""

    results: list[Annotated[Relevance, AnyRow]] = Field(validation_alias=AliasChoices("results", "verdicts"))

    def rows(self) -> Sequence[Row]:
        """Give the verdicts in the order of the reply."""
        return [Row(each.index, each.result, each.reason) for each in self.results]


def create_answer_relevancy_scorer(
    *,
    model: str | Judge | None,
    uncertainty_weight: float = UNSET,
    scale: float = UNSET,
    include_reason: bool = UNSET,
    options: Mapping[str, Any] | None = None,
) -> Scorer:
    """Make a scorer of how well the answer keeps to the question, whether it is true or not.

    Score = (direct statements + uncertainty_weight * partly relevant ones) / statements * scale.

    Args:
        model: Judge: a LiteLLM model name, ``"embedded"``, a Judge, or None for the processor's judge.
        uncertainty_weight: What a statement that helps in part is worth, 0..1. Default 0.3.
        scale: Greatest score, above 0. Default 1.
        include_reason: Whether the judge puts the result into words (one more call). Default True.
        options: The same options as a dict.

    Raises:
        ValueError: Where an option is out of range, unknown or given twice.
        TypeError: Where an option is of the wrong type.
    """
    given = {"uncertainty_weight": uncertainty_weight, "scale": scale, "include_reason": include_reason}
    chosen = merged(ID, options, given, {"uncertainty_weight": 0.3, "scale": 1, "include_reason": True})
    weight = checked_weight(ID, chosen["uncertainty_weight"])
    explained = checked_flag(ID, "include_reason", chosen["include_reason"])
    return Scorer(
        id=ID,
        name="Answer relevancy",
        description="Share of the answer's statements that answer the question.",
        model=checked_model(ID, model),
        scale=checked_scale(ID, chosen["scale"]),
        needs=frozenset({"query", "answer"}),
        steps=Steps(
            preprocess=split_answer,
            analyze=rate_statements,
            generate_score=lambda step: Share(weighted_relevancy(count(step.verdicts), weight)),
            generate_reason=explain(POINTS) if explained else None,
            compose_reason=compose(
                "{yes} of {total} statements of the answer are about what was asked.",
                {"yes": "Direct", "unsure": "In part", "no": "Beside the question"},
            ),
        ),
        material=material(
            SPLIT, RATE, POINTS, Statements, Relevances, scale=chosen["scale"], uncertainty_weight=weight
        ),
    )


async def split_answer(step: StepInput) -> dict[str, list[str]] | Skip:
    """Have the answer split into statements."""
    ask = Ask(task="extract_statements", instructions=SPLIT, answer=step.answer, answer_model=Statements)
    statements = Statements.model_validate(await step.ask(ask)).statements
    return {"statements": statements} if statements else Skip(scorer=ID, code="no_claims")


async def rate_statements(step: StepInput) -> Judged:
    """Have each statement held against the question."""
    statements = tuple(step.preprocess_step_result["statements"])
    ask = Ask(
        task="rate_relevancy",
        instructions=RATE,
        question=step.question,
        items=statements,
        answer_model=Relevances,
        vocabulary=TERNARY,
    )
    verdicts = await collect(ask, step.ask, items=statements, vocabulary=TERNARY)
    return Judged({"results": [{"result": each.verdict, "reason": each.reason} for each in verdicts]}, verdicts)

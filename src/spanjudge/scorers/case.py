"""What a scorer is given: a run, and its input and output as extractors of contexts receive them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from spanjudge.conversation import AgentInput, AgentOutput, Message
from spanjudge.model import Document, RagRun
from spanjudge.scorers.messages import agent_input, agent_output, answer_of, as_json, question_of

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A run to be scored. ``given`` are contexts that the caller named: they win over any other source."""

    run: RagRun
    input: object
    output: object
    agent_shaped: bool
    given: tuple[str, ...] | None = None


def captured_case(run: RagRun) -> Case:
    """Make a case of a captured run: it always has the agent's shape."""
    given = AgentInput([Message("user", run.query)] if run.query else [])
    messages = [Message("assistant", run.answer)] if run.answer else []
    texts = [document.text for document in run.contexts or () if document.text]
    produced = AgentOutput(messages, {"retrieved_context": texts} if run.contexts is not None else None)
    return Case(
        run=run,
        input=given if run.input is None else run.input,
        output=produced if run.output is None else run.output,
        agent_shaped=True,
    )


def called_case(*, input: object, output: object, ground_truth: object, context: Sequence[str] | None) -> Case:  # noqa: A002 - the seeds' name
    """Make a case of what a caller passes to ``run``.

    Raises:
        TypeError: Where ``context`` is no list of texts.
    """
    given, produced = agent_input(input), agent_output(output)
    texts = None if context is None else checked_texts(context, "`context`")
    return Case(
        run=RagRun(
            contexts=None if texts is None else tuple(Document(text, rank=rank) for rank, text in enumerate(texts)),
            query=question_of(input),
            answer=answer_of(output),
            ground_truth=None if ground_truth is None else as_json(ground_truth),
            input=given,
            output=produced,
        ),
        input=input if given is None else given,
        output=output if produced is None else produced,
        agent_shaped=given is not None and produced is not None,
        given=texts,
    )


def checked_texts(value: object, name: str) -> tuple[str, ...]:
    """Return a list of texts as a tuple, without the blank ones.

    Raises:
        TypeError: Where ``value`` is anything else; ``name`` says what it was.
    """
    if isinstance(value, (list, tuple)) and all(isinstance(text, str) for text in value):
        return tuple(text for text in value if text.strip())
    message = f"{name} must be a list of strings, not {_shape(value)}."
    raise TypeError(message)


def _shape(value: object) -> str:
    if isinstance(value, (list, tuple)):
        odd = next(type(each).__name__ for each in value if not isinstance(each, str))
        return f"a {type(value).__name__} that holds {odd}"
    return type(value).__name__

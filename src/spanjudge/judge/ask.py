"""Questions to a judge as data, and what comes back: the contract between scorers and judges."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from spanjudge.model import Usage, Verdict

if TYPE_CHECKING:
    from pydantic import BaseModel

    from spanjudge.semconv import FailureCode

Task: TypeAlias = Literal[
    "extract_claims",  # reference or answer -> claims
    "extract_statements",  # answer -> statements
    "attribute",  # items (claims) against contexts: yes / no
    "verify",  # items (claims) against contexts: yes / unsure / no
    "rate_usefulness",  # each context against question and answer or reference: yes / no
    "rate_relevancy",  # items (statements) against question: yes / unsure / no
    "explain",  # verdicts and result -> a reason in plain text
    "custom",  # anything else
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One question to the judge.

    All texts but ``instructions`` are untrusted data. Prompts are built in the order system, contexts, question,
    answer, reference, items, verdicts, instructions, so that what scorers of one run share comes first.
    ``answer_model`` None asks for plain text. ``vocabulary`` is the closed set of verdict words.
    ``result`` is the score in words (``"0.67 of 1"``), given to ``explain``.
    """

    task: Task
    instructions: str
    contexts: tuple[str, ...] = ()
    question: str | None = None
    answer: str | None = None
    reference: str | None = None
    items: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    result: str | None = None
    answer_model: type[BaseModel] | None = None
    vocabulary: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """The judge's answer: an instance of ``answer_model``, or text; and the prompt that brought it about."""

    value: BaseModel | str
    prompt: str = ""
    usage: Usage = field(default_factory=Usage)


class Judge(Protocol):
    """Who answers asks. ``fingerprint`` names every parameter that changes its verdicts."""

    @property
    def model(self) -> str:
        """Name of the model, as shown on every score."""
        ...

    @property
    def fingerprint(self) -> str:
        """Model and parameters in one text: part of the evaluator version."""
        ...

    async def ask(self, ask: Ask, /) -> Reply:
        """Answer one ask.

        Raises:
            JudgeError: Where there is no usable answer, with the failure code that says why.
        """
        ...


class JudgeError(Exception):
    """The judge gave no usable answer: ``code`` of the closed set, ``detail`` in one sentence without content."""

    def __init__(self, code: FailureCode, detail: str, usage: Usage | None = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.code: FailureCode = code
        self.detail = detail
        self.usage = usage or Usage()

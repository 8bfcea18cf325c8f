"""Answer models: what a judge must send back, and the slips of form that are forgiven."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

if TYPE_CHECKING:
    from collections.abc import Sequence

_NUMBER = re.compile(r"\W*(\d{1,9})\W*")


@dataclass(frozen=True, slots=True)
class Row:
    """One verdict as the judge wrote it: an index if it echoed one, its word unchecked."""

    index: int | None
    word: str
    reason: str


class AnswerModel(BaseModel):
    """Base of all answers: its schema is strict (see ``judge.schema``), its reading tolerant."""

    model_config = ConfigDict(frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _wrap_bare_array(cls, value: Any) -> Any:
        names = list(cls.model_fields)
        return {names[0]: value} if isinstance(value, list) and len(names) == 1 else value


def _index(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    found = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    return int(found.group(1)) if found else None


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _row(value: Any) -> Any:
    if isinstance(value, (str, bool)):
        return {"verdict": value}
    return {} if value is None else value


def _texts(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    texts = [next(iter(item.values())) if isinstance(item, dict) and len(item) == 1 else item for item in value]
    return [text for text in texts if not (isinstance(text, str) and not text.strip())]


Index = Annotated[int | None, BeforeValidator(_index, json_schema_input_type=int)]
Word = Annotated[str, BeforeValidator(_word, json_schema_input_type=str)]
Text = Annotated[str, BeforeValidator(_text, json_schema_input_type=str)]
Texts = Annotated[list[str], BeforeValidator(_texts, json_schema_input_type=list[str])]
AnyRow = BeforeValidator(_row)
INDEX_NAMES: Final = AliasChoices("index", "i", "claim_index", "statement_index", "context_index")
WORD_NAMES: Final = AliasChoices("verdict", "result", "answer", "label")
LIST_NAMES: Final = AliasChoices("verdicts", "results")


class Claims(AnswerModel):
    """What ``extract_claims`` gives."""

    claims: Texts = Field(description="One checkable fact each, in the language of the text.")


class NumberedVerdict(AnswerModel):
    """Base of verdicts on numbered items."""

    index: Index = Field(None, validation_alias=INDEX_NAMES, description="Number of the item, as shown in brackets.")
    reason: Text = Field("", description="Why, in one short sentence, in the language of the data.")


class VerdictsAnswer(AnswerModel, ABC):
    """Base of lists of verdicts, whatever their fields are called."""

    @abstractmethod
    def rows(self) -> Sequence[Row]:
        """Give the verdicts in the order of the reply."""


def material(*parts: str | type[BaseModel], **options: object) -> tuple[str, ...]:
    """Write down what changes a scorer's verdicts: instructions, answer models, options."""
    texts = (part if isinstance(part, str) else json.dumps(part.model_json_schema(), sort_keys=True) for part in parts)
    return (*texts, *(f"{name}={value!r}" for name, value in sorted(options.items())))

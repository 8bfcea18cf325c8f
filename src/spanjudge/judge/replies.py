"""Reading what a judge wrote: tolerant of its manners, strict about the content."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar, cast, get_origin

from pydantic import AliasChoices, BaseModel, ValidationError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic.fields import FieldInfo

_M = TypeVar("_M", bound=BaseModel)

# Beyond these a reply is rubbish: they bound the work that hostile text can cause.
_MAX_CHARACTERS: Final = 200_000
_MAX_STARTS: Final = 100
_MAX_PROBLEMS: Final = 5

_MAX_THOUGHTS: Final = 10

_THINKING: Final = re.compile(r"<(?:think|thinking|reasoning)>", re.IGNORECASE)
_THOUGHT: Final = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_FENCE: Final = re.compile(r"```[^\n`]*\n(.*?)```", re.DOTALL)
_STRING_OR_COMMA: Final = re.compile(r'"(?:[^"\\]|\\.|\\\Z)*(?:"|\Z)|,(?=\s*[\]}])', re.DOTALL)
_START: Final = re.compile(r"[{\[]")
_DECODER: Final = json.JSONDecoder(strict=False)
_REASON_KEYS: Final = ("reason", "explanation", "text", "answer")


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a reply could not be used.

    ``problem`` tells the judge, and may quote it; ``summary`` is for everybody and holds nothing of the content.
    """

    problem: str
    summary: str


def read(text: str, model: type[_M]) -> _M | Unreadable:
    """Find the last JSON value in a reply that fits the model.

    Fences, thinking and prose around the JSON are passed over, commas before a closing bracket are forgiven, and
    a bare list stands for a model that has exactly one list field.

    Args:
        text: The reply as the judge wrote it.
        model: What it must fit.
    """
    values = list(_values(without_thinking(text)))
    if not values:
        return Unreadable("The reply holds no JSON.", "no JSON in the reply")
    # Mappings before lists: "[0]" in prose cites a piece. The last before the first: judges think, then answer.
    ranked: list[object] = [*reversed([value for value in values if isinstance(value, dict)])]
    ranked += [*reversed([value for value in values if not isinstance(value, dict)])]
    problem: ValidationError | None = None
    for shape in (shape for value in ranked for shape in _shapes(value, model)):
        fitted = _fit(shape, model)
        if not isinstance(fitted, ValidationError):
            return fitted
        problem = problem or fitted
    return _unfit(problem, model)


def read_text(text: str) -> str | Unreadable:
    """Take a reply in plain words out of its fences, its thinking or its one-key JSON object."""
    words = without_thinking(text).strip()
    if fenced := _FENCE.fullmatch(words):
        words = fenced[1].strip()
    value = _loads(words) if words.startswith("{") else None
    if isinstance(value, dict):
        entries = cast("dict[str, object]", value)
        named = [entries[key] for key in _REASON_KEYS if isinstance(entries.get(key), str)]
        lone = list(entries.values()) if len(entries) == 1 else []
        words = next((str(entry).strip() for entry in named + lone if isinstance(entry, str)), words)
    return words or Unreadable("The reply is empty.", "an empty reply")


def without_thinking(text: str) -> str:
    """Cut off what a model thought aloud before its answer, with or without the opening tag."""
    text = text[:_MAX_CHARACTERS].lstrip()
    for _ in range(_MAX_THOUGHTS):
        if not _THINKING.match(text):
            break
        closed = _THOUGHT.search(text)
        text = text[closed.end() :].lstrip() if closed else ""
    closed = None if text.startswith(("{", "[", "```")) else _THOUGHT.search(text)
    if closed and not _THINKING.search(text, 0, closed.start()):
        text = text[closed.end() :].lstrip()
    return text


def list_field(model: type[BaseModel]) -> str | None:
    """Return the name, as written in JSON, of a model's one list field; None where it has none or several."""
    names = [
        _written(name, field)
        for name, field in model.model_fields.items()
        if (get_origin(field.annotation) or field.annotation) in (list, tuple)
    ]
    return names[0] if len(names) == 1 else None


def _written(name: str, field: FieldInfo) -> str:
    alias = field.validation_alias
    first = alias.choices[0] if isinstance(alias, AliasChoices) else alias
    return first if isinstance(first, str) else field.alias or name


def _values(text: str) -> Iterator[object]:
    """Yield the outermost JSON values in a text, the ones to be preferred last."""
    text = text.strip()
    forgiven = _forgiven(text)
    whole = _loads(text) or _loads(forgiven)
    if isinstance(whole, dict | list):
        yield cast("object", whole)
        return
    if forgiven != text:
        yield from _scan(forgiven)
    yield from _scan(text)


def _scan(text: str) -> Iterator[object]:
    place = 0
    for _ in range(_MAX_STARTS):
        found = _START.search(text, place)
        if found is None:
            return
        try:
            value, place = _DECODER.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            place = found.start() + 1
        else:
            yield value


def _loads(text: str) -> object:
    """Return the value of a text that is JSON as a whole; None where it is not."""
    try:
        return cast("object", json.loads(text, strict=False))
    except (ValueError, RecursionError):
        return None


def _forgiven(text: str) -> str:
    return _STRING_OR_COMMA.sub(lambda match: match[0] if match[0][0] == '"' else "", text)


def _shapes(value: object, model: type[BaseModel]) -> Iterator[object]:
    yield value
    if isinstance(value, list):
        entries = cast("list[object]", value)
        if name := list_field(model):
            yield {name: entries}
        if len(entries) == 1:
            yield entries[0]
    elif isinstance(value, dict):
        wrapped = cast("dict[str, object]", value)
        if len(wrapped) == 1:
            (inner,) = wrapped.values()
            if isinstance(inner, dict):
                yield cast("object", inner)


def _fit(shape: object, model: type[_M]) -> _M | ValidationError:
    try:
        return model.model_validate(shape)
    except ValidationError as error:
        return error


def _unfit(error: ValidationError | None, model: type[BaseModel]) -> Unreadable:
    if error is None:
        return Unreadable("The reply holds no JSON object.", "no JSON object in the reply")
    details = error.errors(include_url=False, include_input=False, include_context=False)
    told = [f"{'.'.join(map(str, detail['loc'])) or 'reply'}: {detail['msg']}" for detail in details[:_MAX_PROBLEMS]]
    kinds = ", ".join(sorted({detail["type"] for detail in details}))
    return Unreadable(
        f"The JSON does not fit: {'; '.join(told)}.", f"JSON that does not fit {model.__name__} ({kinds})"
    )

"""The JSON schema that a judge is held to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel

# Titles and defaults are for people; limits on values are refused by some providers, and pydantic checks them anyway.
_LEFT_OUT: Final = frozenset(
    {"title", "default", "examples", "format", "pattern", "minLength", "maxLength", "minimum", "maximum"}
    | {"exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems"}
    | {"minProperties", "maxProperties"}
)
_NAMED_PARTS: Final = frozenset({"properties", "$defs"})


def strict_schema(model: type[BaseModel]) -> dict[str, object]:
    """Write a pydantic model as the strict JSON schema of providers: closed objects, all properties required.

    >>> from pydantic import BaseModel
    >>> class Claims(BaseModel):
    ...     claims: list[str] = []
    >>> strict_schema(Claims)["required"]
    ['claims']
    """
    return _strict(cast("Mapping[str, object]", model.model_json_schema()))


def response_format(model: type[BaseModel]) -> dict[str, object]:
    """Wrap a model's schema in the request field of the OpenAI protocol."""
    named = {"name": model.__name__[:64], "strict": True, "schema": strict_schema(model)}
    return {"type": "json_schema", "json_schema": named}


def _strict(schema: Mapping[str, object]) -> dict[str, object]:
    result: dict[str, object] = {}
    for key, value in schema.items():
        if key in _LEFT_OUT:
            continue
        if key in _NAMED_PARTS:
            parts = cast("Mapping[str, Mapping[str, object]]", value)
            result[key] = {name: _strict(part) for name, part in parts.items()}
        elif key == "const":
            result["enum"] = [value]
        else:
            result[key] = _inside(value)
    if result.get("type") == "object" and "properties" in result:
        # A model's docstring speaks to programmers.
        result.pop("description", None)
        result["required"] = list(cast("Mapping[str, object]", result["properties"]))
        result["additionalProperties"] = False
    return result


def _inside(value: object) -> object:
    if isinstance(value, dict):
        return _strict(cast("Mapping[str, object]", value))
    if isinstance(value, list):
        return [_inside(entry) for entry in cast("list[object]", value)]
    return value

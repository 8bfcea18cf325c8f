from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from spanjudge.judge.schema import response_format, strict_schema


class Verdict(BaseModel):
    """For programmers."""

    model_config = ConfigDict(extra="ignore")

    index: int | None = Field(default=None, ge=0, description="number of the item")
    title: str = Field(default="", max_length=10)
    verdict: Literal["yes", "no"]
    only: Literal["one"] = "one"


class Verdicts(BaseModel):
    verdicts: list[Verdict] = Field(default_factory=list, min_length=1)


def test_every_object_is_closed_and_every_property_required() -> None:
    schema = strict_schema(Verdicts)
    inner = schema["$defs"]["Verdict"]  # type: ignore[index]
    assert schema["required"] == ["verdicts"]
    assert inner["required"] == ["index", "title", "verdict", "only"]
    assert schema["additionalProperties"] is inner["additionalProperties"] is False


def test_limits_titles_and_defaults_are_left_out_but_not_properties_of_these_names() -> None:
    inner = strict_schema(Verdicts)["$defs"]["Verdict"]  # type: ignore[index]
    assert inner["properties"] == {
        "index": {"anyOf": [{"type": "integer"}, {"type": "null"}], "description": "number of the item"},
        "title": {"type": "string"},
        "verdict": {"enum": ["yes", "no"], "type": "string"},
        "only": {"enum": ["one"], "type": "string"},
    }


def test_what_a_model_says_to_programmers_is_not_sent() -> None:
    assert "programmers" not in str(strict_schema(Verdicts))
    assert "number of the item" in str(strict_schema(Verdicts))


def test_an_open_mapping_stays_open() -> None:
    class Free(BaseModel):
        values: dict[str, int]

    assert strict_schema(Free)["properties"] == {
        "values": {"type": "object", "additionalProperties": {"type": "integer"}}
    }


def test_the_request_field_names_the_model_and_asks_for_strictness() -> None:
    asked = response_format(Verdicts)
    assert asked["type"] == "json_schema"
    assert asked["json_schema"] == {"name": "Verdicts", "strict": True, "schema": strict_schema(Verdicts)}

from __future__ import annotations

from spanjudge.dialects import logfire
from spanjudge.dialects.registry import is_own
from unit.dialects.one_span import one

TYPE = "logfire.span_type"


def test_span_of_the_user_is_known_and_of_no_kind() -> None:
    span = one({TYPE: "span", "question": "How long?"}, scope="logfire")
    assert logfire.speaks(span)
    assert logfire.kind(span) is None
    assert logfire.read(span).dialects == ("logfire",)


def test_spans_of_instrumentations_speak_for_themselves() -> None:
    assert not logfire.speaks(one({TYPE: "span"}, scope="pydantic-ai"))


def test_shadow_of_a_running_span_is_no_part_of_a_run() -> None:
    shadow = one({TYPE: "pending_span", "gen_ai.operation.name": "chat"}, scope="logfire")
    assert logfire.is_shadow(shadow)
    assert is_own(shadow)
    assert not is_own(one({TYPE: "span", "gen_ai.operation.name": "chat"}, scope="logfire"))

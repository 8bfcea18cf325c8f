from __future__ import annotations

import json
from dataclasses import replace

import pytest

from spanjudge.dialects.facts import Facts, merge
from spanjudge.dialects.registry import DIALECTS, is_own, is_rag, kind_of, read
from spanjudge.model import Document
from spanjudge.sources.record import SpanRecord

SPAN = SpanRecord(trace_id="1" * 32, span_id="2" * 16)


def with_attributes(**attributes: object) -> SpanRecord:
    return replace(SPAN, attributes={name.replace("__", "."): value for name, value in attributes.items()})


def test_every_dialect_has_a_name_of_its_own() -> None:
    assert len({dialect.name for dialect in DIALECTS}) == len(DIALECTS)


def test_span_is_known_at_its_start_by_attribute_or_by_scope() -> None:
    assert is_rag(with_attributes(openinference__span__kind="LLM"))
    assert is_rag(with_attributes(gen_ai__operation__name="chat"))
    assert is_rag(replace(SPAN, scope="openinference.instrumentation.langchain"))
    assert is_rag(replace(SPAN, scope="opentelemetry.instrumentation.genai.openai"))
    assert not is_rag(replace(SPAN, scope="opentelemetry.instrumentation.fastapi"))
    assert not is_rag(with_attributes(http__request__method="GET"))


def test_judging_is_own_whoever_judges() -> None:
    assert is_own(replace(SPAN, scope="spanjudge"))
    assert is_own(with_attributes(openinference__span__kind="EVALUATOR"))
    assert not is_own(with_attributes(openinference__span__kind="LLM"))


def test_two_dialects_on_one_span_are_joined() -> None:
    facts = read(
        with_attributes(
            openinference__span__kind="AGENT",
            input__value="How long?",
            gen_ai__operation__name="invoke_agent",
            gen_ai__conversation__id="conversation",
            gen_ai__output__messages=json.dumps([{"role": "assistant", "content": "Two years."}]),
        )
    )
    assert (facts.kind, facts.input, facts.session) == ("agent", "How long?", "conversation")
    assert [message.content for message in facts.output_messages] == ["Two years."]
    assert facts.dialects == ("openinference", "otel_genai")


def test_session_id_goes_before_the_conversation() -> None:
    span = with_attributes(
        gen_ai__operation__name="chat", gen_ai__conversation__id="conversation", session__id="session"
    )
    assert read(span).session == "session"


def test_reference_is_read_on_any_span() -> None:
    assert read(with_attributes(spanjudge__ground_truth="Two years.")).ground_truth == "Two years."
    assert read(with_attributes(spanjudge__ground_truth=" ")).ground_truth is None
    assert kind_of(with_attributes(spanjudge__ground_truth="Two years.")) is None


@pytest.mark.parametrize("first", [(), (Document("a"),)])
def test_what_the_first_dialect_says_is_right_even_where_it_is_empty(first: tuple[Document, ...]) -> None:
    assert merge(Facts(documents=first), Facts(documents=(Document("b"),))).documents == first
    assert merge(Facts(), Facts(documents=(Document("b"),))).documents == (Document("b"),)


def test_warnings_of_either_dialect_hold() -> None:
    merged = merge(Facts(cut=True), Facts(redacted=True, gaps=True))
    assert (merged.cut, merged.redacted, merged.gaps) == (True, True, True)


def test_content_is_text_or_an_empty_result_but_no_name() -> None:
    assert not Facts(kind="llm", model="m", agent="a", session="s").content
    assert not Facts(input="", output=None).content
    assert Facts(documents=()).content
    assert Facts(output={"a": 1}).content

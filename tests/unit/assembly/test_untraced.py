from __future__ import annotations

import json

import pytest

from spanjudge.assembly import assemble
from spanjudge.model import RagRun
from unit.assembly.tracing import ANSWER, QUERY, TEXTS, Tracing, kind, llm, retriever, tool

OTHER = "Batteries are covered for one year only."


def listed(*texts: str) -> str:
    return json.dumps([{"id": f"kb-{place}", "text": text} for place, text in enumerate(texts)])


def told(*results: tuple[str, str, str]) -> dict[str, object]:
    """A model that was told results: each the id of its call, the name of its tool, and what it gave back."""
    made = llm()
    for place, (call_id, name, result) in enumerate(results, start=1):
        message = f"llm.input_messages.{place}.message"
        made |= {
            f"{message}.role": "tool",
            f"{message}.tool_call_id": call_id,
            f"{message}.name": name,
            f"{message}.content": result,
        }
    return made


def agent(model: dict[str, object], *tools: tuple[str, str, str]) -> RagRun:
    tracing = Tracing()
    root = tracing.span("agent", attributes=kind("AGENT") | {"input.value": QUERY, "output.value": ANSWER})
    for call_id, name, result in tools:
        tracing.end(tracing.span(name, root, attributes=tool(result, name, **{"tool_call.id": call_id})))
    tracing.span("model", root, attributes=model)
    (run,) = assemble(tracing.done())
    return run


FIRST = ("call-1", "search", listed(*TEXTS))
SECOND = ("call-2", "search", listed(OTHER))
THIRD = ("call-3", "search_faq", listed(OTHER))
TALK = ("call-4", "transfer_to_billing", "Handed over to billing.")


@pytest.mark.parametrize("results", [(FIRST,), (FIRST, SECOND), (FIRST, THIRD), (FIRST, TALK)])
def test_run_whose_tools_all_have_spans_is_complete(results: tuple[tuple[str, str, str], ...]) -> None:
    assert agent(told(*results), *results).complete


@pytest.mark.parametrize("lost", [SECOND, THIRD])
def test_result_that_the_model_was_told_by_a_tool_without_span_stops_the_run(lost: tuple[str, str, str]) -> None:
    assert agent(told(FIRST, lost), FIRST).skip_reason == "truncated"


def test_second_call_of_a_tool_is_missed_even_where_it_found_the_same() -> None:
    assert agent(told(FIRST, ("call-2", *FIRST[1:])), FIRST).skip_reason == "truncated"


def test_what_is_no_search_needs_no_span() -> None:
    assert agent(told(FIRST, TALK), FIRST).complete


def test_tools_without_any_span_are_read_from_the_messages() -> None:
    run = agent(told(FIRST, THIRD))
    assert [each.text for each in run.contexts or ()] == [*TEXTS, OTHER]
    assert run.complete


def fetched(output: str) -> RagRun:
    tracing = Tracing()
    root = tracing.span("chain", attributes=kind("CHAIN") | {"input.value": QUERY, "output.value": ANSWER})
    both = tracing.span("both", root, attributes=kind("CHAIN") | {"input.value": QUERY, "output.value": output})
    tracing.end(tracing.span("retriever", both, attributes=retriever(*TEXTS)))
    tracing.end(both)
    tracing.span("model", root, attributes=llm())
    (run,) = assemble(tracing.done())
    return run


@pytest.mark.parametrize("output", ["\n\n".join([*TEXTS, OTHER]), "\n \n".join([OTHER, *TEXTS]), listed(*TEXTS, OTHER)])
def test_step_that_returned_more_than_its_searches_found_stops_the_run(output: str) -> None:
    assert fetched(output).skip_reason == "truncated"


@pytest.mark.parametrize(
    "output",
    [
        "\n\n".join(TEXTS),
        "\n\n".join(["What we know:", *TEXTS]),
        "\n\n".join(f"Source {place}\n{text}" for place, text in enumerate(TEXTS)),
        listed(*TEXTS),
        listed(*(text[:20] for text in TEXTS)),
        TEXTS[0],
    ],
)
def test_step_that_lists_shortens_or_dresses_what_was_found_does_not(output: str) -> None:
    assert fetched(output).complete

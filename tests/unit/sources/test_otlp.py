from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.sources.otlp import SourceError, any_value, attributes, spans_of

TRACE = "0af7651916cd43dd8448eb211c80319c"
SPAN = "b7ad6b7169203331"


def request(**fields: Any) -> dict[str, Any]:
    span = {"traceId": TRACE, "spanId": SPAN, "name": "call"} | fields
    return {"resourceSpans": [{"scopeSpans": [{"scope": {"name": "lib", "version": "1"}, "spans": [span]}]}]}


def one(**fields: Any) -> Any:
    spans, _ = spans_of(request(**fields), "here")
    return spans[0]


def test_ids_in_hex_and_in_base64_are_the_same() -> None:
    assert one(traceId="CvdlGRbNQ92ESOshHIAxnA==", spanId="t61rcWkgMzE=").trace_id == TRACE
    assert one(traceId="CvdlGRbNQ92ESOshHIAxnA==", spanId="t61rcWkgMzE=").span_id == SPAN
    assert one(traceId=TRACE.upper()).trace_id == TRACE


@pytest.mark.parametrize("parent", [None, "", "0000000000000000", "AAAAAAAAAAA="])
def test_empty_parent_is_no_parent(parent: str | None) -> None:
    assert one(parentSpanId=parent).parent_id is None


@pytest.mark.parametrize("bad", ["", "xyz", "0" * 32, TRACE[:-1], 7, None, ["a"]])
def test_span_without_usable_trace_id_is_an_error_that_names_it(bad: object) -> None:
    with pytest.raises(SourceError, match='here has a span "call" without a usable traceId'):
        one(traceId=bad)


@pytest.mark.parametrize("kind", [3, "3", "SPAN_KIND_CLIENT"])
def test_kind_is_read_as_name_or_number(kind: object) -> None:
    assert one(kind=kind).kind == 3


@pytest.mark.parametrize("code", [2, "2", "STATUS_CODE_ERROR"])
def test_error_status_is_read_as_name_or_number(code: object) -> None:
    assert one(status={"code": code}).error
    assert not one(status={"code": 1}).error
    assert not one(status={}).error


@pytest.mark.parametrize("time", ["1795979083494481920", 1795979083494481920])
def test_times_are_read_as_text_or_number_without_loss(time: object) -> None:
    assert one(startTimeUnixNano=time).start_ns == 1795979083494481920


@pytest.mark.parametrize("huge", ["9" * 5000, 10**400, math.inf, math.nan, "x", {}, None])
def test_a_time_that_is_no_number_is_zero(huge: object) -> None:
    assert one(startTimeUnixNano=huge).start_ns == 0


def test_remote_parent_is_known_from_the_flags() -> None:
    assert one(flags=0x301).parent_is_remote
    assert not one(flags=0x101).parent_is_remote
    assert not one(flags=0x201).parent_is_remote


def test_scope_resource_and_dropped_attributes_are_kept() -> None:
    body = request(droppedAttributesCount="36", traceState="a=b")
    body["resourceSpans"][0]["resource"] = {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]}
    span = spans_of(body, "here")[0][0]
    assert (span.scope, span.scope_version, span.resource["service.name"]) == ("lib", "1", "shop")
    assert (span.dropped_attributes, span.trace_state) == (36, "a=b")


def test_values_of_every_kind_are_read() -> None:
    pairs = [
        {"key": "text", "value": {"stringValue": "a"}},
        {"key": "truth", "value": {"boolValue": True}},
        {"key": "int", "value": {"intValue": "7"}},
        {"key": "double", "value": {"doubleValue": 0.5}},
        {"key": "bytes", "value": {"bytesValue": "AAE="}},
        {"key": "list", "value": {"arrayValue": {"values": [{"intValue": 1}, {"stringValue": "b"}]}}},
        {"key": "map", "value": {"kvlistValue": {"values": [{"key": "k", "value": {"boolValue": False}}]}}},
        {"key": "empty list", "value": {"arrayValue": {}}},
        {"key": "nothing", "value": {}},
    ]
    assert attributes(pairs) == {
        "text": "a",
        "truth": True,
        "int": 7,
        "double": 0.5,
        "bytes": b"\x00\x01",
        "list": (1, "b"),
        "map": {"k": False},
        "empty list": (),
        "nothing": None,
    }


def test_deep_values_end_at_a_level() -> None:
    value: dict[str, object] = {"stringValue": "bottom"}
    for _ in range(500):
        value = {"arrayValue": {"values": [value]}}
    found = any_value(value)
    depth = 0
    while isinstance(found, tuple):
        found = found[0]
        depth += 1
    assert (found, depth) == (None, 24)


def test_lone_surrogates_become_replacement_characters() -> None:
    span = one(name="\ud800", attributes=[{"key": "k", "value": {"stringValue": "a\udfffb"}}])
    assert (span.name, span.attributes["k"]) == ("\ufffd", "a\ufffdb")


def test_log_records_are_read_with_body_and_name() -> None:
    record = {
        "traceId": TRACE,
        "spanId": SPAN,
        "attributes": [{"key": "event.name", "value": {"stringValue": "gen_ai.choice"}}],
        "body": {"kvlistValue": {"values": [{"key": "index", "value": {"intValue": "0"}}]}},
        "observedTimeUnixNano": "5",
    }
    stranger = {"traceId": "", "spanId": "", "body": {"stringValue": "plain log"}}
    _, logs = spans_of({"resourceLogs": [{"scopeLogs": [{"logRecords": [record, stranger]}]}]}, "here")
    assert [(log[0], log[1], log[2].event_name, log[2].body, log[2].time_ns) for log in logs] == [
        (TRACE, SPAN, "gen_ai.choice", {"index": 0}, 5)
    ]


@pytest.mark.parametrize(
    "body",
    [
        [],
        "text",
        {"spans": []},
        {"resourceSpans": "text"},
        {"resourceSpans": [7]},
        {"resourceSpans": [{"scopeSpans": {}}]},
        {"resourceSpans": [{"resource": 7}]},
        request(events=[7]),
        request(status="bad"),
    ],
)
def test_json_that_is_no_otlp_is_an_error_of_one_sentence(body: object) -> None:
    with pytest.raises(SourceError, match=r"^traces\.json, line 3 (holds|is no|has)[^\n]*\.$"):
        spans_of(body, "traces.json, line 3")


def test_metrics_beside_traces_are_left_alone() -> None:
    assert spans_of({"resourceMetrics": [{"anything": 1}]}, "here") == ([], [])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "stringValue",
                    "intValue",
                    "doubleValue",
                    "bytesValue",
                    "arrayValue",
                    "kvlistValue",
                    "values",
                    "key",
                    "value",
                ]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_any_value_takes_whatever_json_holds(value: object) -> None:
    any_value(value)
    attributes(value)


@given(
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            ["traceId", "spanId", "parentSpanId", "name", "kind", "startTimeUnixNano", "events", "status", "flags"],
            json_values,
        ),
    )
)
def test_a_span_of_any_shape_is_read_or_refused_in_one_sentence(fields: dict[str, Any]) -> None:
    try:
        spans_of(request(**fields), "here")
    except SourceError as error:
        assert "\n" not in str(error)  # noqa: PT017

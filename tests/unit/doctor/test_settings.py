"""Where settings come from, and what the SDK's own would take away."""

from __future__ import annotations

from pathlib import Path

import pytest

from spanjudge.doctor.settings import limits, resolved


def test_defaults_are_told_as_such() -> None:
    _, step = resolved({"judge": None}, {})
    assert (step.state, step.said, dict(step.facts)) == ("ok", "all are the defaults", {})


def test_setting_given_at_its_default_is_told_with_its_origin() -> None:
    _, step = resolved({}, {"SPANJUDGE_CONCURRENCY": "4"})
    assert step.said == "concurrency = 4 (SPANJUDGE_CONCURRENCY)"


def test_file_is_named_where_nothing_wins_over_it(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text('judge = "x/y"\nqueue_size = 3\n', encoding="utf-8")
    settings, step = resolved({"judge": "embedded"}, {"SPANJUDGE_CONFIG": str(file)})
    assert (settings.judge, settings.queue_size) == ("embedded", 3)
    assert step.said == f"judge = embedded (argument), queue_size = 3 ({file})"


@pytest.mark.parametrize(
    ("environment", "state", "told"),
    [
        ({}, "ok", "128 attributes a span, 32 documents; values are not cut"),
        ({"OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT": "1000"}, "note", "at 1000 characters"),
        ({"OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT": "100000"}, "ok", "values are cut at 100000"),
        ({"OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT": "1000"}, "ok", "250 documents"),
        (
            {"OTEL_TRACES_SAMPLER": "parentbased_traceidratio"},
            "note",
            "OTEL_TRACES_SAMPLER=parentbased_traceidratio may",
        ),
        ({"OTEL_TRACES_SAMPLER": "parentbased_always_on"}, "ok", "not cut"),
    ],
)
def test_limits_of_the_sdk_are_told(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], state: str, told: str
) -> None:
    for name in ("OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG", "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    step = limits()
    assert step.state == state
    assert told in step.said

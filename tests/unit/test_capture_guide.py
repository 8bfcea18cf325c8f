"""What docs/capture.md shows does what it says."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.trace import TracerProvider

import spanjudge
from spanjudge import semconv
from spanjudge.golden.golden_set import DEFAULT_THRESHOLD
from spanjudge.model import Score
from spanjudge.processor import JudgeSpanProcessor
from spanjudge.settings import Settings
from spanjudge.testing import RecordingSink

GUIDE = (Path(__file__).parents[2] / "docs" / "capture.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", GUIDE, re.DOTALL)
PYTHON = [text for language, text in BLOCKS if language == "python"]


class Reader:
    """Runs blocks one after another, as somebody who follows the page."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sink = RecordingSink()
        self.processors: list[JudgeSpanProcessor] = []
        self.names: dict[str, Any] = {"provider": TracerProvider(shutdown_on_exit=False)}

        def heard(**options: Any) -> JudgeSpanProcessor:
            made = JudgeSpanProcessor(
                sinks=(self.sink,),
                tracer_provider=self.names["provider"],
                meter_provider=MeterProvider(shutdown_on_exit=False),
                **options,
            )
            self.processors.append(made)
            return made

        monkeypatch.setattr(spanjudge, "JudgeSpanProcessor", heard)

    def run(self, *needles: str) -> None:
        for needle in needles:
            (code,) = [text for text in PYTHON if needle in text]
            exec(compile(code, "capture.md", "exec"), self.names)  # noqa: S102 - the guide's own example

    def scores(self) -> dict[str, float]:
        for processor in self.processors:
            assert processor.force_flush()
        outcomes = [item.outcome for item in self.sink.evaluations]
        return {each.scorer: each.share for each in outcomes if isinstance(each, Score)}


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Reader]:
    monkeypatch.chdir(tmp_path)
    (golden,) = [text for language, text in BLOCKS if language == "json"]
    (tmp_path / "golden.jsonl").write_text(golden, encoding="utf-8")
    made = Reader(monkeypatch)
    yield made
    for processor in made.processors:
        processor.shutdown()


FIRST = "sample_rate=1.0"


def test_every_example_is_run_here() -> None:
    assert len(PYTHON) == 6


def test_log_processor_takes_the_span_processor(reader: Reader) -> None:
    reader.run(FIRST, "JudgeLogProcessor(processor)")
    reader.names["logger_provider"].shutdown()
    assert reader.scores() == {}


def test_recorded_call_gets_all_four_scores(reader: Reader) -> None:
    reader.run(FIRST, "record_reference(")
    assert set(reader.scores()) == {"context_recall", "context_precision", "answer_relevancy", "faithfulness"}
    run = reader.sink.evaluations[0].run
    assert run.target is not None
    assert (run.target.name, run.ground_truth) == ("handle question", "The battery warranty lasts 24 months.")


def test_documents_are_resolved(reader: Reader) -> None:
    reader.names |= {name: getattr(spanjudge, name) for name in ("Document", "record_answer", "record_retrieval")}
    reader.names["JudgeSpanProcessor"] = spanjudge.JudgeSpanProcessor
    reader.run("resolve_documents=fetch")
    assert "faithfulness" in reader.scores()
    assert [each.text for each in reader.sink.evaluations[0].run.contexts or ()] == ["Water damage is not covered."]


def test_close_question_gets_its_reference_at_the_golden_rate(reader: Reader, caplog: pytest.LogCaptureFixture) -> None:
    reader.names |= {name: getattr(spanjudge, name) for name in ("record_answer", "record_retrieval")}
    reader.names["JudgeSpanProcessor"] = spanjudge.JudgeSpanProcessor
    with caplog.at_level(logging.WARNING, "spanjudge"):
        reader.run("golden_rate=1.0")
        assert "context_recall" in reader.scores()
    evaluation = reader.sink.evaluations[0]
    assert evaluation.run.golden is not None
    assert (evaluation.run.golden.closeness, evaluation.run.golden.ids) == (1.0, ("kb-1",))
    assert evaluation.inclusion_probability == 1.0
    assert caplog.records == []


def test_embedding_example_finds_a_question_in_other_words(reader: Reader) -> None:
    reader.names["JudgeSpanProcessor"] = spanjudge.JudgeSpanProcessor
    reader.run("embed_questions=embed")
    with reader.names["provider"].get_tracer("support").start_as_current_span("handle"):
        spanjudge.record_retrieval("What is the warranty period?", ["The warranty lasts 24 months."])
        spanjudge.record_answer("24 months.")
    reader.scores()
    assert reader.sink.evaluations[0].run.ground_truth == "24 months."


def test_names_and_defaults_are_the_real_ones() -> None:
    for name in re.findall(r"`(spanjudge\.[a-z_.]+)`", GUIDE):
        assert name in vars(semconv).values(), name
    settings = Settings()
    assert f"`golden_threshold` ({DEFAULT_THRESHOLD})" in GUIDE
    assert f"`lookup_timeout_s` ({settings.lookup_timeout_s:g} s)" in GUIDE
    assert f"`linger_s` ({settings.linger_s:g} s)" in GUIDE

"""``spanjudge score`` as its users run it: in a process of its own."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from spanjudge.settings import DEFAULT_SCORERS
from spanjudge.testing.model_server import ModelServer, Status

CAPTURES = Path(__file__).parents[2] / "captures"
LCEL = CAPTURES / "openinference_langchain_lcel.json"


def _spanjudge(
    *arguments: str | Path, given: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "SPANJUDGE_"))}
    return subprocess.run(
        [sys.executable, "-c", "from spanjudge.cli import main; main()", *map(str, arguments)],
        capture_output=True,
        text=True,
        input=given,
        timeout=100,
        check=False,
        env={**clean, "COLUMNS": "200", "NO_COLOR": "1", **environment},
    )


def _records(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_capture_only_prints_the_run_and_asks_no_judge() -> None:
    (record,) = _records(_spanjudge("score", "--capture-only", "--json", LCEL))
    assert list(record) == [
        "trace_id",
        "target_span_id",
        "query",
        "contexts",
        "answer",
        "ground_truth",
        "session_id",
        "user_id",
        "model",
        "agent",
        "dialects",
        "complete",
        "skip_reason",
        "warnings",
    ]
    assert record["query"] == "How long does the battery warranty last?"
    assert [document["id"] for document in record["contexts"]] == ["kb-2", "kb-1", "kb-3"]


def test_scores_come_with_the_same_record(tmp_path: Path) -> None:
    golden = tmp_path / "golden.jsonl"
    question, reference = "How long does the battery warranty last?", "The battery warranty lasts 24 months."
    golden.write_text(json.dumps({"question": question, "ground_truth": reference}) + "\n", encoding="utf-8")
    (record,) = _records(_spanjudge("score", "--json", "--golden", golden, LCEL))
    assert list(record["scores"]) == list(DEFAULT_SCORERS)
    recall = record["scores"]["context_recall"]
    assert (recall["outcome"], recall["score"], recall["label"]) == ("scored", 1.0, "excellent")
    assert recall["counts"] == {"total": 1, "yes": 1, "unsure": 0, "no": 0, "missing": 0}
    assert len(recall["evaluation_id"]) == 32
    assert record["ground_truth"] == reference


def test_same_run_scored_twice_has_the_same_evaluation_ids() -> None:
    first, second = (_records(_spanjudge("score", "--json", LCEL))[0]["scores"] for _ in range(2))
    assert {name: each["evaluation_id"] for name, each in first.items()} == {
        name: each["evaluation_id"] for name, each in second.items()
    }


def test_files_may_be_packed_or_come_on_standard_input(tmp_path: Path) -> None:
    packed = tmp_path / "spans.json.gz"
    packed.write_bytes(gzip.compress(LCEL.read_bytes()))
    plain = _records(_spanjudge("score", "--capture-only", "--json", LCEL))
    assert _records(_spanjudge("score", "--capture-only", "--json", packed)) == plain
    piped = _spanjudge("score", "--capture-only", "--json", "-", given=LCEL.read_text(encoding="utf-8"))
    assert _records(piped) == plain


def test_people_read_question_and_scores() -> None:
    done = _spanjudge("score", LCEL)
    assert done.returncode == 0
    assert "How long does the battery warranty last?" in done.stdout
    assert "context_recall       skipped: no_ground_truth" in done.stdout


def test_run_that_no_scorer_can_use_has_its_reason_for_each(tmp_path: Path) -> None:
    del tmp_path
    (record,) = _records(_spanjudge("score", "--json", CAPTURES / "openinference_langchain_retriever_error.json"))
    codes = {each["reason_code"] for each in record["scores"].values()}
    assert (codes, record["skip_reason"]) == ({"source_error"}, "source_error")


def test_model_of_ones_own_judges_through_litellm() -> None:
    with ModelServer() as server:
        done = _spanjudge(
            "score", "--json", "--judge", "openai/stand-in", LCEL, OPENAI_API_BASE=server.url, OPENAI_API_KEY="none"
        )
        assert len(server.requests) >= 7
    (record,) = _records(done)
    assert {each["outcome"] for each in record["scores"].values()} == {"scored", "skipped"}
    assert record["scores"]["faithfulness"]["score"] is not None


def test_judge_that_is_down_is_one_sentence() -> None:
    with ModelServer(lambda _: Status(401)) as server:
        done = _spanjudge(
            "score", "--json", "--judge", "openai/stand-in", LCEL, OPENAI_API_BASE=server.url, OPENAI_API_KEY="none"
        )
    assert done.returncode == 2
    assert "judge_auth" in done.stderr
    assert "Traceback" not in done.stderr
    outcomes = json.loads(done.stdout)["scores"]
    assert outcomes["faithfulness"]["outcome"] == "failed"
    assert outcomes["faithfulness"]["score"] is None


@pytest.mark.parametrize(
    ("content", "arguments", "complaint"),
    [
        (None, (), "cannot be read: No such file"),
        ("", (), "input"),
        ("no json", (), "is no JSON"),
        ('{"a": 1}', (), 'neither "resourceSpans" nor "resourceLogs"'),
        ('{"resourceSpans": 7}', (), "input"),
        ("[" * 100_000, (), "input"),
        ("{}", ("--scorer", "recall"), "Unknown scorer 'recall'"),
        ("{}", ("--golden", "nowhere.jsonl"), "nowhere.jsonl"),
        ("{}", ("--judge", ""), "judge"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    tmp_path: Path, content: str | None, arguments: tuple[str, ...], complaint: str
) -> None:
    file = tmp_path / "input.json"
    if content == "{}":
        content = LCEL.read_text(encoding="utf-8")
    if content is not None:
        file.write_text(content, encoding="utf-8")
    done = _spanjudge("score", *arguments, file)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert done.stdout == ""
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("spanjudge: ")


def test_golden_file_with_a_bad_line_is_named_with_its_number(tmp_path: Path) -> None:
    golden = tmp_path / "golden.jsonl"
    golden.write_text('{"question": "a", "ground_truth": "b"}\n{"question": }\n', encoding="utf-8")
    done = _spanjudge("score", "--golden", golden, LCEL)
    assert done.returncode == 2
    assert "golden.jsonl, line 2" in done.stderr
    assert "Traceback" not in done.stderr


def test_file_without_a_rag_run_says_so(tmp_path: Path) -> None:
    file = tmp_path / "spans.json"
    file.write_text('{"resourceSpans": []}', encoding="utf-8")
    done = _spanjudge("score", "--json", file)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "spanjudge: 0 spans were read, but none of them is part of a RAG run.\n"

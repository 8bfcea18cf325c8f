"""``spanjudge doctor`` as its users run it: in a process of its own."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse

from otlp_receiver import receiver
from spanjudge.settings import DEFAULT_SCORERS
from spanjudge.testing.model_server import ModelServer, Status

CAPTURES = Path(__file__).parents[2] / "captures"
LCEL = CAPTURES / "openinference_langchain_lcel.json"
EMITTED = ["span", "log_event", "metric"]
WAY = [
    *("settings", "limits", "golden", "judge", "recorded", "taken", "assembled", "complete", "sampled", "judged"),
    *EMITTED,
]
SENT = ["otlp_traces", "otlp_logs", "otlp_metrics"]


def _doctor(*arguments: str | Path, given: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    ours = ("OPENAI_", "SPANJUDGE_", "OTEL_")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return subprocess.run(
        [sys.executable, "-c", "from spanjudge.cli import main; main()", "doctor", *map(str, arguments)],
        capture_output=True,
        text=True,
        input=given,
        timeout=100,
        check=False,
        env={**clean, "COLUMNS": "200", "NO_COLOR": "1", **environment},
    )


def _found(done: subprocess.CompletedProcess[str], code: int = 0) -> dict[str, Any]:
    assert done.returncode == code, (done.stdout, done.stderr)
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert found["well"] is (code == 0)
    return found


def _step(found: dict[str, Any], name: str) -> dict[str, Any]:
    (step,) = [step for step in found["steps"] if step["step"] == name]
    return step


def _states(found: dict[str, Any]) -> dict[str, str]:
    return {step["step"]: step["state"] for step in found["steps"]}


def _golden(folder: Path, *questions: str) -> Path:
    file = folder / "golden.jsonl"
    lines = [json.dumps({"question": each, "ground_truth": f"{each} is settled."}) for each in questions]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_set_up_that_works_is_followed_to_its_end() -> None:
    found = _found(_doctor("--json"))
    assert [step["step"] for step in found["steps"]] == WAY
    assert set(_states(found).values()) == {"ok"}
    assert (found["lost"], found["sentence"], found["log"]) == (None, None, [])
    scores = _step(found, "judged")["facts"]["scores"]
    assert sorted(scores) == sorted(DEFAULT_SCORERS)
    assert {each["outcome"] for each in scores.values()} == {"scored"}
    assert all(each["score"] > 0.5 for each in scores.values())
    assert [_step(found, name)["facts"]["scorers"] for name in EMITTED] == [sorted(DEFAULT_SCORERS)] * 3


def test_people_read_a_line_for_each_step_and_the_verdict() -> None:
    done = _doctor()
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert [line.split()[:2] for line in lines[: len(WAY)]] == [["ok", name] for name in WAY]
    assert lines[-1] == "All is well: the marked trace came through every step."


def test_sampling_is_forced_for_the_marked_trace_under_both_samplers() -> None:
    found = _found(
        _doctor(
            "--json",
            SPANJUDGE_SAMPLE_RATE="0.000001",
            OTEL_TRACES_SAMPLER="traceidratio",
            OTEL_TRACES_SAMPLER_ARG="0.0001",
        )
    )
    assert _step(found, "settings")["facts"]["sample_rate"] == {
        "value": {"*": 0.000001},
        "from": "SPANJUDGE_SAMPLE_RATE",
    }
    assert _states(found)["limits"] == "note"
    assert "traceidratio (0.0001)" in _step(found, "limits")["said"]


def test_settings_come_from_argument_then_variable_then_file(tmp_path: Path) -> None:
    file = tmp_path / "spanjudge.toml"
    file.write_text('judge = "openai/of-the-file"\nconcurrency = 2\nqueue_size = 9\n', encoding="utf-8")
    environment = {"SPANJUDGE_CONFIG": str(file), "SPANJUDGE_CONCURRENCY": "3"}
    found = _found(_doctor("--json", "--judge", "embedded", **environment))
    assert _step(found, "settings")["facts"] == {
        "judge": {"value": "embedded", "from": "argument"},
        "concurrency": {"value": 3, "from": "SPANJUDGE_CONCURRENCY"},
        "queue_size": {"value": 9, "from": str(file)},
    }


def test_reference_of_a_golden_question_is_found_on_the_way(tmp_path: Path) -> None:
    golden = _golden(tmp_path, "Water damage", "Delivery")
    found = _found(_doctor("--json", "--golden", golden))
    assert _step(found, "golden")["facts"] == {"path": str(golden), "questions": 2}
    assert _step(found, "reference")["state"] == "ok"
    assert _step(found, "judged")["facts"]["scores"]["context_recall"]["outcome"] == "scored"


def test_model_answers_a_tiny_question_and_its_time_and_use_are_told() -> None:
    with ModelServer() as server:
        environment = {"OPENAI_API_BASE": server.url, "OPENAI_API_KEY": "none"}
        found = _found(_doctor("--json", "--judge", "openai/gpt-4o-mini", **environment))
        assert "The battery warranty lasts 24 months." in server.requests[0].text()
    facts = _step(found, "judge")["facts"]
    assert facts["model"] == "openai/gpt-4o-mini"
    assert facts["calls"] == 1
    assert facts["input_tokens"] > 0
    assert facts["cost"] > 0
    assert 0 < facts["seconds"] < 60
    assert _step(found, "judged")["facts"]["scores"]["faithfulness"]["outcome"] == "scored"


@pytest.mark.parametrize(
    ("judge", "code", "told"),
    [
        ("nonsense", "judge_bad_request", "provider/model"),
        ("openai/gpt-5-mini", "judge_auth", "OPENAI_API_KEY"),
    ],
)
def test_judge_without_provider_or_key_is_lost_without_network(judge: str, code: str, told: str) -> None:
    found = _found(_doctor("--json", "--judge", judge), 1)
    assert found["lost"] == "judge"
    assert _step(found, "judge")["facts"]["code"] == code
    assert _step(found, "judge")["facts"]["calls"] == 0
    assert told in found["sentence"]
    assert _states(found)["recorded"] == "not_tried"


def test_key_that_the_provider_refuses_is_the_first_step_lost() -> None:
    with ModelServer(lambda _: Status(401)) as server:
        environment = {"OPENAI_API_BASE": server.url, "OPENAI_API_KEY": "sk-wrong"}
        found = _found(_doctor("--json", "--judge", "openai/gpt-4o-mini", **environment), 1)
    assert (found["lost"], _step(found, "judge")["facts"]["code"]) == ("judge", "judge_auth")
    assert "sk-wrong" not in json.dumps(found)


def test_judge_that_breaks_down_after_its_first_answer_loses_the_trace_at_judged() -> None:
    first = {"verdicts": [{"index": 0, "reason": "[0] says so.", "verdict": "yes"}]}
    answers = iter([first])
    with ModelServer(lambda _: next(answers, Status(400))) as server:
        environment = {"OPENAI_API_BASE": server.url, "OPENAI_API_KEY": "none"}
        found = _found(_doctor("--json", "--judge", "openai/gpt-4o-mini", **environment), 1)
    assert found["lost"] == "judged"
    assert "judge_bad_request" in found["sentence"]
    assert [_states(found)[name] for name in EMITTED] == ["not_tried"] * 3


@pytest.mark.parametrize(
    ("environment", "lost", "told"),
    [
        ({"OTEL_SDK_DISABLED": "true"}, "recorded", "OTEL_SDK_DISABLED=true"),
        ({"OTEL_TRACES_SAMPLER": "always_off"}, "recorded", "OTEL_TRACES_SAMPLER=always_off"),
        ({"SPANJUDGE_DISABLED": "true"}, "taken", "SPANJUDGE_DISABLED"),
        ({"SPANJUDGE_SAMPLE_RATE": "0"}, "taken", "set sample_rate above 0"),
        ({"SPANJUDGE_INBOX_SIZE": "1"}, "assembled", "raise inbox_size"),
        ({"SPANJUDGE_MAX_TRACE_BYTES": "100"}, "assembled", "raise max_trace_bytes"),
        ({"OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT": "40"}, "complete", "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT"),
        ({"OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT": "4"}, "complete", "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT"),
        ({"SPANJUDGE_RUN_TIMEOUT_S": "0"}, "judged", "raise judge_timeout_s and run_timeout_s"),
    ],
)
def test_first_step_that_loses_the_trace_is_named_with_what_to_do(
    environment: dict[str, str], lost: str, told: str
) -> None:
    found = _found(_doctor("--json", **environment), 1)
    assert found["lost"] == lost
    assert told in found["sentence"]
    assert found["sentence"].startswith(f'Lost at step "{lost}": ')
    assert found["sentence"].endswith(".")
    names = [step["step"] for step in found["steps"]]
    assert names == WAY
    assert set(list(_states(found).values())[names.index(lost) + 1 :]) == {"not_tried"}
    assert "lost" not in list(_states(found).values())[: names.index(lost)]


def test_people_read_the_step_that_is_lost_in_the_last_sentence() -> None:
    done = _doctor(SPANJUDGE_SAMPLE_RATE="0")
    assert done.returncode == 1
    sentence = 'Lost at step "taken": sample_rate is 0, so no trace is ever taken; set sample_rate above 0.'
    assert done.stdout.splitlines()[-1] == sentence


def test_scorer_that_is_never_asked_is_a_note() -> None:
    found = _found(_doctor("--json", SPANJUDGE_SAMPLE_RATE="context_recall=0,*=1"))
    assert _states(found)["sampled"] == "note"
    assert "context_recall" in _step(found, "sampled")["said"]
    assert "context_recall" not in _step(found, "judged")["facts"]["scores"]


def test_run_that_is_taken_for_its_reference_alone_is_a_note() -> None:
    found = _found(_doctor("--json", SPANJUDGE_SAMPLE_RATE="0", SPANJUDGE_GOLDEN_RATE="0.5"))
    assert _states(found)["sampled"] == "note"
    assert "golden_rate is 0.5" in _step(found, "sampled")["said"]


def test_endpoint_gets_every_signal_of_the_marked_trace() -> None:
    with receiver() as taker:
        found = _found(_doctor("--json", "--otlp", taker.url, OTEL_EXPORTER_OTLP_HEADERS="x-tenant=ours"))
    assert taker.headers["x-tenant"] == "ours"
    assert [step["step"] for step in found["steps"]] == WAY + SENT
    spans = taker.spans()
    trace_id = _step(found, "recorded")["facts"]["trace_id"]
    assert {span.trace_id.hex() for span in spans} == {trace_id}
    marked = [span for span in spans if any(each.key == "spanjudge.doctor" for each in span.attributes)]
    assert [span.name for span in marked].count("spanjudge doctor") == 1
    assert {span.name for span in spans if span not in marked} == {f"evaluate {name}" for name in DEFAULT_SCORERS}
    assert _step(found, "otlp_traces")["facts"]["sent"] == len(spans) == 7
    (group,) = taker.received["/v1/metrics"][0].resource_metrics
    names = {metric.name for scope in group.scope_metrics for metric in scope.metrics}
    assert {"gen_ai.evaluation.score", "spanjudge.runs"} <= names
    assert {each.key: each.value.string_value for each in group.resource.attributes}["service.name"] == (
        "spanjudge-doctor"
    )
    (logs,) = taker.received["/v1/logs"][0].resource_logs
    assert len([log for scope in logs.scope_logs for log in scope.log_records]) == 4


@pytest.mark.parametrize(
    ("statuses", "lost", "told"),
    [
        ({"/v1/traces": 401}, "otlp_traces", "OTEL_EXPORTER_OTLP_HEADERS"),
        ({"/v1/logs": 404}, "otlp_logs", "a pipeline for logs"),
        ({"/v1/metrics": 500}, "otlp_metrics", "status 500"),
    ],
)
def test_signal_that_the_endpoint_refuses_is_named(statuses: dict[str, int], lost: str, told: str) -> None:
    with receiver(statuses) as taker:
        found = _found(_doctor("--json", "--otlp", taker.url), 1)
    assert found["lost"] == lost
    assert told in found["sentence"]
    states = _states(found)
    assert {name for name in SENT if states[name] == "ok"} == set(SENT) - {lost}


def test_records_that_the_endpoint_rejects_are_lost_though_it_says_200() -> None:
    reply = ExportLogsServiceResponse()
    reply.partial_success.rejected_log_records = 3
    reply.partial_success.error_message = "too old"
    with receiver(replies={"/v1/logs": reply.SerializeToString()}) as taker:
        found = _found(_doctor("--json", "--otlp", taker.url), 1)
    assert found["lost"] == "otlp_logs"
    assert "rejected 3 of 4 (too old)" in found["sentence"]


def test_endpoint_that_nobody_listens_at_is_lost_without_its_password() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        done = _doctor("--otlp", f"http://me:secret@127.0.0.1:{port}")
    assert done.returncode == 1
    assert f"nothing that speaks HTTP answers at http://127.0.0.1:{port}/v1/traces" in done.stdout
    assert "secret" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "environment", "complaint"),
    [
        ((), {"SPANJUDGE_LINGER_S": "-1"}, "SPANJUDGE_LINGER_S"),
        ((), {"SPANJUDGE_SCORERS": "recall"}, "Unknown scorer 'recall'"),
        ((), {"SPANJUDGE_SAMPLE_RATE": "recall=1"}, "'recall'"),
        (("--golden", "nowhere.jsonl"), {}, "nowhere.jsonl"),
        (("--judge", ""), {}, "judge"),
        (("--otlp", "localhost:4318"), {}, "--otlp"),
        (("--otlp", "http://"), {}, "--otlp"),
        (("nowhere.json",), {}, "nowhere.json cannot be read"),
        (("--golden", "a.jsonl", str(LCEL)), {}, "--golden is for the check of a set-up"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    arguments: tuple[str, ...], environment: dict[str, str], complaint: str
) -> None:
    done = _doctor(*arguments, **environment)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert done.stdout == ""
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("spanjudge: ")


def test_complete_traces_are_explained_as_complete() -> None:
    found = _found(_doctor("--json", LCEL))
    assert found["counts"] == {"complete": 1}
    (trace,) = found["traces"]
    (run,) = trace["runs"]
    assert trace["scopes"] == ["openinference.instrumentation.langchain"]
    assert (run["complete"], run["why"], run["advice"]) == (True, {}, [])
    assert run["query"] == "How long does the battery warranty last?"


def test_incomplete_traces_say_why_and_what_to_switch_on() -> None:
    names = ("otel_genai_langchain_none_lcel", "otel_genai_llamaindex_span_only_query", "openinference_langchain_lcel")
    found = _found(_doctor("--json", *(CAPTURES / f"{name}.json" for name in names)), 1)
    assert found["counts"] == {"complete": 1, "no_content_captured": 1, "no_answer": 1}
    first, second, third = (trace["runs"][0] for trace in found["traces"])
    assert first["why"] == {"no_content_captured": "its spans carry no texts at all"}
    (advice,) = first["advice"]
    assert advice["instrumentation"] == "opentelemetry-instrumentation-genai-langchain"
    assert "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY" in advice["do"]
    assert [each["codes"] for each in second["advice"]] == [["no_answer"], ["context_text_missing"]]
    assert "resolve_documents" in second["advice"][1]["do"]
    assert third["complete"]


def test_people_read_each_trace_and_the_counts() -> None:
    done = _doctor(CAPTURES / "google_adk_native.json", LCEL)
    assert done.returncode == 1
    assert "no_content_captured: its spans carry no texts at all" in done.stdout
    assert "to do     Google ADK: set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true" in done.stdout
    counts = [line.split() for line in done.stdout.splitlines()[-3:]]
    assert counts == [["reason", "runs"], ["complete", "1"], ["no_content_captured", "1"]]


def test_trace_without_a_run_is_told_and_counted() -> None:
    span = {
        "traceId": "0af7651916cd43dd8448eb211c80319c",
        "spanId": "b7ad6b7169203331",
        "name": "GET /",
        "startTimeUnixNano": "1",
        "endTimeUnixNano": "2",
    }
    request = {"resourceSpans": [{"scopeSpans": [{"scope": {"name": "web"}, "spans": [span]}]}]}
    done = _doctor("-", given=json.dumps(request))
    assert done.returncode == 1
    assert "PlainMapping" in done.stdout
    found = _found(_doctor("--json", "-", given=json.dumps(request)), 1)
    assert found["counts"] == {"no_run": 1}
    assert (found["traces"][0]["spans"], found["traces"][0]["runs"]) == (1, [])

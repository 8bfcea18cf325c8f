from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import threading
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from spanjudge.demo.main_job import BROKEN_RUNS, WORKING_RUNS, expected_evaluations, run_demo
from spanjudge.demo.telemetry import telemetry
from spanjudge.errors import InputError
from spanjudge.testing.model_server import ModelServer, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

MAIN = "from spanjudge.cli import main; main()"
NO_NETWORK = """
import socket
def refuse(*_):
    raise AssertionError("the demo went to the network")
socket.socket.connect = socket.socket.connect_ex = refuse
"""
NO_LITELLM = "import sys; sys.modules['litellm'] = None\n"


def demo(*arguments: str, before: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SPANJUDGE_", "OTEL_"))}
    return subprocess.run(
        [sys.executable, "-c", before + MAIN, "demo", *arguments],
        env=kept | {"PYTHONIOENCODING": "utf-8"} | environment,
        capture_output=True,
        encoding="utf-8",
        timeout=110,
        check=False,
    )


class Collector(ThreadingHTTPServer):
    """Takes OTLP over HTTP and keeps it by signal."""

    daemon_threads = True

    def __init__(self) -> None:
        self.bodies: defaultdict[str, list[bytes]] = defaultdict(list)
        self.status = 200
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def spans(self) -> list[Any]:
        requests = [ExportTraceServiceRequest.FromString(body) for body in self.bodies["/v1/traces"]]
        return [
            span
            for request in requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def logs(self) -> list[Any]:
        requests = [ExportLogsServiceRequest.FromString(body) for body in self.bodies["/v1/logs"]]
        return [
            record
            for request in requests
            for resource in request.resource_logs
            for scope in resource.scope_logs
            for record in scope.log_records
        ]

    def metrics(self) -> set[str]:
        requests = [ExportMetricsServiceRequest.FromString(body) for body in self.bodies["/v1/metrics"]]
        return {
            metric.name
            for request in requests
            for resource in request.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
        }


class _Handler(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.bodies[self.path].append(body)
        self.send_response(self.server.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server
        server.shutdown()


def test_demo_tells_its_story_without_key_and_network(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    ended = demo("--report", str(report), before=NO_NETWORK + NO_LITELLM)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "\x1b" not in ended.stdout
    for words in ("context_recall", "the retriever is broken", "Alarm at run", "evaluate context_recall EVALUATOR"):
        assert words in ended.stdout
    assert ended.stdout.splitlines()[-1] == f"Report: {report}"
    page = report.read_text(encoding="utf-8")
    for words in ("Alarm at run", "retriever breaks", "Worst runs", "What retrieval misses most"):
        assert words in page


def test_json_holds_figures_and_nothing_else(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    ended = demo("--json", "--report", str(report))
    assert (ended.returncode, ended.stderr) == (0, "")
    figures = json.loads(ended.stdout)
    recall = figures["scores"]["context_recall"]
    assert recall["before"]["mean"] > 0.85
    assert recall["after"]["high"] < recall["before"]["low"]
    assert {scorer: figures["scores"][scorer]["before"]["n"] for scorer in figures["scores"]} == dict.fromkeys(
        ("context_recall", "context_precision", "answer_relevancy", "faithfulness"), 90
    )
    assert figures["broken_from_run"] == 91
    assert 91 < figures["alarm"]["raised_at_run"] <= 130
    assert figures["report"] == str(report)
    assert report.exists()


def test_all_signals_reach_the_collector(tmp_path: Path, collector: Collector) -> None:
    ended = demo("--json", "--report", str(tmp_path / "r.html"), "--otlp", collector.url + "/")
    assert (ended.returncode, ended.stderr) == (0, "")
    spans = collector.spans()
    by_id = {span.span_id: span for span in spans}
    evaluations = [span for span in spans if span.name.startswith("evaluate ")]
    assert len(evaluations) == 520
    assert len(spans) == 520 + 3 * 130
    assert {by_id[span.parent_span_id].name for span in evaluations} == {"answer_question"}
    assert {len(span.links) for span in evaluations} == {1}
    assert sum(record.event_name == "gen_ai.evaluation.result" for record in collector.logs()) == 520
    assert {
        "gen_ai.evaluation.score",
        "spanjudge.score.moments",
        "spanjudge.regression.evidence",
    } <= collector.metrics()


def test_demo_runs_inside_a_program_too() -> None:
    phases: list[str] = []
    arrivals: list[None] = []
    found = run_demo(entered=phases.append, arrived=lambda: arrivals.append(None))
    assert phases == ["works", "broken"]
    assert len(arrivals) == len(found.evaluations) == sum(map(expected_evaluations, ("works", "broken")))
    assert [run.position for run in found.runs] == list(range(WORKING_RUNS + BROKEN_RUNS))
    assert found.trail.alarm is not None
    assert found.moment < found.trail.alarm
    assert found.judge == "embedded"
    roots = [span for span in found.spans if span.parent is None]
    assert {span.name for span in roots} == {"answer_question"}


@pytest.mark.parametrize("status", [401, 403])
def test_collector_that_wants_a_header_is_taken_to_be_there(collector: Collector, status: int) -> None:
    collector.status = status
    signals = telemetry(collector.url)
    signals.loggers.shutdown()
    signals.tracers.shutdown()
    collector.status = 200
    signals.meters.shutdown()
    assert list(collector.bodies) == ["/v1/traces"]


def test_collector_that_knows_no_such_path_is_one_sentence(collector: Collector) -> None:
    collector.status = 404
    with pytest.raises(InputError, match=r"Nothing takes OTLP at http://127.0.0.1:\d+/v1/traces .*Not Found"):
        telemetry(collector.url)


def test_collector_that_is_not_there_is_one_sentence(tmp_path: Path, collector: Collector) -> None:
    url = collector.url
    collector.shutdown()
    collector.server_close()
    ended = demo("--report", str(tmp_path / "r.html"), "--otlp", url)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"spanjudge: Nothing takes OTLP at {url}/v1/traces (given as --otlp; ")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("place", "reason"), [("missing/r.html", "its directory does not exist"), (".", "it is a dir")]
)
def test_report_that_cannot_be_written_is_told_before_the_work(tmp_path: Path, place: str, reason: str) -> None:
    ended = demo("--report", str(tmp_path / place))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert reason in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_judge_that_refuses_the_key_stops_the_demo_after_one_run(tmp_path: Path) -> None:
    with ModelServer(lambda _: Status(401)) as server:
        ended = demo(
            "--report",
            str(tmp_path / "r.html"),
            "--judge",
            "openai/some-model",
            OPENAI_API_KEY="wrong",
            OPENAI_API_BASE=server.url,
        )
    assert ended.returncode == 2
    assert "could not score the first run (judge_auth" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert len(server.requests) < 20
    assert not (tmp_path / "r.html").exists()

"""The whole way with real programs: a retriever breaks, and the right people are told why; another does not."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from e2e.backends.server import eventually
from e2e.backends.stack import Jaeger, Prometheus, alertmanager, collector, jaeger, prometheus
from e2e.backends.webhook import Webhook
from spanjudge.alerts.rule_file import rule_file
from spanjudge.alerts.settings import rule_settings

PROGRAM = Path(__file__).with_name("manual_service.py")
BROKEN, STEADY = "manual-broken", "manual-steady"
RECALL = "context_recall"


@dataclass(frozen=True)
class Scene:
    """What there is to see once both services have been judged, and the alert has arrived."""

    traces: Jaeger
    metrics: Prometheus
    webhook: Webhook
    broken_ns: int


@contextmanager
def _service(to: str, name: str, state: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, PROGRAM, to, name, state], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        yield process
        if process.stdin is not None:
            process.stdin.close()


@pytest.fixture(scope="module")
def scene(backends: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    del backends
    place = tmp_path_factory.mktemp("scene")
    rules = rule_file(
        rule_settings({"by": ["gen_ai.agent.name", "service.name"], "waits": {"SpanjudgeRegression": "1s"}})
    )
    with ExitStack() as held:
        traces = held.enter_context(jaeger(place))
        to = held.enter_context(collector("collector.yaml", place, traces.otlp))
        webhook = held.enter_context(Webhook())
        manager = held.enter_context(alertmanager(place, webhook.url))
        metrics = held.enter_context(prometheus(place / "prometheus", rules, scraped=to.scraped, alertmanager=manager))
        services = [
            held.enter_context(_service(to.otlp, BROKEN, "broken")),
            held.enter_context(_service(to.otlp, STEADY, "works")),
        ]
        said = [[_line(service), _line(service)] for service in services]
        assert [words[1] for words in said] == ["done", "done"]
        eventually(lambda: webhook.alerts("SpanjudgeRegression", scorer=RECALL), "alert at the webhook")
        # As long again as the alert took, for the other service to raise one.
        time.sleep(3)
        yield Scene(traces, metrics, webhook, int(said[0][0]))


def _line(service: subprocess.Popen[str]) -> str:
    assert service.stdout is not None
    line = service.stdout.readline().strip()
    assert line, f"The service ended with {service.poll()}."
    return line


def test_broken_retriever_raises_the_alert_with_its_words(scene: Scene) -> None:
    alert = scene.webhook.alerts("SpanjudgeRegression", scorer=RECALL)[0]
    assert alert["status"] == "firing"
    assert alert["labels"]["service_name"] == BROKEN
    assert (alert["labels"]["agent"], alert["labels"]["severity"]) == ("manual", "critical")
    assert alert["annotations"]["summary"] == "context_recall of manual has fallen below its own past"
    said = r"Over the last 1h its mean is 0\.\d\d\. The evidence that the mean of context_recall is lower"
    assert re.match(said, alert["annotations"]["description"])
    assert alert["annotations"]["runbook_url"].endswith("#spanjudgeregression")


def test_same_service_unbroken_raises_no_alert_at_all(scene: Scene) -> None:
    scores = scene.metrics.value(f'sum(gen_ai_evaluation_score_count{{service_name="{STEADY}"}})')
    assert scores is not None
    assert scores > 500
    told = [alert["labels"] for alert in scene.metrics.alerts()]
    assert [labels for labels in told if labels.get("service_name") != BROKEN] == []


def test_poor_scores_since_the_break_are_found_in_jaeger_under_their_targets(scene: Scene) -> None:
    poor = json.dumps({"gen_ai.evaluation.score.label": "poor"})
    found = scene.traces.search(BROKEN, poor)
    assert found
    since = 0
    for trace in found:
        spans = {span["spanID"]: span for span in trace["spans"]}
        for span in _scores(trace, "poor"):
            # Jaeger makes parent and link to the parent one reference.
            ((trace_id, parent),) = [(found["traceID"], found["spanID"]) for found in span["references"]]
            assert trace_id == trace["traceID"]
            assert spans[parent]["operationName"] == "answer_question"
            assert len(_tags(span)["gen_ai.evaluation.explanation"]) > 20
            since += spans[parent]["startTime"] * 1000 >= scene.broken_ns
    total = sum(len(_scores(trace, "poor")) for trace in found)
    assert since > total / 2


def test_exemplar_of_a_score_leads_to_its_trace(scene: Scene) -> None:
    now = time.time()
    query = f'gen_ai_evaluation_score_bucket{{service_name="{BROKEN}", gen_ai_evaluation_name="{RECALL}"}}'
    exemplars = scene.metrics.exemplars(query, now - 600, now)
    assert exemplars
    for exemplar in exemplars[:3]:
        spans = scene.traces.trace(exemplar["labels"]["trace_id"])
        values = [
            _tags(span)["gen_ai.evaluation.score.value"]
            for span in spans
            if span["operationName"] == f"evaluate {RECALL}"
        ]
        assert [pytest.approx(value, abs=0.005) for value in values] == [float(exemplar["value"])]


def test_recorded_mean_has_fallen_for_the_broken_service_alone(scene: Scene) -> None:
    def mean(service: str) -> float:
        sums = {
            moment: scene.metrics.value(
                f'sum(spanjudge_score_moments_total{{service_name="{service}", gen_ai_evaluation_name="{RECALL}", '
                f'spanjudge_moment="{moment}"}})'
            )
            for moment in ("w", "wx")
        }
        assert sums["w"]
        return (sums["wx"] or 0.0) / sums["w"]

    assert mean(BROKEN) < mean(STEADY) - 0.05


def _scores(trace: dict[str, Any], label: str) -> list[dict[str, Any]]:
    return [span for span in trace["spans"] if _tags(span).get("gen_ai.evaluation.score.label") == label]


def _tags(span: dict[str, Any]) -> dict[str, Any]:
    return {tag["key"]: tag["value"] for tag in span["tags"]}

"""The compose file, without Docker: its schema, every path and port in it, and how its files fit together."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
import yaml

from e2e.backends.stack import CONFIG

COMPOSE: dict[str, Any] = yaml.safe_load((CONFIG / "docker-compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]


def _load(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((CONFIG / name).read_text(encoding="utf-8"))
    return loaded


def _mounts(service: str) -> dict[str, str]:
    """Return what is mounted where: path inside to path beside the compose file."""
    pairs = [volume.split(":") for volume in SERVICES[service]["volumes"]]
    return {inside: outside for outside, inside, *_ in pairs}


def test_compose_file_fits_its_schema() -> None:
    command = ["-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", CONFIG / "docker-compose.yaml"]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("service", SERVICES)
def test_every_image_is_pinned_to_a_release(service: str) -> None:
    assert re.fullmatch(r"[\w./-]+:v?\d+\.\d+\.\d+", SERVICES[service]["image"])


@pytest.mark.parametrize("service", SERVICES)
def test_every_mounted_file_is_there_and_read_only(service: str) -> None:
    for volume in SERVICES[service]["volumes"]:
        outside, _, *mode = volume.split(":")
        if outside in COMPOSE["volumes"]:
            continue
        assert outside.startswith("./")
        assert (CONFIG / outside).exists(), outside
        assert mode == ["ro"]


@pytest.mark.parametrize("service", SERVICES)
def test_configuration_that_a_command_names_is_mounted(service: str) -> None:
    named = re.findall(r"--config(?:\.file)?=(\S+)", " ".join(SERVICES[service].get("command", ())))
    assert set(named) <= set(_mounts(service))
    assert named or service == "grafana"


@pytest.mark.parametrize("service", SERVICES)
def test_every_port_is_open_to_this_machine_alone(service: str) -> None:
    ports = [port.split(":") for port in SERVICES[service]["ports"]]
    assert all(host == "127.0.0.1" and outside == inside for host, outside, inside in ports)


def test_services_find_each_other() -> None:
    collector = SERVICES["otel-collector"]["environment"]
    jaeger = SERVICES["jaeger"]["environment"]
    host, _, port = collector["JAEGER_ENDPOINT"].partition(":")
    assert host in SERVICES
    assert jaeger["JAEGER_OTLP_ENDPOINT"] == f"0.0.0.0:{port}"
    prometheus = _load("prometheus.yaml")
    (scraped,) = prometheus["scrape_configs"][0]["static_configs"][0]["targets"]
    assert scraped.partition(":")[0] in SERVICES
    assert collector["PROMETHEUS_ENDPOINT"].rpartition(":")[2] == scraped.rpartition(":")[2]
    (told,) = prometheus["alerting"]["alertmanagers"][0]["static_configs"][0]["targets"]
    assert told == "alertmanager:9093"
    assert "127.0.0.1:9093:9093" in SERVICES["alertmanager"]["ports"]
    rules = "/etc/prometheus/" + prometheus["rule_files"][0]
    assert _mounts("prometheus")[rules] == "./rules.yaml"


def test_variables_of_a_service_are_those_that_its_configuration_reads() -> None:
    for service, file in (("otel-collector", "collector.yaml"), ("jaeger", "jaeger.yaml")):
        read = set(re.findall(r"\$\{env:(\w+)", (CONFIG / file).read_text(encoding="utf-8")))
        assert set(SERVICES[service]["environment"]) <= read


def test_grafana_opens_the_trace_of_an_exemplar_and_finds_the_dashboards() -> None:
    sources = {source["uid"]: source for source in _load("grafana/datasources.yaml")["datasources"]}
    (destination,) = sources["prometheus"]["jsonData"]["exemplarTraceIdDestinations"]
    assert destination["datasourceUid"] in sources
    # The name that the SDK's exemplars have in OpenMetrics.
    assert destination["name"] == "trace_id"
    for source in sources.values():
        host, port = source["url"].removeprefix("http://").split(":")
        assert f"127.0.0.1:{port}:{port}" in SERVICES[host]["ports"]
    (provider,) = _load("grafana/dashboards.yaml")["providers"]
    assert _mounts("grafana")[provider["options"]["path"]] == "./dashboards"
    assert sorted(path.name for path in (CONFIG / "dashboards").iterdir()) == ["pipeline.json", "quality.json"]


def test_collector_is_the_release_that_the_configurations_were_tested_with() -> None:
    release = SERVICES["otel-collector"]["image"].rpartition(":")[2]
    pinned = (CONFIG.parent / "tests" / "e2e" / "backends" / "collector" / "go.mod").read_text(encoding="utf-8")
    assert f"go.opentelemetry.io/collector/otelcol v{release}\n" in pinned
    for path in CONFIG.glob("collector*.yaml"):
        assert f"Tested with Collector {release.rpartition('.')[0]}." in path.read_text(encoding="utf-8")


def test_collector_is_scraped_at_least_as_often_as_the_sdk_exports_and_grafana_knows_how_often() -> None:
    interval = _load("prometheus.yaml")["global"]["scrape_interval"]
    assert int(interval.removesuffix("s")) <= 60
    source = next(one for one in _load("grafana/datasources.yaml")["datasources"] if one["uid"] == "prometheus")
    assert source["jsonData"]["timeInterval"] == interval

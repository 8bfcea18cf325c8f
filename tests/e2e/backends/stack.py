"""The real backends on free ports, each with the file that collector-config ships for it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml

from e2e.backends.binaries import need
from e2e.backends.server import free_ports, get_json, running

if TYPE_CHECKING:
    from collections.abc import Iterator

CONFIG: Final = Path(__file__).parents[3] / "collector-config"
HOST: Final = "127.0.0.1"
PROMOTED: Final = ["service.name", "service.version", "deployment.environment.name"]


@dataclass(frozen=True)
class Jaeger:
    """Its API, and where it takes OTLP over gRPC."""

    api: str
    otlp: str

    def trace(self, trace_id: str) -> list[dict[str, Any]]:
        """Return the spans of a trace that is there, none otherwise."""
        try:
            return list(get_json(self.api, f"/api/traces/{trace_id}")["data"][0]["spans"])
        except RuntimeError as error:
            if "answered 404" in str(error):
                return []
            raise

    def search(self, service: str, tags: str) -> list[dict[str, Any]]:
        """Return the traces of a service that have the tags (a JSON object) on a span."""
        return list(get_json(self.api, "/api/traces", service=service, tags=tags, limit="200")["data"])


@dataclass(frozen=True)
class Prometheus:
    """Its API."""

    api: str

    def query(self, query: str, at: float | None = None) -> list[dict[str, Any]]:
        """Return the series that a query gives, now or at a Unix time."""
        when = {} if at is None else {"time": str(at)}
        return list(get_json(self.api, "/api/v1/query", query=query, **when)["data"]["result"])

    def value(self, query: str, at: float | None = None) -> float | None:
        """Return the value of a query that gives at most one series."""
        found = self.query(query, at)
        return float(found[0]["value"][1]) if found else None

    def exemplars(self, query: str, start: float, end: float) -> list[dict[str, Any]]:
        """Return the exemplars of the series that a query selects, between two Unix times."""
        found = get_json(self.api, "/api/v1/query_exemplars", query=query, start=str(start), end=str(end))
        return [exemplar for series in found["data"] for exemplar in series["exemplars"]]

    def alerts(self) -> list[dict[str, Any]]:
        """Return the alerts that are pending or firing."""
        return list(get_json(self.api, "/api/v1/alerts")["data"]["alerts"])


@dataclass(frozen=True)
class Collector:
    """Where it takes OTLP over HTTP, and where Prometheus scrapes it."""

    otlp: str
    scraped: str


@contextmanager
def jaeger(directory: Path) -> Iterator[Jaeger]:
    """Run Jaeger."""
    otlp, http, grpc, health = free_ports(4)
    environment = {
        "JAEGER_OTLP_ENDPOINT": f"{HOST}:{otlp}",
        "JAEGER_HTTP_ENDPOINT": f"{HOST}:{http}",
        "JAEGER_GRPC_ENDPOINT": f"{HOST}:{grpc}",
        "JAEGER_HEALTH_ENDPOINT": f"{HOST}:{health}",
    }
    command: list[str | Path] = [need("jaeger"), f"--config={CONFIG / 'jaeger.yaml'}"]
    with running(command, f"http://{HOST}:{http}/api/services", directory / "jaeger.log", environment):
        yield Jaeger(f"http://{HOST}:{http}", f"{HOST}:{otlp}")


@contextmanager
def collector(config: str, directory: Path, jaeger_otlp: str, **environment: str) -> Iterator[Collector]:
    """Run a Collector with one of the shipped files."""
    grpc, http, scraped, health = free_ports(4)
    settings = {
        "OTLP_GRPC_ENDPOINT": f"{HOST}:{grpc}",
        "OTLP_HTTP_ENDPOINT": f"{HOST}:{http}",
        "PROMETHEUS_ENDPOINT": f"{HOST}:{scraped}",
        "HEALTH_ENDPOINT": f"{HOST}:{health}",
        "JAEGER_ENDPOINT": jaeger_otlp,
        "BATCH_TIMEOUT": "100ms",
        **environment,
    }
    command: list[str | Path] = [need("otelcol"), f"--config={CONFIG / config}"]
    with running(command, f"http://{HOST}:{health}", directory / f"{Path(config).stem}.log", settings):
        yield Collector(f"http://{HOST}:{http}", f"{HOST}:{scraped}")


@contextmanager
def alertmanager(directory: Path, webhook: str) -> Iterator[str]:
    """Run Alertmanager with the shipped file, but its message goes to our webhook, at once; yields its address."""
    config = yaml.safe_load((CONFIG / "alertmanager.yaml").read_text(encoding="utf-8"))
    config["route"].update(group_wait="0s", group_interval="1s")
    config["receivers"][0]["webhook_configs"][0]["url"] = webhook
    file = directory / "alertmanager.yaml"
    file.write_text(yaml.safe_dump(config), encoding="utf-8")
    (port,) = free_ports(1)
    command: list[str | Path] = [
        need("alertmanager"),
        f"--config.file={file}",
        f"--storage.path={directory / 'alertmanager'}",
        f"--web.listen-address={HOST}:{port}",
        "--cluster.listen-address=",
    ]
    with running(command, f"http://{HOST}:{port}/-/ready", directory / "alertmanager.log"):
        yield f"{HOST}:{port}"


@contextmanager
def prometheus(
    directory: Path, rules: str, *, scraped: str | None = None, alertmanager: str | None = None, otlp: str | None = None
) -> Iterator[Prometheus]:
    """Run Prometheus with the shipped file, but each second and with the given rules.

    Args:
        directory: For its data.
        rules: Text of the rule file.
        scraped: Address of the Collector.
        alertmanager: Address of the Alertmanager.
        otlp: Take OTLP in, with this translation strategy.
    """
    directory.mkdir(exist_ok=True)
    config = yaml.safe_load((CONFIG / "prometheus.yaml").read_text(encoding="utf-8"))
    config["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    config["alerting"]["alertmanagers"][0]["static_configs"][0]["targets"] = [alertmanager] if alertmanager else []
    config["scrape_configs"][0]["static_configs"][0]["targets"] = [scraped] if scraped else []
    if otlp:
        config["otlp"] = {"translation_strategy": otlp, "promote_resource_attributes": PROMOTED}
    file = directory / "prometheus.yaml"
    file.write_text(yaml.safe_dump(config), encoding="utf-8")
    (directory / "rules.yaml").write_text(rules, encoding="utf-8")
    (port,) = free_ports(1)
    command: list[str | Path] = [
        need("prometheus"),
        f"--config.file={file}",
        f"--storage.tsdb.path={directory / 'data'}",
        f"--web.listen-address={HOST}:{port}",
        "--enable-feature=exemplar-storage",
        "--log.level=warn",
        *(["--web.enable-otlp-receiver"] if otlp else []),
    ]
    with running(command, f"http://{HOST}:{port}/-/ready", directory / "prometheus.log"):
        yield Prometheus(f"http://{HOST}:{port}")

"""MLflow's tracing sends OTLP by itself: to a receiver of ours."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from otlp import Receiver
from stage import Stage


def mlflow_exports(stage: Stage) -> Callable[[], Any]:
    """Point MLflow at a receiver, and return what makes it send at once."""
    receiver = Receiver()
    os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = f"{receiver.url}/v1/traces"
    os.environ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"] = "http/protobuf"
    from mlflow.tracing.provider import provider  # noqa: PLC0415 - it reads the environment

    stage.received = receiver.take
    return lambda: provider.get().force_flush()

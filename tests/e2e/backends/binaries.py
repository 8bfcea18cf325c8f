"""Where install.sh has put the real backends."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final, Literal, TypeAlias

Name: TypeAlias = Literal["otelcol", "jaeger", "prometheus", "promtool", "alertmanager", "amtool", "promtool2"]

BUILT: Final = frozenset({"otelcol", "jaeger", "prometheus", "promtool"})
DEBIAN: Final = {"alertmanager": "prometheus-alertmanager", "amtool": "amtool", "promtool2": "promtool"}
ALL: Final[tuple[Name, ...]] = (
    "otelcol",
    "jaeger",
    "prometheus",
    "promtool",
    "alertmanager",
    "amtool",
    "promtool2",
)


def find(name: Name) -> Path | None:
    """Return a binary, or None where it has not been installed."""
    if name not in BUILT:
        found = shutil.which(DEBIAN[name])
        return Path(found) if found else None
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "spanjudge-backends"
    built = cache / name
    return built if os.access(built, os.X_OK) else None


def missing() -> list[Name]:
    """Return the binaries that are not there."""
    return [name for name in ALL if find(name) is None]


def need(name: Name) -> Path:
    """Return a binary that must be there."""
    found = find(name)
    if found is None:
        message = f"The backend {name!r} is not installed: run tests/e2e/backends/install.sh."
        raise RuntimeError(message)
    return found

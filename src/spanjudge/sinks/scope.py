"""The version that our instrumentation scope bears."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Final

from spanjudge import semconv


def _version() -> str:
    try:
        return version(semconv.SCOPE)
    except PackageNotFoundError:  # run from a source tree that is not installed
        return ""


SCOPE_VERSION: Final = _version()

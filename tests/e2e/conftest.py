from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from e2e.backends.binaries import missing
from e2e.chromium import Chromium, find_chromium

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def browser() -> Iterator[Chromium]:
    program = find_chromium()
    if program is None:
        if os.environ.get("SPANJUDGE_REQUIRE_BROWSER") == "1":
            pytest.fail("SPANJUDGE_REQUIRE_BROWSER is set, but there is no Chromium on this machine.")
        pytest.skip("There is no Chromium on this machine.")
    with Chromium(program) as chromium:
        yield chromium


@pytest.fixture(scope="session")
def backends() -> None:
    """Real backends are installed; without them the test is skipped, or fails where they are required."""
    absent = missing()
    if absent:
        said = f"Not installed: {', '.join(absent)}; run tests/e2e/backends/install.sh."
        if os.environ.get("SPANJUDGE_REQUIRE_BACKENDS") == "1":
            pytest.fail(said)
        pytest.skip(said)

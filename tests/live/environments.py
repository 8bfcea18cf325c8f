"""Environments of the frameworks, kept outside the clone: one for all that can be installed together."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

HERE: Final = Path(__file__).parent
CLONE: Final = HERE.parents[1]
CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "spanjudge-live"
UV: Final = "0.13.9"


@cache
def python_of(name: str) -> Path:
    """Return the interpreter of an environment that has the locked requirements of this name, and spanjudge."""
    lock = HERE / "environments" / f"{name}.txt"
    key = hashlib.sha256(lock.read_bytes() + sys.version.encode()).hexdigest()[:16]
    home = CACHE / f"{name}-{key}"
    python, ready = home / "bin" / "python", home / "ready"
    if not ready.exists():
        shutil.rmtree(home, ignore_errors=True)
        _run(sys.executable, "-m", "venv", "--without-pip", str(home))
        _install(python, "--require-hashes", "-r", str(lock))
        ready.touch()
    with TemporaryDirectory() as folder:
        _run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, str(CLONE))
        _install(python, "--no-deps", "--force-reinstall", *map(str, Path(folder).iterdir()))
    return python


def _install(python: Path, *what: str) -> None:
    _run(_uv(), "pip", "install", "-q", "--python", str(python), *what)


@cache
def _uv() -> str:
    """Find uv, or make it an environment: pip would take ten times as long."""
    near = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    if found := shutil.which("uv", path=near):
        return found
    home = CACHE / f"uv-{UV}"
    program = home / "bin" / "uv"
    if not program.exists():
        shutil.rmtree(home, ignore_errors=True)
        _run(sys.executable, "-m", "venv", str(home))
        _run(str(home / "bin" / "python"), "-m", "pip", "install", "-q", f"uv=={UV}")
    return str(program)


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        message = f"{' '.join(command)}\n{done.stdout}{done.stderr}"
        raise RuntimeError(message)

"""What must hold of any trace: its order of arrival, what arrives beside it, and what never arrives."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assembly_of import Order, from_network, in_process
from captures.corpus import FOLDER, bare_start, full_start, runs_only
from spanjudge.assembly import assemble
from spanjudge.model import RagRun
from spanjudge.sources.file import read_spans
from spanjudge.sources.record import SpanRecord

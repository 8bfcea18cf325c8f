"""Spans of a trace into runs: question, contexts and answer of one call, put together."""

from spanjudge.assembly.assemble import assemble
from spanjudge.assembly.capture import capture_json
from spanjudge.assembly.limits import AssemblyLimits, Closed, Dropped
from spanjudge.assembly.open_traces import OpenTraces
from spanjudge.dialects.plain_mapping import PlainMapping
from spanjudge.dialects.reading import Reading

__all__ = [
    "AssemblyLimits",
    "Closed",
    "Dropped",
    "OpenTraces",
    "PlainMapping",
    "Reading",
    "assemble",
    "capture_json",
]

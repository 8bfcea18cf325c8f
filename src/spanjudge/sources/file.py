"""Files of OTLP/JSON: one export request, or one per line as the Collector's file exporter writes."""

from __future__ import annotations

import gzip
import io
import json
import sys
import zlib
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from spanjudge.sources.otlp import LogOfSpan, SourceError, spans_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanjudge.sources.record import LogPart, SpanRecord

__all__ = ["SourceError", "read_spans"]

MAX_BYTES: Final = 1 << 30
_GZIP_MAGIC: Final = b"\x1f\x8b"


def read_spans(source: str | Path | IO[bytes], *, max_bytes: int = MAX_BYTES) -> list[SpanRecord]:
    """Read all spans of a file; log records that bear a span's id are joined to it.

    Args:
        source: Path, ``"-"`` for standard input, or a stream of bytes. Gzip is recognised by its content.
        max_bytes: Most bytes to read, after unpacking.

    Raises:
        SourceError: Where it cannot be read, or a line of it is no OTLP/JSON.
    """
    if isinstance(source, str | Path):
        if str(source) == "-":
            return _read(sys.stdin.buffer, "standard input", max_bytes)
        try:
            with Path(source).open("rb") as stream:
                return _read(stream, str(source), max_bytes)
        except (OSError, ValueError) as error:
            if isinstance(error, SourceError):
                raise
            reason = (error.strerror if isinstance(error, OSError) else None) or "the path is not usable"
            message = f"{source} cannot be read: {reason}."
            raise SourceError(message) from None
    return _read(source, str(getattr(source, "name", "the stream")), max_bytes)


def _read(stream: IO[bytes], name: str, max_bytes: int) -> list[SpanRecord]:
    spans: list[SpanRecord] = []
    logs: list[LogOfSpan] = []
    for request, where in _requests(_content(stream, name, max_bytes), name):
        some_spans, some_logs = spans_of(request, where)
        spans += some_spans
        logs += some_logs
    return _joined(spans, logs)


def _content(stream: IO[bytes], name: str, max_bytes: int) -> str:
    """Unpack and decode; a file that unpacks beyond the bound is refused, not read in part."""
    try:
        data = stream.read(max_bytes + 1)
        if data.startswith(_GZIP_MAGIC) and len(data) <= max_bytes:
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(max_bytes + 1)
    except (OSError, EOFError, zlib.error) as error:
        message = f"{name} cannot be read: {getattr(error, 'strerror', None) or error}."
        raise SourceError(message) from None
    if len(data) > max_bytes:
        message = f"{name} holds more than {max_bytes} bytes: split it into smaller files."
        raise SourceError(message)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"{name}, line {line} is no UTF-8 text, so it is no OTLP/JSON."
        raise SourceError(message) from None


def _requests(text: str, name: str) -> Iterator[tuple[object, str]]:
    """Parse one JSON value after the other, whether each fills a line or spans many."""
    decoder = json.JSONDecoder()
    position, line, counted = 0, 1, 0
    found = False
    while True:
        while position < len(text) and text[position] in " \t\r\n\x00":
            position += 1
        if position >= len(text):
            break
        line += text.count("\n", counted, position)
        counted = position
        where = f"{name}, line {line}"
        try:
            request, position = decoder.raw_decode(text, position)
        except RecursionError:
            message = f"{where} is nested too deeply to be OTLP/JSON."
            raise SourceError(message) from None
        except ValueError as error:
            line += text.count("\n", counted, error.pos) if isinstance(error, json.JSONDecodeError) else 0
            what = error.msg if isinstance(error, json.JSONDecodeError) else "a number is too long"
            message = (
                f"{name}, line {line} is no JSON ({what}): each line, or the whole file, must be one OTLP request."
            )
            raise SourceError(message) from None
        found = True
        yield request, where
    if not found:
        message = f"{name} is empty: OTLP/JSON was expected."
        raise SourceError(message)


def _joined(spans: list[SpanRecord], logs: list[LogOfSpan]) -> list[SpanRecord]:
    if not logs:
        return spans
    parts: defaultdict[tuple[str, str], list[LogPart]] = defaultdict(list)
    for trace_id, span_id, part in logs:
        parts[trace_id, span_id].append(part)
    return [
        replace(span, logs=tuple(sorted(found, key=lambda part: part.time_ns)))
        if (found := parts.get((span.trace_id, span.span_id)))
        else span
        for span in spans
    ]

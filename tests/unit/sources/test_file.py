from __future__ import annotations

import gzip
import io
import json
from typing import TYPE_CHECKING

import pytest

from spanjudge.sources.file import SourceError, read_spans

if TYPE_CHECKING:
    from pathlib import Path

TRACE = "0af7651916cd43dd8448eb211c80319c"


def request(span_id: str, name: str = "call") -> dict[str, object]:
    return {"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": TRACE, "spanId": span_id, "name": name}]}]}]}


def log(span_id: str, name: str, time: int) -> dict[str, object]:
    record = {"traceId": TRACE, "spanId": span_id, "eventName": name, "timeUnixNano": str(time)}
    return {"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}


ONE, TWO = "1" * 16, "2" * 16


def test_one_request_over_many_lines_is_read(tmp_path: Path) -> None:
    file = tmp_path / "traces.json"
    file.write_text(json.dumps(request(ONE), indent=2), encoding="utf-8")
    assert [span.span_id for span in read_spans(file)] == [ONE]


def test_one_request_a_line_is_read_with_blank_lines_and_a_mark_of_byte_order(tmp_path: Path) -> None:
    file = tmp_path / "traces.jsonl"
    file.write_text(
        "\ufeff\n" + json.dumps(request(ONE)) + "\r\n\n" + json.dumps(request(TWO)) + "\n\n", encoding="utf-8"
    )
    assert [span.span_id for span in read_spans(str(file))] == [ONE, TWO]


def test_gzip_is_known_by_its_content(tmp_path: Path) -> None:
    file = tmp_path / "traces.bin"
    file.write_bytes(gzip.compress(json.dumps(request(ONE)).encode()))
    assert [span.span_id for span in read_spans(file)] == [ONE]


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(request(ONE)).encode())))
    assert [span.span_id for span in read_spans("-")] == [ONE]


def test_log_records_join_their_span_in_the_order_of_time_wherever_they_stand() -> None:
    lines = [log(ONE, "late", 9), request(ONE), log(ONE, "early", 3), log(TWO, "of no span here", 1)]
    (span,) = read_spans(io.BytesIO("\n".join(map(json.dumps, lines)).encode()))
    assert [part.event_name for part in span.logs] == ["early", "late"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the stream is empty"),
        (b" \n", "the stream is empty"),
        (b"{", "the stream, line 1 is no JSON"),
        (json.dumps(request(ONE)).encode() + b'\n{"resourceSpans": [', "the stream, line 2 is no JSON"),
        (b"\n\nhello", "the stream, line 3 is no JSON"),
        (b'{"a": 1}', "the stream, line 1 holds JSON but no OTLP"),
        (b"[" * 200_000, "the stream, line 1 is nested too deeply"),
        (b'{"resourceSpans": ' + b"9" * 6_000 + b"}", "the stream, line 1 is n"),
        (b"{}\n\xff\xfe", "the stream, line 2 is no UTF-8 text"),
        (b"\x1f\x8bbroken", "the stream cannot be read"),
        (gzip.compress(b"{}" * 500)[:-12], "the stream cannot be read"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_with_its_place(content: bytes, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_spans(io.BytesIO(content))
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"nothing\.json cannot be read: No such file or directory\.$"):
        read_spans(tmp_path / "nothing.json")
    with pytest.raises(SourceError, match="cannot be read: Is a directory"):
        read_spans(tmp_path)
    with pytest.raises(SourceError, match="the path is not usable"):
        read_spans("a\x00b")


def test_content_that_unpacks_beyond_the_bound_is_refused() -> None:
    bomb = gzip.compress(b" " * 100_000)
    with pytest.raises(SourceError, match="holds more than 1000 bytes"):
        read_spans(io.BytesIO(bomb), max_bytes=1_000)
    with pytest.raises(SourceError, match="holds more than 10 bytes"):
        read_spans(io.BytesIO(json.dumps(request(ONE)).encode()), max_bytes=10)

"""Data sets of questions: JSON lines, JSON, CSV and Parquet files, and rows in memory."""

from __future__ import annotations

import csv
import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from spanjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_INPUT: Final = ("input", "question", "query", "user_input")
_GROUND_TRUTH: Final = ("ground_truth", "groundTruth", "reference", "expected_output")
_CONTEXT: Final = ("context", "contexts", "retrieved_contexts")
_OUTPUT: Final = ("output", "answer", "response")
_KNOWN: Final = "`input` (or `question`), `ground_truth`, `context`, `output`"
_LIST_COLUMNS: Final = frozenset(_CONTEXT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One question. ``context`` are its retrieved texts, None: not given; ``row`` is the row as it came."""

    input: object
    ground_truth: object = None
    context: tuple[str, ...] | None = None
    output: object = None
    row: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GoldenItem:
    """A question with its reference, and the ids of the documents that hold it."""

    question: str
    ground_truth: str
    ids: tuple[str, ...] = ()


def read_dataset(path: Path) -> list[Item]:
    """Read a data set, its kind told by the file's name: .jsonl, .ndjson, .json, .csv, .tsv, .parquet.

    Raises:
        InputError: Where the file or one of its rows cannot be read; the message names file and line.
    """
    return [item for _, item in _items(path)]


def read_golden(path: Path) -> list[GoldenItem]:
    """Read a golden set: ``question`` and ``ground_truth`` of each row, and the ``ids`` of its documents, if any.

    Raises:
        InputError: As ``read_dataset``, and where a row lacks its question or its reference, or ``ids`` is no list.
    """
    return [_golden(item, where) for where, item in _items(path)]


def _golden(item: Item, where: str) -> GoldenItem:
    if not isinstance(item.input, str) or not item.input.strip():
        message = f"{where}: the question is not a text."
        raise InputError(message)
    truth, ids = item.ground_truth, item.row.get("ids")
    if truth is None or truth == "":
        message = f"{where}: there is no `ground_truth`; each question of a golden set needs one."
        raise InputError(message)
    reference = truth if isinstance(truth, str) else json.dumps(truth, ensure_ascii=False)
    return GoldenItem(item.input, reference, _ids(ids, where))


def _ids(value: object, where: str) -> tuple[str, ...]:
    """Read ids: a list, or in a table a list as JSON or parted by semicolons."""
    if isinstance(value, str):
        value = _parsed(value, f"{where}, column ids") if value.lstrip().startswith("[") else value.split(";")
    if value is None:
        return ()
    if not isinstance(value, (list, tuple)) or not all(isinstance(each, (str, int)) for each in value):
        message = f"{where}: `ids` must be a list of texts, not {type(value).__name__}."
        raise InputError(message)
    return tuple(text for each in value if (text := str(each).strip()))


def item_of(row: object, where: str) -> Item:
    """Make an item of one row.

    Raises:
        InputError: Where the row is no mapping, has no question, or a context that is no list of texts.
    """
    if not isinstance(row, Mapping):
        message = f"{where}: a row must be an object with {_KNOWN}, not {type(row).__name__}."
        raise InputError(message)
    question = _first(row, _INPUT)
    if question is None:
        message = f"{where}: there is no `input` (or `question`); the row has {', '.join(map(str, row)) or 'nothing'}."
        raise InputError(message)
    context = _first(row, _CONTEXT)
    if context is not None and not _is_texts(context):
        message = f"{where}: `context` must be a list of texts, not {type(context).__name__}."
        raise InputError(message)
    return Item(
        input=question,
        ground_truth=_first(row, _GROUND_TRUTH),
        context=None if context is None else tuple(context),
        output=_first(row, _OUTPUT),
        row=row,
    )


def _items(path: Path) -> Iterator[tuple[str, Item]]:
    readers = {
        ".jsonl": _json_lines,
        ".ndjson": _json_lines,
        ".json": _json,
        ".csv": _table,
        ".tsv": _table,
        ".parquet": _parquet,
    }
    reader = readers.get(path.suffix.lower())
    if reader is None:
        message = f"{path}: cannot tell the kind of file by its name; known are {', '.join(readers)}."
        raise InputError(message)
    found = False
    try:
        for where, row in reader(path):
            found = True
            yield where, item_of(row, where)
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or type(error).__name__}."
        raise InputError(message) from error
    except UnicodeDecodeError as error:
        message = f"{path}: is not UTF-8 text (byte {error.start}); save it as UTF-8."
        raise InputError(message) from error
    if not found:
        message = f"{path}: holds no rows."
        raise InputError(message)


def _json_lines(path: Path) -> Iterator[tuple[str, object]]:
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                where = f"{path}, line {number}"
                yield where, _parsed(line, where)


def _json(path: Path) -> Iterator[tuple[str, object]]:
    rows = _parsed(path.read_text(encoding="utf-8-sig"), str(path))
    if not isinstance(rows, list):
        message = f"{path}: must hold a list of objects, not {type(rows).__name__}."
        raise InputError(message)
    for number, row in enumerate(rows, start=1):
        yield f"{path}, row {number}", row


def _table(path: Path) -> Iterator[tuple[str, object]]:
    separator = "\t" if path.suffix.lower() == ".tsv" else ","
    with path.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.DictReader(lines, delimiter=separator, strict=True)
        try:
            for row in reader:
                where = f"{path}, line {reader.line_num}"
                if None in row or None in row.values():
                    message = f"{where}: has not as many fields as the first line; quote texts that hold {separator!r}."
                    raise InputError(message)
                yield where, {name: _cell(name, value, where) for name, value in row.items() if value != ""}
        except csv.Error as error:
            message = f"{path}, line {reader.reader.line_num}: is not CSV: {error}."
            raise InputError(message) from error


def _parquet(path: Path) -> Iterator[tuple[str, object]]:
    try:
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        message = f"{path}: Parquet needs the package pyarrow; install it, or save the data as JSON lines."
        raise InputError(message) from error
    try:
        rows = parquet.read_table(path).to_pylist()
    except ValueError as error:
        message = f"{path}: is not a Parquet file."
        raise InputError(message) from error
    for number, row in enumerate(rows, start=1):
        yield f"{path}, row {number}", row


def _cell(name: str, value: str, where: str) -> object:
    return _parsed(value, f"{where}, column {name}") if name in _LIST_COLUMNS else value


def _parsed(text: str, where: str) -> object:
    try:
        parsed: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = f"{error.msg} at column {error.colno}" if isinstance(error, json.JSONDecodeError) else "too deep"
        message = f"{where}: is not JSON: {reason}."
        raise InputError(message) from error
    return parsed


def _first(row: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((row[name] for name in names if row.get(name) is not None), None)


def _is_texts(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(text, str) for text in value)

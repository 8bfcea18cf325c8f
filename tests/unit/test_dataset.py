from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from spanjudge.dataset import GoldenItem, Item, item_of, read_dataset, read_golden
from spanjudge.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

ROWS = '{"input": "Q1", "ground_truth": "A1", "context": ["c"]}\n\n{"question": "Q2", "groundTruth": {"a": 1}}\n'


def _write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def _facts(items: list[Item]) -> list[tuple[object, object, object]]:
    return [(item.input, item.ground_truth, item.context) for item in items]


@pytest.mark.parametrize("name", ["d.jsonl", "d.ndjson", "D.JSONL"])
def test_json_lines_are_read_with_blank_lines_passed_over(tmp_path: Path, name: str) -> None:
    items = read_dataset(_write(tmp_path, name, ROWS))
    assert _facts(items) == [("Q1", "A1", ("c",)), ("Q2", {"a": 1}, None)]


def test_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    assert read_dataset(_write(tmp_path, "d.jsonl", b"\xef\xbb\xbf" + b'{"input": "Q"}'))[0].input == "Q"
    assert read_dataset(_write(tmp_path, "d.csv", b"\xef\xbb\xbfquestion\nQ\n"))[0].input == "Q"


def test_json_list_is_read(tmp_path: Path) -> None:
    assert _facts(read_dataset(_write(tmp_path, "d.json", '[{"query": "Q", "reference": "A"}]'))) == [("Q", "A", None)]


def test_csv_is_read_with_quoted_lines_and_contexts_as_json(tmp_path: Path) -> None:
    text = 'question,ground_truth,context,note\n"Q\n1",A1,"[""c"", ""d""]",n\nQ2,,,\n'
    items = read_dataset(_write(tmp_path, "d.csv", text))
    assert _facts(items) == [("Q\n1", "A1", ("c", "d")), ("Q2", None, None)]
    assert items[0].row["note"] == "n"


def test_tabs_separate_where_the_name_says_so(tmp_path: Path) -> None:
    assert _facts(read_dataset(_write(tmp_path, "d.tsv", "input\tground_truth\nQ, x\tA\n"))) == [("Q, x", "A", None)]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("d.jsonl", '{"input": "Q"}\n{oops\n', "d.jsonl, line 2: is not JSON: Expecting property name"),
        ("d.jsonl", "[" * 100_000, "d.jsonl, line 1: is not JSON: too deep"),
        ("d.jsonl", '{"input": "Q"}\n\n[1]\n', "d.jsonl, line 3: a row must be an object with `input`"),
        ("d.jsonl", '{"inptu": "Q", "b": 1}\n', r"line 1: there is no `input` \(or `question`\); the row has inptu, b"),
        ("d.jsonl", "{}\n", "the row has nothing"),
        ("d.jsonl", '{"input": "Q", "context": "text"}\n', "line 1: `context` must be a list of texts, not str"),
        ("d.jsonl", '{"input": "Q", "context": [1]}\n', "line 1: `context` must be a list of texts, not list"),
        ("d.jsonl", "\n \n", "d.jsonl: holds no rows"),
        ("d.jsonl", b'{"input": "\xff"}\n', "d.jsonl: is not UTF-8 text"),
        ("d.json", '{"input": "Q"}', "d.json: must hold a list of objects, not dict"),
        ("d.csv", "", "d.csv: holds no rows"),
        ("d.csv", "question,ground_truth\nQ,A\nQ, A, B\n", "d.csv, line 3: has not as many fields as the first line"),
        ("d.csv", "question,ground_truth\nQ\n", "d.csv, line 2: has not as many fields"),
        ("d.csv", 'question\n"Q\n', "d.csv, line 2: is not CSV"),
        ("d.csv", "question,context\nQ,plain\n", "d.csv, line 2, column context: is not JSON"),
        ("d.txt", "Q", "d.txt: cannot tell the kind of file by its name; known are .jsonl"),
    ],
)
def test_bad_file_is_told_with_file_and_line(tmp_path: Path, name: str, text: str | bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_dataset(_write(tmp_path, name, text))


def test_file_that_is_not_there_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.jsonl: cannot be read: No such file"):
        read_dataset(tmp_path / "none.jsonl")


def test_parquet_without_its_package_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(InputError, match="Parquet needs the package pyarrow"):
        read_dataset(tmp_path / "d.parquet")


def test_parquet_is_read_through_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("pyarrow.parquet")
    module.read_table = lambda _path: SimpleNamespace(to_pylist=lambda: [{"question": "Q", "ground_truth": "A"}])
    monkeypatch.setitem(sys.modules, "pyarrow", ModuleType("pyarrow"))
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", module)
    assert _facts(read_dataset(tmp_path / "d.parquet")) == [("Q", "A", None)]

    def refuse(_path: Path) -> None:
        message = "magic bytes not found"
        raise ValueError(message)

    module.read_table = refuse
    with pytest.raises(InputError, match=r"d\.parquet: is not a Parquet file"):
        read_dataset(tmp_path / "d.parquet")


def test_golden_rows_keep_question_reference_and_ids(tmp_path: Path) -> None:
    text = '{"input": "Q1", "ground_truth": "A1", "ids": ["kb-1", 2]}\n{"question": "Q2", "ground_truth": {"a": 1}}\n'
    found = read_golden(_write(tmp_path, "g.jsonl", text))
    assert found == [GoldenItem("Q1", "A1", ("kb-1", "2")), GoldenItem("Q2", '{"a": 1}')]


@pytest.mark.parametrize("cell", ["kb-1;kb-2", " kb-1; kb-2;", '"[""kb-1"", ""kb-2""]"'])
def test_ids_in_a_table_are_parted_by_semicolons_or_a_json_list(tmp_path: Path, cell: str) -> None:
    (item,) = read_golden(_write(tmp_path, "g.csv", f"question,ground_truth,ids\nQ,A,{cell}\n"))
    assert item == GoldenItem("Q", "A", ("kb-1", "kb-2"))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"input": "Q"}', "line 1: there is no `ground_truth`; each question of a golden set needs one"),
        ('{"input": "Q", "ground_truth": ""}', "line 1: there is no `ground_truth`"),
        ('{"input": {"a": 1}, "ground_truth": "A"}', "line 1: the question is not a text"),
        ('{"input": " ", "ground_truth": "A"}', "line 1: the question is not a text"),
        ('{"input": "Q", "ground_truth": "A", "ids": 7}', "line 1: `ids` must be a list of texts, not int"),
    ],
)
def test_golden_row_without_question_or_reference_is_told_with_its_line(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_golden(_write(tmp_path, "g.jsonl", row))


def test_row_in_memory_is_named_by_the_caller() -> None:
    assert item_of({"input": 7, "answer": "A"}, "data[0]").output == "A"
    with pytest.raises(InputError, match=r"data\[3\]: a row must be an object"):
        item_of("Q", "data[3]")

"""PROTOCOL 1: which files are read, their digest, and the checks across rows."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from pytest_retrieval_bench.benchmarks.read import read_samples, samples_sha256
from pytest_retrieval_bench.errors import SamplesError
from tests.benchmarks.rows import arb_row, contextbench_row, write


def ids(*paths: Path) -> list[list[str]]:
    """The ids of the samples, file by file."""
    return [[sample.id for sample in file.samples] for file in read_samples(paths)]


def test_the_digest_of_one_file_is_over_its_raw_bytes(tmp_path: Path) -> None:
    raw = b"\xef\xbb\xbf\r\n" + json.dumps(arb_row()).encode() + b"\r\n"
    path = tmp_path / "s.jsonl"
    path.write_bytes(raw)
    files = read_samples([path])
    assert [file.sha256 for file in files] == [hashlib.sha256(raw).hexdigest()]
    assert samples_sha256(files) == hashlib.sha256(raw).hexdigest()


def test_the_digest_of_several_files_is_over_their_digests_in_reading_order(tmp_path: Path) -> None:
    first, second = write(tmp_path / "b.jsonl", [arb_row(id="1")]), write(tmp_path / "a.jsonl", [arb_row(id="2")])
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (first, second)]
    right = hashlib.sha256(f"{digests[0]}\n{digests[1]}\n".encode()).hexdigest()
    assert samples_sha256(read_samples([first, second])) == right
    assert samples_sha256(read_samples([second, first])) != right


def test_a_directory_is_read_as_its_samples_file_if_it_has_one(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", [arb_row(id="a")])
    write(tmp_path / "samples.jsonl", [arb_row(id="s")])
    assert ids(tmp_path) == [["s"]]


def test_a_directory_is_else_read_as_its_jsonl_files_in_name_order(tmp_path: Path) -> None:
    for name in ("b", "a", "C", "a1"):
        write(tmp_path / f"{name}.jsonl", [arb_row(id=name)])
    (tmp_path / "notes.json").write_text("not a samples file")
    (tmp_path / "below").mkdir()
    write(tmp_path / "below" / "x.jsonl", [arb_row(id="x")])
    assert ids(tmp_path) == [["C"], ["a"], ["a1"], ["b"]]


def test_a_directory_without_a_samples_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text("{}")
    with pytest.raises(SamplesError, match="has no"):
        read_samples([tmp_path])


def test_files_and_directories_are_read_in_the_order_given(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    write(tmp_path / "folder" / "samples.jsonl", [arb_row(id="1"), contextbench_row(instance_id="2")])
    last = write(tmp_path / "a.jsonl", [arb_row(id="3")])
    assert ids(tmp_path / "folder", last) == [["1", "2"], ["3"]]


def test_samples_stand_in_the_order_of_their_rows_unlabelled_ones_too(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [arb_row(id="z"), arb_row(id="y", gold={}), arb_row(id="x")])
    assert ids(path) == [["z", "y", "x"]]


def test_two_rows_of_one_id_in_a_file_are_refused_with_both_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [arb_row(id="1"), arb_row(id="2"), arb_row(id="1", repo="other/repo")])
    with pytest.raises(SamplesError) as refusal:
        read_samples([path])
    assert str(refusal.value) == f"{path}:3: the id '1' was used before, at {path}:1"


def test_two_rows_of_one_id_over_files_and_benchmarks_are_refused_with_both_places(tmp_path: Path) -> None:
    first = write(tmp_path / "1.jsonl", [arb_row(id="same")])
    second = write(tmp_path / "2.jsonl", [contextbench_row(), contextbench_row(instance_id="same")])
    with pytest.raises(SamplesError) as refusal:
        read_samples([first, second])
    assert str(refusal.value) == f"{second}:2: the id 'same' was used before, at {first}:1"


@pytest.mark.parametrize("again", ["s.jsonl", "./s.jsonl", "sub/../s.jsonl", "link.jsonl", "."])
def test_a_file_given_twice_under_any_name_is_refused(tmp_path: Path, again: str) -> None:
    (tmp_path / "sub").mkdir()
    path = write(tmp_path / "s.jsonl", [])
    if again == "link.jsonl":
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "elsewhere" / again).symlink_to(path)
        again = f"elsewhere/{again}"
    with pytest.raises(SamplesError, match="given twice"):
        read_samples([path, tmp_path / again])


def test_a_bad_row_is_refused_with_its_file_line_and_member(tmp_path: Path) -> None:
    good = write(tmp_path / "1.jsonl", [arb_row(id="1")])
    bad = write(tmp_path / "2.jsonl", [arb_row(id="2"), arb_row(id="3", gold=5)])
    with pytest.raises(SamplesError) as refusal:
        read_samples([good, bad])
    assert str(refusal.value) == f"{bad}:2: gold must be an object or be left out, this is a number"


def test_an_absent_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(SamplesError, match=r"absent\.jsonl: cannot be read"):
        read_samples([tmp_path / "absent.jsonl"])


@pytest.mark.parametrize("depth", [1_200, 5_000, 100_000])
def test_a_row_that_nests_too_deeply_is_refused_with_its_line(tmp_path: Path, depth: int) -> None:
    nested = '{"a": ' * depth + "1" + "}" * depth
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(arb_row(query={"a": "HERE"})).replace('"HERE"', nested))
    complaint = ""
    try:
        read_samples([path])
    except (SamplesError, RecursionError) as error:  # pytest takes minutes over the traceback of the latter
        complaint = str(error)
    assert complaint.startswith(f"{path}:1: ")
    assert "deep" in complaint

"""PROTOCOL 2: what lexical arms read; and that indexes of several snapshots do not disturb each other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.index import build
from pytest_retrieval_bench.index.build import IndexBuilder, readable_files
from tests.index.restated import answers, index_of, right_answers, substring, token, whole_word
from tests.index.test_snapshot_index import FILES
from tests.memory_snapshot import MemorySnapshot

MEBIBYTE = 1024 * 1024


@pytest.mark.parametrize(
    ("content", "read"),
    [
        (b"x" * MEBIBYTE, True),
        (b"x" * (MEBIBYTE + 1), False),
        (b"x" * 8191 + b"\0", False),
        (b"x" * 8192 + b"\0", True),
        (b"\0", False),
        (b"", True),
        (b"\xff\xfe\xe9", True),
    ],
    ids=["1 MiB", "over 1 MiB", "NUL at 8 KiB", "NUL after 8 KiB", "NUL alone", "empty", "not UTF-8"],
)
def test_a_file_is_read_up_to_1_mib_and_without_a_nul_in_its_first_8_kib(content: bytes, read: bool) -> None:
    assert tuple(index_of({"a": content, "b": b""}).paths) == (("a", "b") if read else ("b",))


@pytest.mark.parametrize("folder", [".git", ".corvint", ".context-corvint"])
def test_tool_folders_are_left_out_at_any_depth(folder: str) -> None:
    left_out = [f"{folder}/a", f"src/{folder}/a", f"src/{folder}/deep/a"]
    kept = [f"src/{folder}-x/a", f"x{folder}/a", folder, f"src/{folder}"]
    assert set(index_of(dict.fromkeys(left_out + kept, b"x")).paths) == set(kept)


def test_statistics_are_over_all_readable_files_empty_ones_too() -> None:
    index = index_of({"a": b"fooBar baz", "b": b"", "c": b"x-y", "d": b"\0 not read"})
    assert tuple(index.paths) == ("a", "b", "c")
    assert index.lengths.tolist() == [3, 0, 2]
    assert index.mean_length == 5 / 3


def test_what_is_read_comes_with_its_content_in_the_order_of_the_paths() -> None:
    files = {"b": b"2", "a/z": b"1", ".corvint/x": b"no", "c": b"\0", "B": b"3"}
    assert list(readable_files(MemorySnapshot(files))) == [("B", b"3"), ("a/z", b"1"), ("b", b"2")]


@given(FILES, FILES, FILES, st.permutations([0, 1, 2]))
@settings(deadline=None, max_examples=40)
def test_snapshots_indexed_in_turn_answer_right_in_any_order(
    first: dict[str, bytes], second: dict[str, bytes], other: dict[str, bytes], order: list[int]
) -> None:
    builder = IndexBuilder()
    trees = [first, second, other]
    indexes = [
        builder.build(MemorySnapshot(first, commit="1" * 40)),
        builder.build(MemorySnapshot(second, commit="2" * 40)),
    ]
    for number in order[:2]:
        if number < 2:
            assert answers(indexes[number]) == right_answers(trees[number])
    indexes.append(builder.build(MemorySnapshot(other, repo="other/repo")))
    for number in order:
        assert answers(indexes[number]) == right_answers(trees[number])


def test_words_of_a_later_snapshot_are_not_in_an_earlier_one() -> None:
    builder = IndexBuilder()
    first = builder.build(MemorySnapshot({"a": b"same gone"}))
    second = builder.build(MemorySnapshot({"a": b"same fresh-word", "b": b"same gone"}))
    for index, same, fresh in ((second, {"a": 1, "b": 1}, {"a": 1}), (first, {"a": 1}, {})):
        assert token(index, "same") == same
        assert token(index, "fresh") == fresh
        assert whole_word(index, "fresh") == fresh
        assert substring(index, "res") == fresh


@pytest.mark.parametrize("bound", [0, 1, 3])
def test_dropping_the_counts_of_a_repository_changes_no_answer(monkeypatch: pytest.MonkeyPatch, bound: int) -> None:
    monkeypatch.setattr(build, "_MAX_HELD_BYTES", bound)
    builder = IndexBuilder()
    trees = [{"a": b"foo bar", "b": b"Foo-" + str(number).encode()} for number in range(4)]
    indexes = [builder.build(MemorySnapshot(tree)) for tree in trees]
    for index, tree in zip(indexes, trees, strict=True):
        assert answers(index) == right_answers(tree)

"""PROTOCOL 2: where the snapshot of a repository at a commit is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_retrieval_bench.errors import SnapshotError
from pytest_retrieval_bench.snapshots.chunk_file import ChunkFile
from pytest_retrieval_bench.snapshots.directory import Directory
from pytest_retrieval_bench.snapshots.store import OPEN_AT_ONCE, SnapshotStore
from tests.snapshots.worktree import commit_all, make_worktree, write_tree

REPO, COMMIT = "acme/shop", "0123456789abcdef" * 2 + "01234567"
NAME = "shop-0123456789ab"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "corpus").mkdir()
    return tmp_path / "corpus"


def chunk_file(corpus: Path, repo: str = REPO, commit: str = COMMIT, text: str = "x") -> Path:
    path = corpus / repo.replace("/", "__") / f"{commit}.chunks.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"kind": "file", "path": "a.py", "text": text}) + "\n")
    return path


def folder(path: Path) -> Path:
    write_tree(path, {"a.py": b"1"})
    return path


def located(corpus: Path | None, explicit: dict[tuple[str, str], Path] | None = None) -> Path:
    return SnapshotStore(corpus, explicit or {}).locate(REPO, COMMIT)


def test_a_snapshot_named_explicitly_comes_first(corpus: Path, tmp_path: Path) -> None:
    chunk_file(corpus)
    folder(corpus / NAME)
    assert located(corpus, {(REPO, COMMIT): tmp_path / "mine"}) == tmp_path / "mine"


def test_an_explicit_snapshot_of_another_commit_or_repository_does_not_count(corpus: Path, tmp_path: Path) -> None:
    path = chunk_file(corpus)
    others = {(REPO, "f" * 40): tmp_path / "other", ("acme/other", COMMIT): tmp_path / "other"}
    assert located(corpus, others) == path


def test_the_chunk_file_of_the_corpus_comes_second(corpus: Path) -> None:
    folder(corpus / NAME)
    path = chunk_file(corpus)
    assert path == corpus / "acme__shop" / f"{COMMIT}.chunks.jsonl"
    assert located(corpus) == path


@pytest.mark.parametrize("name", [NAME, f"acme__shop__{COMMIT}", "0123456789ab-shop", "x-shop_0123456789ab.d"])
def test_one_directory_with_both_names_in_its_own_comes_third(corpus: Path, name: str) -> None:
    folder(corpus / name)
    folder(corpus / "shop-ffffffffffff")
    folder(corpus / "other-0123456789ab")
    chunk_file(corpus, commit="f" * 40)
    assert located(corpus) == corpus / name


@pytest.mark.parametrize(
    "name", ["shop-0123456789a", "Shop-0123456789ab", "sho-0123456789ab", "deep/shop-0123456789ab"]
)
def test_no_directory_with_both_names_is_refused_with_what_was_looked_for(corpus: Path, name: str) -> None:
    folder(corpus / name)
    with pytest.raises(SnapshotError, match="found none") as refusal:
        located(corpus)
    for part in (REPO, COMMIT, f"{COMMIT}.chunks.jsonl", str(corpus), "0123456789ab", "--rb-snapshot"):
        assert part in str(refusal.value)


def test_a_file_with_both_names_is_no_directory(corpus: Path) -> None:
    (corpus / NAME).write_text("")
    with pytest.raises(SnapshotError, match="found none"):
        located(corpus)


def test_several_directories_are_refused_with_their_count_and_names(corpus: Path) -> None:
    names = [folder(corpus / f"{prefix}{NAME}") for prefix in ("", "a-", "b-")]
    with pytest.raises(SnapshotError, match="found 3: ") as refusal:
        located(corpus)
    for path in names:
        assert str(path) in str(refusal.value)


def test_without_a_corpus_the_refusal_names_each_option() -> None:
    with pytest.raises(
        SnapshotError, match=rf"no snapshot of {REPO} at {COMMIT}.*--rb-corpus.*--rb-snapshot.*--rb-git"
    ):
        located(None)


def test_an_absent_corpus_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(SnapshotError, match="absent: the corpus cannot be listed"):
        located(tmp_path / "absent")


def test_a_chunk_file_and_a_directory_are_opened_as_what_they_are(corpus: Path, tmp_path: Path) -> None:
    chunk_file(corpus, text="x")
    folder(tmp_path / "mine")
    store = SnapshotStore(corpus, {("acme/mine", COMMIT): tmp_path / "mine"})
    chunks, directory = store.open(REPO, COMMIT), store.open("acme/mine", COMMIT)
    assert (type(chunks), chunks.read("a.py")) == (ChunkFile, b"x")
    assert (type(directory), directory.read("a.py")) == (Directory, b"1")
    assert [(one.repo, one.commit) for one in (chunks, directory)] == [(REPO, COMMIT), ("acme/mine", COMMIT)]


def test_an_explicit_snapshot_that_does_not_exist_is_refused_by_name(corpus: Path, tmp_path: Path) -> None:
    chunk_file(corpus)
    store = SnapshotStore(corpus, {(REPO, COMMIT): tmp_path / "absent"})
    with pytest.raises(SnapshotError, match=rf"absent: the snapshot given for {REPO} at {COMMIT} does not exist"):
        store.open(REPO, COMMIT)


def test_two_snapshots_stay_open_and_the_one_used_longest_ago_goes_first(corpus: Path) -> None:
    assert OPEN_AT_ONCE == 2
    for number in range(3):
        chunk_file(corpus, commit=str(number) * 40)
    store = SnapshotStore(corpus, {})
    zero, one = store.open(REPO, "0" * 40), store.open(REPO, "1" * 40)
    assert store.open(REPO, "0" * 40) is zero
    store.open(REPO, "2" * 40)
    assert store.open(REPO, "0" * 40) is zero
    assert store.open(REPO, "1" * 40) is not one


def test_a_closed_store_holds_no_snapshot_and_can_open_them_again(corpus: Path) -> None:
    chunk_file(corpus)
    store = SnapshotStore(corpus, {})
    first = store.open(REPO, COMMIT)
    store.close()
    again = store.open(REPO, COMMIT)
    assert again is not first
    assert again.paths == ("a.py",)


def test_a_refusal_is_remembered_even_if_the_snapshot_turns_up(corpus: Path) -> None:
    store = SnapshotStore(corpus, {})
    with pytest.raises(SnapshotError) as first:
        store.open(REPO, COMMIT)
    chunk_file(corpus)
    with pytest.raises(SnapshotError) as second:
        store.open(REPO, COMMIT)
    assert str(second.value) == str(first.value)


def test_a_refusal_of_one_snapshot_leaves_the_others_usable(corpus: Path) -> None:
    chunk_file(corpus)
    store = SnapshotStore(corpus, {})
    with pytest.raises(SnapshotError):
        store.open(REPO, "f" * 40)
    assert store.open(REPO, COMMIT).paths == ("a.py",)


def test_a_note_is_handed_out_once_however_often_the_snapshot_is_opened(corpus: Path) -> None:
    path = chunk_file(corpus)
    path.write_text(path.read_text() + json.dumps({"kind": "file", "path": "../x", "text": ""}))
    store = SnapshotStore(corpus, {})
    snapshot = store.open(REPO, COMMIT)
    assert snapshot.paths == ("a.py",)
    (note,) = store.new_notes(snapshot)
    assert note.startswith(f"{path}: left out 1 ")
    store.close()
    again = store.open(REPO, COMMIT)
    assert again.paths == ("a.py",)
    assert store.new_notes(again) == []


def test_the_clone_of_a_repository_comes_before_the_corpus_and_after_what_is_named(
    corpus: Path, tmp_path: Path
) -> None:
    commit = make_worktree(tmp_path / "clone", {"a.py": b"from the clone"})
    for one in (commit, COMMIT):
        chunk_file(corpus, commit=one)
    chunk_file(corpus, repo="acme/other")
    store = SnapshotStore(corpus, {(REPO, COMMIT): folder(tmp_path / "mine")}, {REPO: tmp_path / "clone"})
    assert store.open(REPO, commit).read("a.py") == b"from the clone"
    assert store.open(REPO, COMMIT).read("a.py") == b"1"
    assert store.open("acme/other", COMMIT).read("a.py") == b"x"
    assert (store.locate(REPO, commit), store.size(REPO, commit)) == (tmp_path / "clone", 0)


def test_the_corpus_does_not_make_up_for_a_commit_that_the_clone_lacks(corpus: Path, tmp_path: Path) -> None:
    make_worktree(tmp_path / "clone")
    chunk_file(corpus)
    store = SnapshotStore(corpus, {}, {REPO: tmp_path / "clone"})
    with pytest.raises(SnapshotError, match=f"does not hold commit '{COMMIT}'; fetch it"):
        store.open(REPO, COMMIT)


def test_the_snapshots_of_a_clone_share_their_contents(tmp_path: Path) -> None:
    first = make_worktree(tmp_path / "clone", {"a.py": b"kept\n", "b.py": b"1"})
    write_tree(tmp_path / "clone", {"b.py": b"2"})
    second = commit_all(tmp_path / "clone")
    store = SnapshotStore(None, {}, {REPO: tmp_path / "clone"})
    assert store.open(REPO, first).read("a.py") is store.open(REPO, second).read("a.py")

"""A release archive is read as its files would be, and one that is not whole is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from blake3 import blake3
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.errors import ReleaseError
from pytest_retrieval_bench.releases.archive import Archive
from tests.releases.small_release import write_archive, write_checksum

MEMBERS = {"benchmark/x/samples.jsonl": b"{}\n" * 9, "corpus/x/a__b/c.chunks.jsonl": b"12345" * 300_000, "z": b""}


def read(archive: Archive, name: str) -> bytes:
    with archive.open(name) as stream:
        return stream.read()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_archive(tmp_path / "r.tar.zst", MEMBERS)


def test_each_member_has_its_size_and_the_digest_of_its_bytes(path: Path) -> None:
    contents = Archive(path, None).contents()
    assert list(contents) == list(MEMBERS)
    for name, content in MEMBERS.items():
        assert (contents[name].size, contents[name].digest) == (len(content), blake3(content).hexdigest())


@given(st.lists(st.sampled_from(sorted(MEMBERS)), max_size=6))
@settings(deadline=None, max_examples=20)
def test_members_are_read_in_any_order(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    archive = Archive(write_archive(tmp_path_factory.mktemp("archive") / "r.tar.zst", MEMBERS), None)
    assert [read(archive, name) for name in names] == [MEMBERS[name] for name in names]


def test_a_name_with_a_dot_before_it_is_the_same_member(tmp_path: Path) -> None:
    archive = Archive(write_archive(tmp_path / "r.tar.zst", {"./a/b": b"x"}), None)
    assert read(archive, "a/b") == b"x"


def test_a_name_that_is_there_twice_has_the_bytes_that_unpacking_would_leave(tmp_path: Path) -> None:
    archive = Archive(write_archive(tmp_path / "r.tar.zst", {"./a": b"first", "a": b"last"}), None)
    assert read(archive, "a") == b"last"


def test_the_contents_are_kept_and_used_again(path: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    first = Archive(path, kept).contents()
    (file,) = kept.iterdir()
    assert Archive(path, kept).contents() == first
    file.write_bytes(file.read_bytes().replace(b'"size":27', b'"size":26'))
    assert Archive(path, kept).contents()["benchmark/x/samples.jsonl"].size == 26  # it was this file that was read


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"format":0}', b'{"format":1,"sha256":"x","members":{}}'])
def test_damaged_contents_are_found_anew(path: Path, tmp_path: Path, damage: bytes) -> None:
    first = Archive(path, tmp_path / "kept").contents()
    (file,) = (tmp_path / "kept").iterdir()
    file.write_bytes(damage)
    assert Archive(path, tmp_path / "kept").contents() == first


def test_a_folder_that_cannot_be_written_to_stops_nothing(path: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert len(Archive(path, tmp_path / "file" / "kept").contents()) == len(MEMBERS)


def test_an_archive_that_was_written_anew_is_listed_anew(path: Path) -> None:
    archive = Archive(path, None)
    assert read(archive, "z") == b""
    write_archive(path, {"z": b"new"})
    assert read(archive, "z") == b"new"


def test_the_checksum_beside_it_is_held_to(path: Path) -> None:
    write_checksum(path)
    assert Archive(path, None).contents()
    beside = write_checksum(path, "0" * 64)
    with pytest.raises(ReleaseError, match=r"r\.tar\.zst: its SHA-256 is [0-9a-f]{64}, r\.tar\.zst\.sha256 says 0{64}"):
        Archive(path, None).contents()
    beside.write_text("")
    with pytest.raises(ReleaseError, match="says nothing; fetch it again"):
        Archive(path, None).contents()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_a_torn_archive_is_refused(path: Path, share: float) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(ReleaseError, match=r"r\.tar\.zst: is no whole release archive"):
        Archive(path, None).contents()


@pytest.mark.parametrize("content", [b"not compressed at all" * 50, b"\x28\xb5\x2f\xfd" + b"\xff" * 100])
def test_what_is_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "r.tar.zst"
    path.write_bytes(content)
    with pytest.raises(ReleaseError, match="is no whole release archive"):
        Archive(path, None).contents()


def test_contents_that_belong_to_other_bytes_are_noticed_when_a_member_is_read(path: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    Archive(path, kept).contents()
    (file,) = kept.iterdir()
    file.write_bytes(file.read_bytes().replace(b'"size":27', b'"size":26'))
    with pytest.raises(ReleaseError, match="changed while it was read"):
        read(Archive(path, kept), "benchmark/x/samples.jsonl")

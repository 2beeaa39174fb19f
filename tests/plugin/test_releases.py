"""A release as a folder and as an archive: the report is that of the files in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval_bench.suites import bundled_suites, find_suite
from tests.conftest import Run, without_time
from tests.releases.small_release import IDENTITY, members_of, write_archive, write_checksum, write_folders
from tests.small_benchmark import SmallBenchmark


@pytest.fixture
def data(small: SmallBenchmark, tmp_path: Path) -> Path:
    return write_folders(small, tmp_path / "data")


@pytest.fixture
def archive(data: Path, tmp_path: Path) -> Path:
    path = write_archive(tmp_path / f"agent_retrieval_bench_{IDENTITY}.tar.zst", members_of(data))
    write_checksum(path)
    return path


def _files(*folders: Path) -> set[Path]:
    return {path for folder in folders for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("kind", ["folder", "archive"])
def test_a_release_gives_the_report_of_its_files(
    run: Run, small: SmallBenchmark, data: Path, archive: Path, kind: str
) -> None:
    place = data if kind == "folder" else archive
    expected = run(*small.options, output="expected.json")
    found = run(f"--rb-samples={place}", f"--rb-corpus={place}", output="found.json")
    assert found.status == expected.status == 0
    assert without_time(found.report) == without_time(expected.report)
    members = ("samples_sha256", "snapshots", "sample_ids")
    for member in members:
        assert found.report["registration"][member] == expected.report["registration"][member]
    again = run(f"--rb-samples={place}", f"--rb-corpus={place}", output="again.json")
    assert without_time(again.report) == without_time(expected.report)


def test_an_archive_is_read_without_a_cache_and_nothing_is_unpacked(
    run: Run, small: SmallBenchmark, data: Path, archive: Path, temporary_folder: Path
) -> None:
    expected = run(*small.options, output="expected.json")
    before = _files(small.folder, temporary_folder)
    found = run(f"--rb-samples={archive}", f"--rb-corpus={archive}", "--rb-no-cache")
    assert without_time(found.report) == without_time(expected.report)
    packed = [content for content in members_of(data).values() if content]
    new = _files(small.folder, temporary_folder) - before
    assert small.folder / "report.json" in new
    assert [path for path in new if path.read_bytes() in packed] == []


def test_a_wrong_checksum_ends_the_run_before_it_begins(run_plain: Run, archive: Path) -> None:
    write_checksum(archive, "0" * 64)
    finished = run_plain(f"--rb-samples={archive}", f"--rb-corpus={archive}")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "its SHA-256 is" in finished.text
    assert not finished.output.exists()


def test_a_snapshot_that_the_archive_lacks_fails_its_items_alone(
    run: Run, small: SmallBenchmark, data: Path, tmp_path: Path
) -> None:
    members = {name: content for name, content in members_of(data).items() if "acme__clock" not in name}
    archive = write_archive(tmp_path / "part.tar.zst", members)
    finished = run(f"--rb-samples={archive}", f"--rb-corpus={archive}", "--rb-arms=grep")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert finished.report["arms"]["grep"]["errors"] == 2
    assert (
        f"no snapshot of acme/clock at {'a' * 40} in {archive}"
        in finished.report["details"][2]["arms"]["grep"]["error"]
    )


def test_a_torn_archive_as_the_corpus_is_named_by_every_item(
    run_plain: Run, small: SmallBenchmark, archive: Path
) -> None:
    archive.with_name(f"{archive.name}.sha256").unlink()
    archive.write_bytes(archive.read_bytes()[:-40])
    finished = run_plain(f"--rb-samples={small.samples}", f"--rb-corpus={archive}", "--rb-arms=grep")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    errors = [row["arms"]["grep"]["error"] for row in finished.report["details"]]
    assert all("is no whole release archive" in error for error in errors)


def test_a_folder_of_several_releases_must_be_named_more_closely(
    run_plain: Run, small: SmallBenchmark, data: Path
) -> None:
    write_folders(small, data, "v2_other")
    finished = run_plain(f"--rb-samples={data}", f"--rb-corpus={data}")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "holds 2 releases (v2_other, v2_small); name one of its folders" in finished.text


def test_the_corpora_of_several_releases_stand_beside_each_other(
    run_plain: Run, small: SmallBenchmark, data: Path
) -> None:
    write_folders(small, data, "v2_other")
    for file in (data / "corpus" / "v2_other").rglob("*.chunks.jsonl"):
        if "acme__shop" in file.parts:
            file.unlink()
    finished = run_plain(f"--rb-samples={small.samples}", f"--rb-corpus={data / 'corpus'}", "--rb-arms=grep")
    assert finished.status == 0
    assert finished.report["arms"]["grep"]["errors"] == 0


SUITE = """
title = "Small"
release = "v2_small"
[counts]
trace2code = 2
all = {all}
"""


@pytest.mark.parametrize("kind", ["unpacked", "archive in releases", "archive alone"])
def test_a_suite_of_a_release_finds_its_data(
    run: Run, small: SmallBenchmark, data: Path, archive: Path, tmp_path: Path, kind: str
) -> None:
    folder = data if kind == "unpacked" else tmp_path / "elsewhere"
    if kind != "unpacked":
        place = folder / "releases" / IDENTITY if kind == "archive in releases" else folder
        place.mkdir(parents=True)
        archive.rename(place / archive.name)
    (small.folder / "suite.toml").write_text(SUITE.format(all=4), encoding="utf-8")
    finished = run(f"--rb-suite={small.folder}", f"--rb-data={folder}", "--rb-arms=grep")
    assert finished.status == 0
    assert finished.report["samples"] == 4
    assert "Small: 4 samples" in finished.text


def test_data_that_hold_other_numbers_of_samples_are_refused(run_plain: Run, small: SmallBenchmark, data: Path) -> None:
    (small.folder / "suite.toml").write_text(SUITE.format(all=5), encoding="utf-8")
    finished = run_plain(f"--rb-suite={small.folder}", f"--rb-data={data}")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "the samples read are not those of this suite: 4 of all, not 5" in finished.text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rb-suite=agent_retrieval_bench/v2_code2test"], "needs the data of its release; give --rb-data=DIR"),
        (["--rb-suite=agent_retrieval_bench/v2_code2test", "--rb-data=."], "no release v2_code2test in"),
        (["--rb-suite=agent_retrieval_bench/v2_code3test", "--rb-data=."], "did you mean"),
        (["--rb-suite=demo", "--rb-data=."], "--rb-data: it is where the releases of suites lie"),
    ],
)
def test_a_release_that_is_not_there_is_a_usage_error(run_plain: Run, options: list[str], words: str) -> None:
    finished = run_plain(*options)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text


def test_there_is_a_suite_for_each_release_and_each_selective_list() -> None:
    counts = {
        name.rpartition("/")[2]: find_suite(name, Path()).counts["all"]
        for name in bundled_suites()
        if name.startswith("agent_retrieval_bench/")
    }
    assert counts == {
        "v2_code2test": 106,
        "v2_comment2context": 80,
        "v2_trace2code": 101,
        "v2_edit2ripple": 58,
        "v2_abstention": 82,
        "v2_selective_retrieval_balanced": 164,
        "v2_selective_retrieval_natural": 427,
    }

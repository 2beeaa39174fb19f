"""The index cache seen from outside: it saves work, and changes no value."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_retrieval_bench.__main__ import main
from tests.conftest import Run, without_time
from tests.small_benchmark import SmallBenchmark


def _entries(small: SmallBenchmark) -> list[Path]:
    return sorted((small.folder / "cache").glob("*.npz"))


def cached(small: SmallBenchmark) -> list[str]:
    return [*small.options, f"--rb-cache-dir={small.folder / 'cache'}"]


def test_the_report_is_the_same_without_cache_cold_and_warm(run: Run, small: SmallBenchmark) -> None:
    without = run(*small.options, "--rb-no-cache", output="without.json")
    assert not (small.folder / "cache").exists()
    cold = run(*cached(small), output="cold.json")
    assert len(_entries(small)) == 2
    warm = run(*cached(small), output="warm.json")
    assert without_time(without.report) == without_time(cold.report) == without_time(warm.report)


def test_an_unchanged_chunk_file_is_not_parsed_again(
    run_plain: Run, small: SmallBenchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run_plain(*cached(small), output="first.json")

    def parsed(*arguments: object) -> None:
        raise AssertionError("parsed again")

    monkeypatch.setattr("orjson.loads", parsed)
    second = run_plain(*cached(small), output="second.json")
    assert second.status == 0
    assert without_time(first.report) == without_time(second.report)


def test_a_rewrite_in_place_is_seen_whatever_its_size_and_times(run: Run, small: SmallBenchmark) -> None:
    chunk_file = small.chunk_file("acme/shop")
    status = chunk_file.stat()
    before = run(*cached(small), output="before.json").report
    text = chunk_file.read_text(encoding="utf-8")
    chunk_file.write_text(text.replace("totalPrice", "totalPrise"), encoding="utf-8")
    os.utime(chunk_file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert chunk_file.stat().st_size == status.st_size
    after = run(*cached(small), output="after.json").report
    found = [
        next(row for row in report["details"] if row["id"] == "wrong-sum")["arms"]["grep-ident"]["ranked"]
        for report in (before, after)
    ]
    assert found == [["shop/price.py"], []]


@pytest.mark.parametrize("damage", ["torn", "flipped", "foreign", "empty"])
def test_a_damaged_entry_is_built_anew_without_a_word_lost(run: Run, small: SmallBenchmark, damage: str) -> None:
    sound = run(*cached(small), output="sound.json").report
    for path in _entries(small):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 0x10
        damaged = {"torn": data[: len(data) // 2], "flipped": data, "foreign": b"#!/bin/sh\n", "empty": b""}
        path.write_bytes(bytes(damaged[damage]))
    mended = run(*cached(small), output="mended.json")
    assert mended.status == 0
    assert without_time(mended.report) == without_time(sound)


def test_entries_of_two_snapshots_that_are_swapped_are_not_taken(run: Run, small: SmallBenchmark) -> None:
    sound = run(*cached(small), output="sound.json").report
    first, second = _entries(small)
    contents = first.read_bytes(), second.read_bytes()
    first.write_bytes(contents[1])
    second.write_bytes(contents[0])
    assert without_time(run(*cached(small), output="after.json").report) == without_time(sound)


def test_a_cache_that_cannot_be_written_is_a_warning_that_no_filter_turns_into_a_failure(
    run: Run, small: SmallBenchmark
) -> None:
    (small.folder / "cache").write_text("a file, no folder")
    finished = run(*cached(small), "-W", "error")
    assert finished.status == 0
    assert "indexes cannot be kept" in finished.text
    assert "see --rb-cache-dir" in finished.text


def test_a_directory_snapshot_is_kept_by_its_content(run: Run, small: SmallBenchmark) -> None:
    tree = small.corpus / f"clock-{'a' * 12}"
    (tree / "src").mkdir(parents=True)
    (tree / "src" / "zone.ts").write_text("tickClock")
    small.chunk_file("acme/clock").unlink()
    for text, ranked in (("tickClock", ["src/zone.ts"]), ("quietClock", []), ("tickClock", ["src/zone.ts"])):
        (tree / "src" / "zone.ts").write_text(text)
        report = run(*cached(small), output=f"{text}{len(_entries(small))}.json").report
        row = next(row for row in report["details"] if row["id"] == "tick")
        assert row["arms"]["grep-ident"]["ranked"] == ranked
    assert len(_entries(small)) == 3


def test_the_command_says_what_there_is_and_empties_it(
    run_plain: Run, small: SmallBenchmark, capsys: pytest.CaptureFixture[str]
) -> None:
    run_plain(*cached(small))
    folder = str(small.folder / "cache")
    (small.folder / "cache" / "mine.npz").write_text("somebody else's")
    capsys.readouterr()
    assert main(["cache", "--info", "--rb-cache-dir", folder]) == 0
    assert capsys.readouterr().out.startswith(f"{folder}: 2 entries, 0.0 MiB of at most 2048 MiB")
    assert main(["cache", "--clear", "--rb-cache-dir", folder]) == 0
    assert capsys.readouterr().out.startswith(f"{folder}: removed 2 entries")
    assert [path.name for path in (small.folder / "cache").iterdir()] == ["mine.npz"]


def test_the_command_needs_to_be_told_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["cache"])
    assert ended.value.code == 4
    assert "one of the arguments --info --clear is required" in capsys.readouterr().err


def test_by_default_indexes_are_kept_in_the_users_cache_folder(run_plain: Run, small: SmallBenchmark) -> None:
    run_plain(*small.options)
    folder = Path(os.environ["XDG_CACHE_HOME"]) / "pytest-retrieval-bench" / "indexes"
    assert len(list(folder.glob("*.npz"))) == 2
    assert folder.stat().st_mode & 0o777 == 0o700

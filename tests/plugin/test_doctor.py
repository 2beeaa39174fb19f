"""`python -m pytest_retrieval_bench doctor`: its table and its exit status, on files, folders and archives."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_retrieval_bench.__main__ import main
from tests.conftest import Run
from tests.releases.small_release import members_of, write_archive, write_folders
from tests.small_benchmark import CLOCK, COMMIT, ROWS, SHOP, SmallBenchmark

# What a release would have; ids, gold and snapshots are those of the small benchmark.
SOUND = [
    {**row, "candidate_corpus": {"type": "repo_at_base_commit", "base_commit": COMMIT}}
    | {"gold": {**row["gold"], "root_cause_files": row["gold"].get("files", row["gold"].get("root_cause_files"))}}
    for row in ROWS[:3]
]


def doctor(*arguments: object) -> int:
    return main(["doctor", *map(str, arguments)])


def counts(text: str) -> dict[str, list[str]]:
    """What the table says of each check: found, of how many."""
    rows = (line.split("  ") for line in text.splitlines() if " of " in line)
    cells = ([cell.strip() for cell in row if cell.strip()] for row in rows)
    return {row[0]: [cell.removeprefix("of ") for cell in row[1:] if cell != "fatal"][:2] for row in cells}


def test_a_sound_benchmark_ends_with_0(small: SmallBenchmark, capsys: pytest.CaptureFixture[str]) -> None:
    small.write_samples(SOUND)
    assert doctor(small.samples, small.corpus) == 0
    told = capsys.readouterr().out
    assert told.endswith("0 fatal findings in 3 rows\n")
    found = counts(told)
    assert found["schema"] == ["0", "3"]
    assert found["gold file"] == ["0", "3"]
    assert sum(int(found[label][0]) for label in ("hard", "medium", "too_easy_lexical", "too_easy_hint")) == 3


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ({"gold": {"root_cause_files": ["shop/gone.py"]}}, "gold file"),
        ({"query": {"raw_signal": "read shop/price.py please"}}, "leak: gold path"),
        ({"query": {"raw_signal": "x\n--- a/x"}}, "leak: raw patch"),
        ({"base_commit": "b" * 40, "candidate_corpus": None}, "snapshot"),
        ({"id": "cart-test"}, "duplicate id"),
        ({"repo": "shop"}, "schema"),
    ],
)
def test_a_fatal_finding_ends_with_1_and_names_the_row(
    small: SmallBenchmark, capsys: pytest.CaptureFixture[str], change: dict[str, object], check: str
) -> None:
    small.write_samples([SOUND[0], {**SOUND[1], **change}, SOUND[2]])
    assert doctor(small.samples, small.corpus) == 1
    told = capsys.readouterr().out
    assert told.endswith("1 fatal finding in 3 rows\n")
    lines = told.splitlines()
    assert lines[lines.index(f"{check}:") + 1].startswith(f"  {small.samples}:2 ")


def test_a_release_folder_and_its_archive_say_the_same(
    small: SmallBenchmark, capsys: pytest.CaptureFixture[str]
) -> None:
    small.write_samples(SOUND)
    data = write_folders(small, small.folder / "data")
    archive = write_archive(small.folder / "small.tar.zst", members_of(data))
    tables = []
    for samples, corpus in ((data, data), (archive, archive), (small.samples, archive)):
        assert doctor(samples, corpus, f"--rb-cache-dir={small.folder / 'cache'}") == 0
        tables.append(counts(capsys.readouterr().out))
    assert tables[0] == tables[1] == tables[2]


@pytest.mark.parametrize("broken", ["samples", "corpus", "empty"])
def test_what_is_not_there_is_a_refusal(small: SmallBenchmark, capsys: pytest.CaptureFixture[str], broken: str) -> None:
    empty = small.folder / "empty.jsonl"
    empty.write_text("\n")
    samples = {"samples": small.folder / "gone.jsonl", "empty": empty}.get(broken, small.samples)
    assert doctor(samples, small.corpus / "gone" if broken == "corpus" else small.corpus) == 4
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(str(small.corpus / "gone" if broken == "corpus" else samples))


def test_a_torn_chunk_file_is_a_finding_and_the_others_are_read(
    small: SmallBenchmark, capsys: pytest.CaptureFixture[str]
) -> None:
    small.write_samples(SOUND)
    small.chunk_file("acme/clock").write_text('{"kind": "file", "pa')
    assert doctor(small.samples, small.corpus) == 1
    told = capsys.readouterr().out
    assert counts(told)["snapshot"] == ["1", "3"]
    assert counts(told)["gold file"] == ["0", "2"]
    assert counts(told)["invalid_missing_gold"] == ["1", "3"]


def test_the_corpus_is_only_read(small: SmallBenchmark) -> None:
    small.write_samples(SOUND)
    before = members_of(small.folder)
    assert doctor(small.samples, small.corpus, "--all") == 0
    assert members_of(small.folder) == before


def test_hardness_is_that_of_a_run_with_the_lexical_ranker(
    small: SmallBenchmark, run_plain: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = {f"src/part{number}.py": f"def part{number}(): return {number}\n" for number in range(30)}
    small.write_snapshot("acme/shop", {**SHOP, **tree})
    small.write_snapshot("acme/clock", {**CLOCK, **tree})
    small.write_samples(SOUND)
    report = run_plain(*small.options, "--rb-arms=arb:lexical", "--rb-metrics=arb").report
    expected = dict.fromkeys(["hard", "medium", "too_easy_lexical"], 0)
    for row in report["details"]:
        values = row["measures"]["arb:lexical"]["arb"]["values"]
        hard = values["Recall@20"] < 1 or values["MRR"] < 0.25
        expected["hard" if hard else "too_easy_lexical" if values["Recall@5"] == 1 else "medium"] += 1
    capsys.readouterr()
    assert doctor(small.samples, small.corpus) == 0
    found = counts(capsys.readouterr().out)
    assert {label: int(found[label][0]) for label in expected} == expected
    assert expected["hard"]


def test_the_demo_suite_is_sound(capsys: pytest.CaptureFixture[str]) -> None:
    demo = Path(__file__).parents[2] / "benchmark_suites" / "demo"
    assert doctor(demo / "samples.jsonl", demo / "corpus") == 0
    assert counts(capsys.readouterr().out)["snapshot"] == ["0", "70"]

"""`--rb-summarize`: written reports become the one that one run would have given; nothing is collected or run."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CONFORMANCE, LEXICAL, Run, without_time
from tests.small_benchmark import ROWS, SmallBenchmark

REFERENCE = CONFORMANCE / "reference"
PACK = [f"--rb-samples={CONFORMANCE / 'samples.jsonl'}", f"--rb-corpus={CONFORMANCE / 'corpus'}"]
VERBS = "corvint,context,impact,affected"


def summarize(*paths: str | Path) -> list[str]:
    return [f"--rb-summarize={path}" for path in paths]


@pytest.fixture
def parts(run_plain: Run, small: SmallBenchmark) -> list[Path]:
    """The reports of two runs over the small benchmark, of one lexical arm each, and that of both arms."""
    runs = (("one", "grep"), ("two", "bm25:all"), ("both", "grep,bm25:all"))
    return [run_plain(*small.options, f"--rb-arms={arms}", output=f"{name}.json").output for name, arms in runs]


def test_parts_merge_to_what_one_run_gives_and_nothing_is_run(
    run: Run, parts: list[Path], pytester: pytest.Pytester
) -> None:
    pytester.makepyfile(test_own="def test_own():\n    raise SystemExit")
    one, two, both = parts
    finished = run(*summarize(one, two), "test_own.py")
    assert finished.status == 0
    finished.result.assert_outcomes()
    assert without_time(finished.report) == without_time(json.loads(both.read_text()))
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (one, two)]
    assert finished.report["registration"]["source_reports_sha256"] == digests
    assert "silent, natural no-gold" in finished.text
    assert "workers" not in finished.text


def test_a_summary_of_a_summary_and_the_same_file_twice_give_the_same_bytes(run_plain: Run, parts: list[Path]) -> None:
    one, two, _ = parts
    first = run_plain(*summarize(one, two), output="a.json").output
    again = run_plain(*summarize(first), output="b.json").output
    twice = run_plain(*summarize(first, first), output="c.json").output
    doubled = run_plain(*summarize(one, one, two, two), output="d.json").output
    assert first.read_bytes() == again.read_bytes() == twice.read_bytes() == doubled.read_bytes()


def test_parts_by_task_type_count_each_skipped_sample_once(run_plain: Run, small: SmallBenchmark) -> None:
    unlabelled = {"id": "no-label", "task_type": "trace2code", "repo": "acme/shop", "base_commit": "a" * 40}
    lines = small.samples.read_text() + json.dumps(unlabelled) + "\n"
    small.samples.write_text(lines)
    tasks = ("code2test", "trace2code", "abstention")
    paths = [
        run_plain(*small.options, f"--rb-task-type={task}", "--rb-arms=grep", output=f"{task}.json").output
        for task in tasks
    ]
    merged = run_plain(*summarize(*paths), output="merged.json").report
    whole = run_plain(*small.options, "--rb-arms=grep", output="whole.json").report
    assert without_time(merged) == without_time(whole)
    assert merged["skipped"] == {"no_gold_unlabeled": 1}


def test_the_shards_of_a_run_merge_to_the_run_in_any_order(run_plain: Run, small: SmallBenchmark) -> None:
    small.write_samples([ROWS[2], ROWS[0], ROWS[3], ROWS[1]])  # so that the shards alternate
    whole = run_plain(*small.options, "--rb-arms=grep,bm25:all", output="whole.json").report
    one, two = (
        run_plain(*small.options, f"--rb-shard={number}/2", "--rb-arms=grep,bm25:all", output=f"{number}.json").output
        for number in (1, 2)
    )
    for name, sources in (("forth", (one, two)), ("back", (two, one))):
        merged = run_plain(*summarize(*sources), output=f"{name}.json").report
        assert without_time(merged) == without_time(whole)
        assert merged["registration"]["sample_ids"] == whole["registration"]["sample_ids"]
        assert "shard" not in merged["registration"]
    part = run_plain(*summarize(two), output="part.json")
    assert "shard 1 of 2 is not among them; merge it as well" in part.text
    assert run_plain(*summarize(part.output), output="again.json").output.read_bytes() == part.output.read_bytes()
    later = run_plain(*summarize(part.output, one), output="later.json").report
    assert without_time(later) == without_time(whole)


def test_times_of_a_plain_run_that_is_merged_last_are_those_of_a_plain_run(
    run_plain: Run, small: SmallBenchmark
) -> None:
    parallel = Run(run_plain.pytester, ("-n2",))(*small.options, "--rb-arms=grep,bm25:all", output="parallel.json")
    plain = run_plain(*small.options, "--rb-arms=grep", output="plain.json")
    merged = run_plain(*summarize(parallel.output, plain.output), output="merged.json").report
    assert merged["latency"]["bm25:all"]["NOT_APPLICABLE"]["workers"] == 2
    assert "workers" not in merged["latency"]["grep"]["NOT_APPLICABLE"]
    part = run_plain(*small.options, "--rb-arms=grep", "--rb-max-samples=1", output="part.json")
    mixed = run_plain(*summarize(parallel.output, part.output), output="mixed.json").report
    assert mixed["latency"]["grep"]["NOT_APPLICABLE"]["workers"] == 2


def test_more_evidence_may_be_asked_for_of_old_reports(run_plain: Run, small: SmallBenchmark) -> None:
    asked = ["--rb-inference=randomization,holm", "--rb-margin=0.1"]
    whole = run_plain(*PACK, f"--rb-arms={LEXICAL}", "--rb-baseline-arms=grep", *asked, output="whole.json")
    old = run_plain(*PACK, f"--rb-arms={LEXICAL}", "--rb-baseline-arms=grep", output="old.json")
    merged = run_plain(*summarize(old.output), *asked, output="merged.json")
    assert merged.report["inference"] == whole.report["inference"]
    kept = run_plain(*summarize(merged.output), output="kept.json")
    assert kept.output.read_bytes() == merged.output.read_bytes()


def test_an_incomplete_part_is_said_to_be_one_until_another_has_what_it_lacks(
    run_plain: Run, small: SmallBenchmark
) -> None:
    torn = run_plain(*small.options, "-x", "--rb-judge=strict", "--rb-arms=grep", output="torn.json")
    whole = run_plain(*small.options, "--rb-arms=grep", output="whole.json")
    assert torn.report["incomplete"]
    alone = run_plain(*summarize(torn.output), output="alone.json")
    assert alone.status == 0
    assert alone.report["incomplete"] == torn.report["incomplete"]
    assert "report (incomplete): " in alone.text
    assert "incomplete" not in run_plain(*summarize(torn.output, whole.output), output="filled.json").report


def compared(expected: Path, report: Path) -> str:
    """What the conformance pack's own comparison prints."""
    command = [sys.executable, str(CONFORMANCE / "compare.py"), str(expected), str(report), "--canonical"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("sources", [["all"], ["lexical", "corvint"], ["corvint", "lexical"]])
def test_the_reference_tools_reports_merge_to_the_conformance_values(
    run_plain: Run, tmp_path: Path, sources: list[str]
) -> None:
    merged = run_plain(*summarize(*(REFERENCE / f"{name}.json" for name in sources)))
    assert merged.status == 0
    expected = json.loads((CONFORMANCE / "expected.json").read_text(encoding="utf-8"))
    # The reference tool miscounts the query's characters where it holds whole numbers; no report has the query itself.
    told = {row["id"]: row["query_chars"] for row in merged.report["details"]}
    restated = [row["id"] for row in expected["details"] if row["query_chars"] != told[row["id"]]]
    assert len(restated) == 20
    rows = [row | {"query_chars": told[row["id"]]} for row in expected["details"]]
    (tmp_path / "expected.json").write_text(json.dumps(expected | {"details": rows}), encoding="utf-8")
    assert compared(tmp_path / "expected.json", merged.output).startswith("0 differences over ")


@pytest.mark.skipif(shutil.which("git") is None, reason="corvint's arms need Git")
def test_lexical_and_corvint_reports_of_the_conformance_pack_merge_to_the_all_arms_report(run_plain: Run) -> None:
    corvint = f"--rb-corvint={CONFORMANCE / 'bin' / 'corvint'}"
    lexical = run_plain(*PACK, f"--rb-arms={LEXICAL}", output="lexical.json").output
    verbs = run_plain(*PACK, corvint, f"--rb-arms={VERBS}", output="corvint.json").output
    whole = run_plain(*PACK, corvint, output="all.json").report
    merged = run_plain(*summarize(lexical, verbs), output="merged.json")
    assert without_time(merged.report) == without_time(whole)
    for member in ("arms", "baseline_arms", "corvint_sha256", "retrievers", "sample_ids", "unlabelled_ids"):
        assert merged.report["registration"][member] == whole["registration"][member]
    assert compared(CONFORMANCE / "expected.json", merged.output).startswith("0 differences over ")


def changed(path: Path, name: str, **members: Any) -> Path:
    other = path.with_name(name)
    other.write_text(json.dumps(json.loads(path.read_text()) | members))
    return other


def test_reports_that_do_not_belong_together_are_a_usage_error_that_names_both(run: Run, parts: list[Path]) -> None:
    one = parts[0]
    for name, members, words in (
        ("samples.json", {"samples_sha256": "0" * 64}, "they are over different samples"),
        ("limit.json", {"limit": 10}, "they are over different limits, 20 and 10"),
    ):
        other = changed(one, name, **members)
        finished = run(*summarize(one, other))
        assert finished.status == pytest.ExitCode.USAGE_ERROR
        assert f"{one} and {other} cannot be merged: {words}" in finished.text
        assert not finished.output.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rb-summarize=absent.json"], "absent.json: cannot be read as a report: "),
        (
            ["--rb-summarize=one.json", "--rb-limit=5"],
            "it works on written reports and runs nothing; leave out --rb-li",
        ),
        (["--rb-summarize=one.json", "--rb-output=two.json"], "two.json exists; give a new path or remove it"),
        (["--rb-summarize=one.json", "--rb-output=absent/x.json"], "absent is no directory; make it first"),
        (["--rb-summarize=one.json", "--rb-output="], "--rb-output: the value is empty"),
    ],
)
def test_what_cannot_be_done_is_a_usage_error(
    run_plain: Run, parts: list[Path], arguments: list[str], words: str
) -> None:
    finished = run_plain(*arguments, output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text
    assert "Traceback" not in finished.text


def test_without_an_output_the_table_is_all(run: Run, parts: list[Path], pytester: pytest.Pytester) -> None:
    before = sorted(pytester.path.iterdir())
    finished = run(*summarize(parts[2]), output=None)
    assert finished.status == 0
    assert "bm25:all" in finished.text
    assert {path for path in pytester.path.iterdir() if path.suffix == ".json"} == {
        path for path in before if path.suffix == ".json"
    }

"""Each option and ini value: what it does, which of two wins, and the words of each refusal."""

from __future__ import annotations

import os

import pytest

from tests.conftest import Run
from tests.small_benchmark import COMMIT, ROWS, SmallBenchmark


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rb-arms=grepp"], "--rb-arms: unknown arm 'grepp'; did you mean 'grep'? known: grep, grep-ident, bm25:all"),
        (["--rb-limit=0"], "--rb-limit: must be a whole number from 1 to 50, this is '0'"),
        (["--rb-limit=51"], "--rb-limit: must be a whole number from 1 to 50, this is '51'"),
        (["--rb-limit=ten"], "--rb-limit: must be a whole number from 1 to 50, this is 'ten'"),
        (["--rb-max-samples=0"], "--rb-max-samples: must be a whole number from 1 to"),
        (["--rb-judge=strikt"], "--rb-judge: unknown verdict 'strikt'; did you mean 'strict'? known: record, strict"),
        (["--rb-task-type=code2tests"], "--rb-task-type: unknown task type 'code2tests'; did you mean 'code2test'?"),
        (["--rb-snapshot=acme/shop@abc=x"], "'acme/shop@abc=x' is not OWNER/NAME@COMMIT=PATH with a whole commit id"),
        (["--rb-suite=demmo"], "--rb-suite: unknown suite 'demmo'; did you mean 'demo'?"),
        (["--rb-suite=corpus"], "has no suite.toml"),
        (["--rb-samples=absent.jsonl"], "absent.jsonl: cannot be read: No such file or directory"),
        (["--rb-corpus=absent"], "--rb-corpus: "),
        (["--rb-samples=samples.jsonl"], "samples.jsonl: the samples file is given twice"),
    ],
)
def test_what_cannot_be_done_is_a_usage_error(
    run_plain: Run, small: SmallBenchmark, arguments: list[str], words: str
) -> None:
    finished = run_plain(*small.options, *arguments)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text
    assert "Traceback" not in finished.text
    assert list(small.folder.glob("report*")) == []


@pytest.mark.parametrize("option", ["output", "registration", "gate", "gate-report"])
def test_an_output_without_samples_is_a_usage_error(run_plain: Run, option: str) -> None:
    finished = run_plain(f"--rb-{option}=x.json", output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert f"--rb-{option}: there is nothing to measure; give --rb-samples" in finished.text


def test_outputs_that_cannot_be_written_are_refused_before_anything_runs(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.mkdir("taken")
    (small.folder / "link.json").symlink_to("both.json")
    for arguments, words in [
        (["--rb-output=taken"], "is a directory; name a file"),
        (["--rb-output=absent/report.json"], "absent is no directory; make it first"),
        (["--rb-output=both.json", "--rb-registration=both.json"], "is also the report; give another path"),
        (["--rb-output=both.json", "--rb-registration=link.json"], "is also the report; give another path"),
    ]:
        finished = run_plain(*small.options, *arguments, output=None)
        assert finished.status == pytest.ExitCode.USAGE_ERROR
        assert words in finished.text


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_refused(run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    folder = pytester.mkdir("locked")
    folder.chmod(0o555)
    finished = run_plain(*small.options, "--rb-output=locked/report.json", output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "is not writable" in finished.text


def test_the_limit_cuts_rankings_and_leaves_out_deeper_recalls(run: Run, small: SmallBenchmark) -> None:
    report = run(*small.options, "--rb-limit=1", "--rb-arms=grep-ident").report
    assert report["limit"] == 1
    row = next(row for row in report["details"] if row["id"] == "cart-test")
    assert row["arms"]["grep-ident"]["ranked"] == ["shop/cart.py"]
    assert not [name for name in row["metrics"]["grep-ident"] if name.startswith("recall")]
    assert set(report["arms"]["grep-ident"]["intervals"]) == {"hit@1", "selective_success"}


def test_a_snapshot_named_on_the_command_line_wins_over_the_corpus(run: Run, small: SmallBenchmark) -> None:
    other = small.folder / "other.jsonl"
    other.write_text('{"kind": "file", "path": "only.py", "text": "totalPrice"}\n')
    report = run(*small.options, f"--rb-snapshot=acme/shop@{COMMIT}={other}", "--rb-arms=grep-ident").report
    rows = {row["id"]: row["arms"]["grep-ident"]["ranked"] for row in report["details"]}
    assert rows["wrong-sum"] == ["only.py"]
    assert rows["tick"] == ["src/clock.ts"]


def test_the_command_line_wins_over_the_suite_and_the_suite_over_the_ini_file(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeini("[pytest]\nrb_limit = 3\nrb_arms = grep\nrb_judge = strict\nrb_corpus = nowhere")
    suite = 'samples = "samples.jsonl"\ncorpus = "corpus"\nlimit = 7\narms = ["bm25"]\n'
    (small.folder / "suite.toml").write_text(suite)
    from_suite = run("--rb-suite=.", output="suite.json").report
    assert (from_suite["limit"], sorted(from_suite["arms"])) == (7, ["bm25:all", "bm25:ident"])
    from_command_line = run("--rb-suite=.", "--rb-limit=9", "--rb-arms=grep-ident", output="line.json")
    assert (from_command_line.report["limit"], list(from_command_line.report["arms"])) == (9, ["grep-ident"])
    assert from_command_line.status == 1  # the ini file's `strict` judges, and `tick` is a miss


def test_ini_paths_are_relative_to_the_ini_file(run: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nrb_corpus = corpus\nrb_arms = grep, bm25:all\nrb_limit = 5")
    below = pytester.mkdir("below")
    os.chdir(below)
    report = run(f"--rb-samples=..{os.sep}samples.jsonl").report
    assert (report["limit"], list(report["arms"])) == (5, ["bm25:all", "grep"])
    assert report["arms"]["grep"]["errors"] == 0


def test_an_overlooked_ini_file_is_named(run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    project = pytester.mkdir("project")
    (project / "pytest.ini").write_text("[pytest]\nrb_limit = 5\n")
    data = pytester.mkdir("data")
    small.samples.rename(data / "samples.jsonl")
    (pytester.path / "pytest.ini").unlink(missing_ok=True)
    os.chdir(project)
    with_space = run_plain("--rb-samples", data / "samples.jsonl", f"--rb-corpus={small.corpus}", output="a.json")
    assert "write --rb-samples=VALUE (with `=`), or give -c" in with_space.text
    with_sign = run_plain(f"--rb-samples={data / 'samples.jsonl'}", f"--rb-corpus={small.corpus}", output="b.json")
    assert "write --rb-samples" not in with_sign.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('samples = "s"\nlimits = 3', "unknown key 'limits'; did you mean 'limit'?"),
        ('samples = "s"\nlimit = "3"', "limit must be a whole number, this is '3'"),
        ('title = "no samples"', "samples must name a file or a folder"),
        ("samples = 3", "samples must be a string or a list of strings, this is 3"),
        ('samples = "s"\ngates = [3]', "gates must be a string or a list of strings, this is [3]"),
        ("samples = ", "suite.toml: "),
    ],
)
def test_a_suite_that_says_something_else_is_refused(
    run_plain: Run, small: SmallBenchmark, text: str, words: str
) -> None:
    (small.folder / "suite.toml").write_text(text)
    finished = run_plain("--rb-suite=.")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text


def test_a_suites_limit_of_nought_is_refused_like_any_other(run_plain: Run, small: SmallBenchmark) -> None:
    (small.folder / "suite.toml").write_text('samples = "samples.jsonl"\ncorpus = "corpus"\nlimit = 0')
    finished = run_plain("--rb-suite=.")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "must be a whole number from 1 to 50, this is 0" in finished.text


def test_a_suite_may_name_several_samples_files(run: Run, small: SmallBenchmark) -> None:
    small.write_samples(ROWS[:1], "a.jsonl")
    small.write_samples(ROWS[1:], "b.jsonl")
    text = 'title = "Two files"\nsamples = ["b.jsonl", "a.jsonl"]\ncorpus = "corpus"\narms = "grep"\n'
    (small.folder / "suite.toml").write_text(text)
    finished = run("--rb-suite", ".")
    assert [row["id"] for row in finished.report["details"]] == ["wrong-sum", "tick", "nothing-here", "cart-test"]
    assert "retrieval-bench: Two files: 4 samples" in finished.text

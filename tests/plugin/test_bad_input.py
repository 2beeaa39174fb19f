"""Input that hurts: clear words with file and line, nothing lost, nothing written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.small_benchmark import ROWS, SHOP, SmallBenchmark

GOOD = json.dumps(ROWS[0])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{GOOD}\n{GOOD[:40]}", "samples.jsonl:2: not JSON: "),
        (f"{GOOD}\n\n{GOOD}\n", "samples.jsonl:3: the id 'cart-test' was used before, at "),
        ('{"id": "a", "id": "b"}\n', "samples.jsonl:1: the key 'id' stands twice in one object"),
        ('{"id": NaN}\n', "samples.jsonl:1: NaN is not JSON"),
        ("[1]\n", "samples.jsonl:1: a row is a JSON object, this is a list"),
        (GOOD.replace('"id": "cart-test", ', ""), "samples.jsonl:1: id must be a non-empty string, this is absent"),
        (GOOD.replace('"cart-test"', "7"), "samples.jsonl:1: id must be a non-empty string, this is a number"),
        (GOOD.replace("a" * 40, "HEAD"), "base_commit must be 40 or 64 lower-case hex digits, this is 'HEAD'"),
        (GOOD.replace("acme/shop", "shop"), "samples.jsonl:1: repo must be OWNER/NAME, this is 'shop'"),
        (GOOD.replace('"gold": {', '"gold": [], "x": {'), "gold must be an object or be left out, this is a list"),
    ],
)
def test_a_row_that_cannot_be_read_stops_the_run_before_anything_is_written(
    run_plain: Run, small: SmallBenchmark, text: str, words: str
) -> None:
    small.samples.write_text(text, encoding="utf-8")
    finished = run_plain(*small.options, "--rb-task-type=trace2code")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text
    assert "Traceback" not in finished.text
    assert list(small.folder.glob("report*")) == []


def test_a_file_that_is_not_utf8_is_named_with_line_and_byte(run_plain: Run, small: SmallBenchmark) -> None:
    small.samples.write_bytes(GOOD.encode() + b"\n{\xff}")
    finished = run_plain(*small.options)
    assert "samples.jsonl:2: not UTF-8 at byte 2 of the line" in finished.text


def test_mark_line_ends_blank_lines_and_separators_inside_strings_are_read(run: Run, small: SmallBenchmark) -> None:
    rows = [{**ROWS[0], "query": {"pr_title": "add_item\u2028\x85keeps"}}, ROWS[1]]
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    small.samples.write_bytes(b"\xef\xbb\xbf" + "\r\n\r\n \r\n".join(lines).encode() + b"\r\n")
    report = run(*small.options, "--rb-arms=grep-ident").report
    assert [row["id"] for row in report["details"]] == ["cart-test", "wrong-sum"]


def test_a_directory_without_samples_is_a_usage_error(run_plain: Run, small: SmallBenchmark) -> None:
    finished = run_plain(f"--rb-samples={small.corpus}", f"--rb-corpus={small.corpus}")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "the directory has no *.jsonl file" in finished.text


def test_samples_without_any_snapshot_option_are_a_usage_error(run_plain: Run, small: SmallBenchmark) -> None:
    finished = run_plain(f"--rb-samples={small.samples}")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert (
        "there are no snapshots; give --rb-corpus=DIR, --rb-snapshot, --rb-git or a suite with a corpus"
        in finished.text
    )


@pytest.mark.parametrize("option", ["arms", "output", "corpus", "suite"])
def test_an_empty_value_is_a_usage_error(run_plain: Run, small: SmallBenchmark, option: str) -> None:
    finished = run_plain(*small.options, f"--rb-{option}=", output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert f"--rb-{option}: the value is empty" in finished.text


def test_a_wrong_value_is_charged_to_the_file_that_holds_it(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    suite = small.folder / "suite.toml"
    for text, words in [
        ("limit = 99", "suite.toml: limit: must be a whole number from 1 to 50, this is 99"),
        ('arms = "nope"', "suite.toml: arms: unknown arm 'nope'"),
        ('corpus = "nope"', "suite.toml: corpus: "),
    ]:
        corpus = "" if text.startswith("corpus") else 'corpus = "corpus"'
        suite.write_text(f'samples = "samples.jsonl"\n{corpus}\n{text}\n')
        assert words in run_plain("--rb-suite=.").text
    pytester.makeini("[pytest]\nrb_limit = abc")
    assert "tox.ini: rb_limit: must be a whole number from 1 to 50, this is 'abc'" in run_plain(*small.options).text


def test_links_in_a_snapshot_directory_are_neither_followed_nor_answered(run: Run, small: SmallBenchmark) -> None:
    outside = small.folder / "outside.py"
    outside.write_text("totalPrice")
    tree = small.corpus / f"shop-{'a' * 12}"
    for path, text in SHOP.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    (tree / "out.py").symlink_to(outside)
    (tree / "nowhere.py").symlink_to("absent")
    (tree / "loop").symlink_to(".")
    small.chunk_file("acme/shop").unlink()
    report = run(*small.options, "--rb-arms=grep-ident").report
    row = next(row for row in report["details"] if row["id"] == "wrong-sum")
    assert row["arms"]["grep-ident"]["ranked"] == ["shop/price.py"]


@pytest.mark.parametrize("arguments", [["."], []])
def test_what_lies_in_a_snapshot_is_never_run(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester, arguments: list[str]
) -> None:
    tree = small.corpus / f"shop-{'a' * 12}"
    tree.mkdir(parents=True)
    (tree / "conftest.py").write_text(f"open({str(small.folder / 'executed')!r}, 'w').close()")
    (tree / "test_theirs.py").write_text("def test_theirs(): assert False")
    pytester.makeini("[pytest]\nrb_corpus = corpus")
    pytester.makepyfile(test_mine="def test_mine(): pass")
    samples = [f"--rb-samples={small.samples}"] if arguments else []
    finished = run(*samples, *arguments, output=None)
    finished.result.assert_outcomes(passed=17 if arguments else 1)
    assert not (small.folder / "executed").exists()


@pytest.mark.parametrize(
    ("hook", "words"),
    [
        ("return 3", "pytest_retrieval_bench_arms: return a list of arms, this is 3"),
        ("return [Mine]", "is a class; return an instance of it"),
        ("raise OSError('model not found')", "OSError: model not found"),
    ],
)
def test_a_mistake_in_the_arms_hook_is_a_usage_error(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester, hook: str, words: str
) -> None:
    mine = "class Mine:\n    name = 'mine'\n    def answer(self, *a): ...\n"
    pytester.makeconftest(f"{mine}def pytest_retrieval_bench_arms(config):\n    {hook}")
    finished = run_plain(*small.options)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text
    assert "INTERNALERROR" not in finished.text


def test_ten_kilobytes_of_id_travel_whole(run: Run, small: SmallBenchmark) -> None:
    small.write_samples([{**ROWS[0], "id": "x" * 10_000}])
    finished = run(*small.options, "--rb-arms=grep")
    assert finished.report["details"][0]["id"] == "x" * 10_000
    assert max(map(len, finished.result.outlines)) < 400


def test_names_that_differ_in_case_alone_are_two_files(run: Run, small: SmallBenchmark) -> None:
    small.write_snapshot("acme/shop", {"shop/Price.py": "totalPrice", "shop/price.py": "totalPrice totalPrice"})
    report = run(*small.options, "--rb-arms=grep-ident").report
    row = next(row for row in report["details"] if row["id"] == "wrong-sum")
    assert row["arms"]["grep-ident"]["ranked"] == ["shop/price.py", "shop/Price.py"]


def test_equal_scores_are_ordered_by_path_bytes(run: Run, small: SmallBenchmark) -> None:
    names = ["b.py", "B.py", "a/z.py", "a.py", "é.py", "\U0001f600.py", "\uffee.py"]
    small.write_snapshot("acme/shop", dict.fromkeys(names, "totalPrice"))
    report = run(*small.options, "--rb-arms=grep-ident,bm25:ident").report
    row = next(row for row in report["details"] if row["id"] == "wrong-sum")
    ordered = sorted(names, key=str.encode)
    assert [row["arms"][arm]["ranked"] for arm in ("grep-ident", "bm25:ident")] == [ordered, ordered]


def test_no_path_of_a_user_is_needed(run: Run, small: SmallBenchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path("/"))
    finished = run(*small.options, "--rb-arms=grep", "-p", "no:cacheprovider", "--rootdir", small.folder)
    assert finished.status == 0

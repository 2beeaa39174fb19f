"""Commands of the user's own as arms of a run: what they are given, and what becomes of what they print."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run, without_time
from tests.plugin.own_arms import answers, arms_toml, write_arms, write_program, write_programs
from tests.small_benchmark import ROWS, SmallBenchmark

FORMATS: dict[str, tuple[dict[str, str], str]] = {
    "lines": ({}, "print('shop/price.py'); print(os.getcwd() + '/shop/cart.py')"),
    "nul": ({"output": "nul"}, "print('shop/price.py', './shop/cart.py', sep='\\0', end='\\0')"),
    "array": ({}, "print(json.dumps(['shop/price.py', 'shop/../shop/cart.py'], indent=1))"),
    "rows": ({}, 'print(\'{"path": "shop/price.py"}\\n{"path": "shop\\\\\\\\cart.py"}\')'),
    "document": (
        {"results": "$.hits[*].in", "path": "file"},
        "print(json.dumps({'hits': [{'in': {'file': 'shop/price.py'}}, {'in': {'file': 'shop/cart.py'}}]}))",
    ),
}
SEES = """
seen = {"arguments": sys.argv[2:], "stdin": sys.stdin.buffer.read().decode(), "environment": dict(os.environ)}
seen["files"] = [open(path, encoding="utf-8").read() for path in sys.argv[2:] if os.path.isfile(path)]
json.dump(seen, open(os.path.join(os.environ["SEEN"], sys.argv[1]), "w"))
print("shop/price.py")
"""
JSON_TEXT = '{"changed_file": "shop/cart.py", "pr_title": "add_item keeps the order"}'
PLAIN_TEXT = "changed file: shop/cart.py\npr title: add_item keeps the order"
DOCUMENT = {
    "hits": [
        {"file": "shop/price.py", "from": 1, "to": 2, "score": 2},
        {"file": "gone.py", "score": 1.5},
        {"file": "shop/cart.py", "from": 2, "score": 0.5},
    ],
    "usage": {"tokens": 1200},
    "price": 0.25,
}
KEYS = {
    "results": "hits",
    "path": "file",
    "score": "score",
    "start_line": "from",
    "end_line": "to",
    "tokens": "$.usage.tokens",
    "cost": "price",
    "abstained": "unsure",
}


@pytest.fixture
def seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the program of SEES tells, under its first argument, what it was given."""
    monkeypatch.setenv("SEEN", str(tmp_path))
    return tmp_path


def test_each_format_of_the_output_is_the_same_ranking(run: Run, small: SmallBenchmark) -> None:
    small.write_samples([ROWS[0]])
    for name, (_, program) in FORMATS.items():
        write_program(small.folder, name, program)
    option = write_arms(small.folder, {name: {"command": f"./{name}", **keys} for name, (keys, _) in FORMATS.items()})
    finished = run(*small.options, option, f"--rb-arms={','.join(FORMATS)}")
    finished.result.assert_outcomes(passed=len(FORMATS))
    ranked = {name: answer["ranked"] for name, answer in answers(finished.report, "cart-test").items()}
    assert ranked == {name: ["shop/price.py", "shop/cart.py"] for name in FORMATS}


def test_the_query_comes_on_standard_input_as_an_argument_or_as_a_file(
    run: Run, small: SmallBenchmark, seen: Path
) -> None:
    small.write_samples([ROWS[0]])
    write_program(small.folder, "see", SEES)
    arms: dict[str, Any] = {
        "by-input": {"command": "./see by-input"},
        "by-plain-input": {"command": "./see by-plain-input", "query": "plain"},
        "by-argument": {"command": "./see by-argument '{query}' {limit} {repo}"},
        "by-file": {"command": "./see by-file {query_file}", "query": "plain"},
    }
    finished = run(*small.options, write_arms(small.folder, arms), f"--rb-arms={','.join(arms)}", "--rb-limit=7")
    finished.result.assert_outcomes(passed=4)
    given = {name: json.loads((seen / name).read_text()) for name in arms}
    assert [given[name]["stdin"] for name in arms] == [JSON_TEXT, PLAIN_TEXT, "", ""]
    assert given["by-argument"]["arguments"] == [JSON_TEXT, "7", "acme/shop"]
    assert given["by-file"]["files"] == [PLAIN_TEXT]
    assert not Path(given["by-file"]["arguments"][0]).exists()


def test_a_command_cannot_tell_which_sample_it_is_asked_about_nor_how_pytest_runs(
    run: Run, small: SmallBenchmark, seen: Path
) -> None:
    write_program(small.folder, "see", SEES)
    small.write_samples([{**ROWS[0], "id": "the-name-of-the-sample"}])
    run(*small.options, "--rb-command=mine=./see mine '{query}' {query_file}", "--rb-arms=mine")
    text = (seen / "mine").read_text()
    assert "the-name-of-the-sample" not in text
    assert {"PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER"}.isdisjoint(json.loads(text)["environment"])


def test_a_sample_without_a_changed_file_is_skipped_and_an_error_in_the_report(run: Run, small: SmallBenchmark) -> None:
    write_program(small.folder, "find", "print(sys.argv[1])")
    finished = run(*small.options, "--rb-command=mine=./find {changed_file}", "--rb-arms=mine")
    finished.result.assert_outcomes(passed=1, skipped=3)
    assert finished.status == 0
    assert answers(finished.report, "cart-test")["mine"]["ranked"] == ["shop/cart.py"]
    tick = answers(finished.report, "tick")["mine"]
    assert (tick["outcome"], tick["error"]) == ("not applicable", "no changed_file in query")
    assert finished.report["arms"]["mine"]["errors"] == 3


def test_lines_figures_and_unknown_paths_reach_the_report(run: Run, small: SmallBenchmark) -> None:
    small.write_samples([ROWS[0]])
    option = write_programs(small.folder, {"mine": f"print({json.dumps(DOCUMENT)!r})"}, **KEYS)
    answer = answers(run(*small.options, option, "--rb-arms=mine").report, "cart-test")["mine"]
    assert answer["ranked"] == ["shop/price.py", "gone.py", "shop/cart.py"]
    assert answer["lines"] == [[1, 2], None, [2, 2]]
    assert answer["figures"] == {"cost": 0.25, "tokens": 1200, "unknown_paths": 1}
    assert answer["packet_bytes"] == len(json.dumps(DOCUMENT)) + 1
    assert answer["outcome"] == "answered"


def test_what_a_command_does_not_tell_is_absent(run_plain: Run, small: SmallBenchmark) -> None:
    small.write_samples([ROWS[0]])
    option = write_programs(
        small.folder, {"mine": 'print(\'{"hits": [{"file": "shop/cart.py", "score": 1}]}\')'}, **KEYS
    )
    answer = answers(run_plain(*small.options, option, "--rb-arms=mine").report, "cart-test")["mine"]
    assert answer["figures"] == {"unknown_paths": 0}
    assert {"lines", "index", "state", "top_score"}.isdisjoint(answer)


def test_scores_stand_beside_the_paths_of_a_miss(run_plain: Run, small: SmallBenchmark) -> None:
    small.write_samples([ROWS[0]])
    option = write_programs(small.folder, {"mine": f"print({json.dumps(DOCUMENT)!r})"}, **KEYS)
    finished = run_plain(*small.options, option, "--rb-arms=mine", "--rb-judge=strict")
    finished.result.assert_outcomes(failed=1)
    finished.result.stdout.fnmatch_lines(
        ["mine found no gold in the 3 files that it ranked: *", "*1  shop/price.py  (2)", "*2  gone.py  (1.5)"]
    )


def test_a_command_may_abstain_and_keep_its_ranking(run: Run, small: SmallBenchmark) -> None:
    said = json.dumps({"hits": [{"file": "shop/cart.py", "score": 1}], "unsure": True})
    report = run(*small.options, write_programs(small.folder, {"mine": f"print({said!r})"}, **KEYS), "--rb-arms=mine")
    answer = answers(report.report, "cart-test")["mine"]
    assert (answer["outcome"], answer["abstained"], answer["ranked"]) == ("abstained", True, ["shop/cart.py"])


def test_only_unknown_paths_are_an_error_that_says_so(run: Run, small: SmallBenchmark) -> None:
    small.write_samples([ROWS[0]])
    option = write_programs(small.folder, {"mine": "print(os.getcwd() + '/gone.py')"})
    finished = run(*small.options, option, "--rb-arms=mine")
    finished.result.assert_outcomes(failed=1)
    answer = answers(finished.report, "cart-test")["mine"]
    assert (answer["outcome"], answer["ranked"]) == ("error", [])
    assert answer["error"] == (
        "none of the 1 paths is a file of the snapshot; the first is '{root}/gone.py'; "
        "paths must be relative to the root of the repository"
    )
    assert finished.report["details"][0]["metrics"]["mine"]["hit@k"] == 0


def test_the_report_is_the_same_however_it_is_run(pytester: pytest.Pytester, small: SmallBenchmark) -> None:
    write_program(small.folder, "index", "open('names.idx', 'w').write('shop/price.py')")
    write_program(small.folder, "find", "print(open('names.idx').read())")
    write_program(small.folder, "fail", "sys.exit(f'cannot read {os.getcwd()}/a.db')")
    write_program(small.folder, "none", "")
    option = write_arms(
        small.folder,
        {
            "indexed": {"command": "./find", "index": "./index"},
            "failing": {"command": "./fail"},
            "silent": {"command": "./none {root}"},
        },
    )
    modes: list[tuple[str, ...]] = [(), ("-n0",), ("-n2",)]
    reports = [
        Run(pytester, mode)(*small.options, option, output=f"report{number}.json").report
        for number, mode in enumerate(modes)
    ]
    assert without_time(reports[0]) == without_time(reports[1]) == without_time(reports[2])
    assert {arm: section["errors"] for arm, section in reports[0]["arms"].items() if section["errors"]} == {
        "failing": 4,
        "indexed": 2,
    }


INDEX = """
open(os.path.join(os.environ["SEEN"], "built"), "a").write("built ")
open("names.idx", "w").write("shop/price.py" if os.path.exists("shop") else "src/zone.ts")
"""


def test_an_index_is_built_once_a_snapshot_in_a_copy_of_its_own_and_its_cost_is_in_each_answer(
    run: Run, small: SmallBenchmark, seen: Path
) -> None:
    write_program(small.folder, "index", INDEX)
    write_program(small.folder, "find", "print(open('names.idx').read())")
    write_program(small.folder, "look", "print('shop/cart.py' if os.path.exists('names.idx') else '')")
    option = write_arms(small.folder, {"a": {"command": "./find", "index": "./index"}, "b": {"command": "./look"}})
    finished = run(*small.options, option, "--rb-arms=a,b")
    finished.result.assert_outcomes(passed=8)
    rows = {row["id"]: row["arms"] for row in finished.report["details"]}
    assert [rows[name]["a"]["ranked"] for name in rows] == [["shop/price.py"]] * 2 + [["src/zone.ts"]] * 2
    assert [rows[name]["a"]["index"]["bytes"] for name in rows] == [13, 13, 11, 11]
    assert all(0 < rows[name]["a"]["index"]["wall_ms"] < 60_000 for name in rows)
    assert {rows[name]["b"]["outcome"] for name in rows} == {"abstained"}
    assert not any("index" in rows[name]["b"] for name in rows)
    workers = 2 if run.mode == ("-n2",) else 1
    assert 2 <= len((seen / "built").read_text().split()) <= 2 * workers


def test_an_index_that_takes_too_long_is_a_timeout_of_each_question(run_plain: Run, small: SmallBenchmark) -> None:
    write_program(small.folder, "index", "time.sleep(100)")
    write_program(small.folder, "find", "")
    mine = {"command": "./find", "index": "./index", "index_timeout": 0.3}
    finished = run_plain(*small.options, write_arms(small.folder, {"mine": mine}), "--rb-arms=mine")
    finished.result.assert_outcomes(failed=4)
    found = [row["arms"]["mine"] for row in finished.report["details"]]
    assert {(answer["outcome"], answer["error"]) for answer in found} == {
        ("timeout", "index: it had not ended after 0.3 s")
    }


def test_arms_of_a_suite_of_a_file_and_of_one_liners_run_beside_the_built_in_ones(
    run: Run, small: SmallBenchmark
) -> None:
    small.write_samples([ROWS[0]])
    write_program(small.folder, "find", "print('shop/price.py')")
    suite = 'title = "Shop"\nsamples = "samples.jsonl"\ncorpus = "corpus"\n'
    (small.folder / "suite.toml").write_text(suite + arms_toml({"of-suite": {"command": "./find"}}))
    option = write_arms(small.folder, {"of-file": {"command": "./find"}})
    finished = run(f"--rb-suite={small.folder}", option, "--rb-command=of-line=./find")
    finished.result.assert_outcomes(passed=7)
    assert finished.report["registration"]["arms"][4:] == ["of-file", "of-line", "of-suite"]
    assert list(finished.report["paired"]["all"]) == ["of-file", "of-line", "of-suite"]


def test_the_ini_file_may_name_the_arms_file_and_the_arms(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    write_programs(small.folder, {"mine": "print('shop/price.py')", "other": ""})
    pytester.makeini("[pytest]\nrb_arms_file = arms.toml\nrb_arms = mine, grep\n")
    finished = run(*small.options)
    assert finished.report["registration"]["arms"] == ["grep", "mine"]
    header = next(line for line in finished.result.outlines if line.startswith("retrieval-bench:"))
    assert "; arms grep, mine; not run " in header
    assert "not run grep-ident, bm25:all, bm25:ident, other (not selected); " in header

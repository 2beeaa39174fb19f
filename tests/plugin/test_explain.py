"""`--rb-explain`: why arms ranked what they did for one sample, asked now or read from reports; no test is run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import Finished, Run
from tests.corvint_program import write_corvint
from tests.small_benchmark import ROWS, SmallBenchmark

ARM = """\
from pytest_retrieval_bench import Answer, Evidence

class Mine:
    def __init__(self, name):
        self.name = name
    def answer(self, query, snapshot, limit):
        print("asked", self.name)
        return [("shop/price.py", 2.5), ("shop/cart.py", 1)]
"""
EXPLAIN = "    def explain(self, query, snapshot, answer, paths):\n"
HOOK = "def pytest_retrieval_bench_arms(config):\n    return [Mine('one'), Mine('two')]\n"


def shown(finished: Finished) -> list[str]:
    """The lines from the sample on."""
    lines = finished.result.outlines
    start = next(number for number, line in enumerate(lines) if "= retrieval benchmark: why =" in line)
    return lines[start + 1 : -1]


def section(finished: Finished, arm: str) -> list[list[str]]:
    """The cells of an arm's table; its first row is the line about the arm."""
    lines = shown(finished)
    start = next(number for number, line in enumerate(lines) if line.startswith(f"{arm}: "))
    end = next((number for number, line in enumerate(lines[start:], start) if not line), len(lines))
    return [re.split(r" {2,}", line.strip()) for line in lines[start:end]]


def test_each_arm_says_what_it_found_and_nothing_is_run_or_written(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makepyfile(test_own="def test_own():\n    raise SystemExit")
    before = sorted(small.folder.rglob("*"))
    finished = run(*small.options, "--rb-explain=wrong-sum", "test_own.py", output=None)
    assert finished.status == 0
    finished.result.assert_outcomes()
    assert sorted(path for path in small.folder.rglob("*") if path.suffix == ".json") == []
    assert set(before) <= set(small.folder.rglob("*"))
    assert shown(finished)[:4] == [
        "wrong-sum: trace2code, acme/shop at aaaaaaaaaaaa",
        "query:",
        "  raw signal: totalPrice is wrong",
        "gold: shop/price.py",
    ]
    assert section(finished, "grep-ident")[1:] == [
        ["rank", "score", "file", "mark", "because"],
        ["1", "1", "shop/price.py", "gold", "totalPrice 1 (1x)"],
    ]
    for arm in ("grep", "bm25:all", "bm25:ident"):
        (about,), _, best, *_ = section(finished, arm)
        assert about.startswith(f"{arm}: answered; ranked ")
        assert best[2:4] == ["shop/price.py", "gold"]


def test_what_bm25_says_of_a_term_is_its_weight_times_its_share(run_plain: Run, small: SmallBenchmark) -> None:
    small.write_snapshot("acme/shop", {"shop/price.py": "price price", "b.py": "x y"})
    finished = run_plain(*small.options, "--rb-explain=wrong-sum", "--rb-arms=bm25:ident", output=None)
    # ln(1 + (2 - 1 + 0.5) / (1 + 0.5)) = 0.693; both files hold two tokens: 2 * 2.2 / (2 + 1.2) = 1.375.
    row = ["1", "0.953077", "shop/price.py", "gold", "price 0.953 = 0.693 * 1.375 (2x)"]
    assert section(finished, "bm25:ident")[2:] == [row]


def test_gold_below_the_limit_and_gold_without_a_rank_are_shown(run_plain: Run, small: SmallBenchmark) -> None:
    gold = {"root_cause_files": ["README.md", "shop/price.py", "absent.py"]}
    query = {"raw_signal": "cart item"}
    small.write_samples([{**ROWS[1], "query": query, "gold": gold}])
    finished = run_plain(*small.options, "--rb-explain=wrong-sum", "--rb-arms=grep", "--rb-limit=1", output=None)
    (about, *_), _, *rows = section(finished, "grep")
    assert "; ranked 3, limit 1; gold within the limit 0 of 3; best gold rank 3; " in about
    assert [row[:1] + row[2:4] for row in rows] == [
        ["1", "shop/cart.py", "cart 2 (2x, in path); item 1 (3x)"],
        ["-", "README.md", "gold"],
        ["3", "shop/price.py", "gold"],
        ["-", "absent.py", "gold, not in the snapshot"],
    ]
    assert rows[1][-1] == "nothing matches"


def test_given_files_are_named_as_taken_out(run_plain: Run, small: SmallBenchmark) -> None:
    small.write_samples([{**ROWS[0], "gold": {**ROWS[0]["gold"], "given_files": ["shop/cart.py"]}}])
    finished = run_plain(*small.options, "--rb-explain=cart-test", "--rb-arms=grep", output=None)
    assert "given, not scored: shop/cart.py" in shown(finished)
    assert "; given, taken out: shop/cart.py; " in section(finished, "grep")[0][0]
    assert "shop/cart.py" not in [row[2] for row in section(finished, "grep")[1:]]
    assert ["shop/price.py", "hard negative"] in [row[2:4] for row in section(finished, "grep")]


def test_with_v_every_reason_is_shown(run_plain: Run, small: SmallBenchmark) -> None:
    words = "alpha beta gamma delta epsilon zeta eta theta"
    small.write_snapshot("acme/shop", {"shop/price.py": words})
    small.write_samples([{**ROWS[1], "query": {"raw_signal": words}}])
    ask = [*small.options, "--rb-explain=wrong-sum", "--rb-arms=grep"]
    assert section(run_plain(*ask, output=None), "grep")[2][-1].endswith("; eta 1 (4x); 3 more 3")
    assert "theta 1 (1x)" in section(run_plain(*ask, "-v", output=None), "grep")[2][-1]


def test_a_report_is_explained_as_far_as_it_holds_the_answers(run: Run, run_plain: Run, small: SmallBenchmark) -> None:
    arms = ("grep", "grep-ident")
    reports = [run_plain(*small.options, f"--rb-arms={arm}", output=f"{arm}.json").output for arm in arms]
    asked = run_plain(*small.options, "--rb-explain=wrong-sum", f"--rb-arms={','.join(arms)}", output=None)
    stored = run(*(f"--rb-summarize={report}" for report in reports), "--rb-explain=wrong-sum", output=None)
    assert stored.status == 0
    for arm in arms:
        (about,), head, *rows = section(stored, arm)
        assert "; no score given; no reasons given; " in about
        assert head == ["rank", "file", "mark"]
        assert rows == [[row[0], *row[2:4]] for row in section(asked, arm)[2:]]
    assert "query:" not in shown(stored)


def test_a_verb_of_corvint_shows_its_evidence_and_leaves_nothing_behind(
    run_plain: Run, small: SmallBenchmark, temporary_folder: Path
) -> None:
    row = "{'path': 'shop/price.py', 'reason': 'defines totalPrice', 'line': 1}"
    awkward = (
        f"if verb == 'query':\n    emit({{'context': {{'state': 'READY', 'results': [{{'evidence': [{row}]}}]}}}})"
    )
    option = f"--rb-corvint={write_corvint(small.folder / 'corvint', awkward)}"
    finished = run_plain(*small.options, option, "--rb-explain=wrong-sum", "--rb-arms=corvint,impact", output=None)
    assert finished.status == 0
    assert section(finished, "corvint")[2] == ["1", "shop/price.py", "gold", "defines totalPrice (line 1)"]
    assert section(finished, "impact")[0][0].startswith("impact: not applicable: ")
    assert list(temporary_folder.glob("*/*")) == []


def test_an_arm_of_ones_own_may_say_why(run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester) -> None:
    said = "{'shop/price.py': [Evidence('near', 1.5), Evidence('named', 1, in_path=True)], 'shop/cart.py': []}"
    pytester.makeconftest(f"{ARM}{EXPLAIN}        return {said}\n{HOOK}")
    finished = run_plain(*small.options, "--rb-explain=wrong-sum", "--rb-arms=one", output=None)
    assert section(finished, "one")[2:] == [
        ["1", "2.5", "shop/price.py", "gold", "near 1.500; named 1 (in path)"],
        ["2", "1", "shop/cart.py", "-"],
    ]


def test_an_arm_that_does_not_say_why_shows_its_scores(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(ARM + HOOK)
    finished = run_plain(*small.options, "--rb-explain=wrong-sum", "--rb-arms=one", output=None)
    assert finished.status == 0
    assert section(finished, "one")[1:] == [
        ["rank", "score", "file", "mark"],
        ["1", "2.5", "shop/price.py", "gold"],
        ["2", "1", "shop/cart.py"],
    ]


def test_no_arm_hears_of_gold_before_all_have_answered(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    explain = (
        "    def explain(self, query, snapshot, answer, paths):\n        print('told', *paths)\n        return {}\n"
    )
    pytester.makeconftest(ARM + explain + HOOK)
    finished = run_plain(*small.options, "--rb-explain=tick", "--rb-arms=one,two", "-s", output=None)
    lines = [line for line in finished.result.outlines if line.startswith(("asked", "told"))]
    paths = "shop/price.py shop/cart.py src/zone.ts"
    assert lines == ["asked one", "asked two", f"told {paths}", f"told {paths}"]


@pytest.mark.parametrize(
    ("body", "words"),
    [("raise KeyError('gone')", "KeyError: 'gone'"), ("return ['x']", "TypeError: explain returned list;")],
)
def test_reasons_that_cannot_be_had_are_said_and_the_run_is_red(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester, body: str, words: str
) -> None:
    pytester.makeconftest(f"{ARM}{EXPLAIN}        {body}\n{HOOK}")
    finished = run_plain(*small.options, "--rb-explain=wrong-sum", "--rb-arms=one,grep", output=None)
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    assert f"no reasons: {words}" in finished.text
    assert section(finished, "grep")[2][2] == "shop/price.py"


def test_an_arm_that_fails_is_shown_with_its_error(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(ARM.replace('print("asked", self.name)', "raise OSError('no such luck')") + HOOK)
    finished = run_plain(*small.options, "--rb-explain=wrong-sum", "--rb-arms=one", output=None)
    assert section(finished, "one")[0][0].startswith("one: error: OSError: no such luck; ")


def test_a_sample_whose_snapshot_is_gone_is_a_usage_error(run_plain: Run, small: SmallBenchmark) -> None:
    small.chunk_file("acme/shop").unlink()
    finished = run_plain(*small.options, "--rb-explain=wrong-sum", output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "no snapshot of acme/shop" in finished.text


def test_what_is_wrong_with_the_snapshot_is_said(run_plain: Run, small: SmallBenchmark) -> None:
    with small.chunk_file("acme/shop").open("a") as file:
        file.write('{"kind": "file", "path": "../out.py", "text": "x"}\n')
    finished = run_plain(*small.options, "--rb-explain=wrong-sum", output=None)
    assert finished.status == 0
    assert ": left out 1 file rows whose path is " in shown(finished)[-1]


def test_the_page_shows_what_is_shown(run_apart: Run, pytester: pytest.Pytester) -> None:
    page = (Path(__file__).parents[2] / "docs" / "terminal.md").read_text(encoding="utf-8")
    command = next(line for line in page.splitlines() if line.startswith("pytest --rb-suite=demo --rb-explain="))
    table = page.partition("rank    score  file")[2].partition("```")[0].splitlines()[1:]
    lines = run_apart(*command.split()[1:], output=None).result.outlines
    assert len(table) == 4
    for row in table:
        assert [line for line in lines if line.startswith(row.removesuffix("…"))]
    explain = page.partition("```python\n")[2].partition("```")[0]
    pytester.makeconftest(f"{explain}\n{ARM}    explain = explain\n{HOOK}")
    finished = run_apart("--rb-suite=demo", command.split()[2], "--rb-arms=one", "-v", output=None)
    assert finished.status == 0
    assert "-  tests/test_money.py  gold  one 1 (in path)" in finished.text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rb-explain=wrong-sums"], "none of the 4 samples has the id wrong-sums; did you mean wrong-sum?"),
        (["--rb-explain="], "--rb-explain: the value is empty"),
        (
            ["--rb-explain=tick", "--rb-output=x.json"],
            "it asks about one sample and writes nothing; leave",
        ),
        (["--rb-explain=tick", "--rb-gate=grep hit@k >= 1"], "leave out --rb-gate"),
        (["--rb-explain=tick", "--rb-compare", "a", "b"], "leave out --rb-compare"),
        (["--rb-explain=tick", "--rb-summarize=a.json"], "it shows what reports hold; leave out --rb-samples"),
        (["--rb-explain=unlabelled"], "unlabelled has no gold and does not say that there is none"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    run_plain: Run, small: SmallBenchmark, arguments: list[str], words: str
) -> None:
    small.write_samples([*ROWS, {**ROWS[1], "id": "unlabelled", "gold": {}}])
    finished = run_plain(*small.options, *arguments, output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text


def test_without_samples_there_is_nothing_to_explain(run_plain: Run) -> None:
    finished = run_plain("--rb-explain=tick", output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "--rb-explain: there is nothing to measure; give --rb-samples" in finished.text


def test_a_report_without_the_sample_is_refused(run_plain: Run, small: SmallBenchmark) -> None:
    report = run_plain(*small.options, "--rb-arms=grep").output
    finished = run_plain(f"--rb-summarize={report}", "--rb-explain=tock", output=None)
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "--rb-explain: none of the 4 samples has the id tock; did you mean tick?" in finished.text


def test_controls_in_ids_and_paths_are_not_obeyed_by_the_terminal(run_plain: Run, small: SmallBenchmark) -> None:
    small.write_samples([{**ROWS[1], "id": "red\x1b[31m", "gold": {"files": ["a\x1b[2Jb"]}}])
    finished = run_plain(*small.options, "--rb-explain=red\x1b[31m", output=None)
    assert finished.status == 0
    assert "\x1b" not in finished.text
    assert "gold: a\\x1b[2Jb" in shown(finished)

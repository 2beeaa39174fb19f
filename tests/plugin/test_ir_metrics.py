"""`--rb-metrics=ir` in runs and over reports."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.scoring.ir import ir_measures
from tests.conftest import Run
from tests.small_benchmark import ROWS, SmallBenchmark


def test_the_means_are_those_of_the_rankings_in_the_report(run: Run, small: SmallBenchmark) -> None:
    report = run(*small.options, "--rb-metrics=ir").report
    rows = [row for row in report["details"] if row["gold"]]
    for arm, groups in report["measures"]["ir"]["groups"].items():
        values = [ir_measures(row["arms"][arm]["ranked"], row["gold"])["ndcg@10"] for row in rows]
        assert groups["all"]["n"] == len(rows) == 3
        assert groups["all"]["ndcg@10"] == pytest.approx(sum(values) / len(values), abs=1e-6)
    assert "arb" not in report["measures"]


def test_both_sets_come_from_one_run(run_plain: Run, small: SmallBenchmark) -> None:
    report = run_plain(*small.options, "--rb-metrics=ir,MRR").report
    assert sorted(report["measures"]) == ["arb", "ir"]
    assert report["registration"]["metrics"]["names"][0] == "MRR"
    assert {name for row in report["details"] for kept in row["measures"].values() for name in kept} == {"arb"}


def test_what_is_deeper_than_the_limit_is_left_out(run_plain: Run, small: SmallBenchmark) -> None:
    report = run_plain(*small.options, "--rb-metrics=ir", "--rb-limit=5").report
    means = report["measures"]["ir"]["groups"]["grep"]["all"]
    assert sorted(means) == ["acc@1", "acc@5", "n", "recall@1", "recall@5"]
    assert means["recall@5"] == report["arms"]["grep"]["all"]["recall@5"]


def test_merged_reports_have_the_section_of_one_run(run_plain: Run, small: SmallBenchmark) -> None:
    whole = run_plain(*small.options, "--rb-metrics=ir").report
    for arm in ("grep", "bm25"):
        run_plain(*small.options, "--rb-metrics=ir", f"--rb-arms={arm}", output=f"{arm}.json")
    merged = run_plain("--rb-summarize=grep.json", "--rb-summarize=bm25.json", output="merged.json").report
    arms = ("grep", "bm25:all", "bm25:ident")
    for name, by_arm in merged["measures"]["ir"].items():
        assert by_arm == {arm: whole["measures"]["ir"][name][arm] for arm in arms}


@pytest.mark.parametrize("option", ["--rb-view=depth", "--rb-calibration=x.json"])
def test_what_needs_whole_rankings_is_refused_without_them(run_plain: Run, small: SmallBenchmark, option: str) -> None:
    refused = run_plain(*small.options, "--rb-metrics=ir", option)
    assert refused.status == 4
    assert "give that as well, such as --rb-metrics=arb" in refused.text


def test_functions_are_measured_where_samples_mark_them_and_the_answer_names_lines(
    run: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(
        "from pytest_retrieval_bench import Answer\n\nclass Mine:\n    name = 'mine'\n"
        "    def answer(self, query, snapshot, limit):\n        return Answer(['shop/price.py'], lines=[(2, 2)])\n\n"
        "def pytest_retrieval_bench_arms(config):\n    return [Mine()]\n"
    )
    block = {"path": "shop/price.py", "symbol": "totalPrice", "start_line": 1, "end_line": 2}
    cart, price, tick, nothing = ROWS
    small.write_samples([cart, price | {"gold": {**price["gold"], "gold_blocks": [block]}}, tick, nothing])
    report = run(*small.options, "--rb-arms=mine,grep", "--rb-metrics=ir").report
    functions = report["measures"]["ir"]["functions"]
    assert {arm: (means["n"], means["function_recall@1"]) for arm, means in functions.items()} == {
        "mine": (1, 1),
        "grep": (1, 0),
    }
    assert [row["id"] for row in report["details"] if "measures" in row] == ["wrong-sum"]
    assert "function_acc@5" not in report["measures"]["ir"]["groups"]["mine"]["all"]

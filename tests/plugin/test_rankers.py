"""The rankers of Agent Retrieval Bench and fusions of arms in a run, and fusions over reports."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from tests.conftest import LEXICAL, Run, without_time
from tests.small_benchmark import SmallBenchmark

RANKERS = "arb:lexical,arb:bm25,arb:grep-strict,arb:grep-expanded,arb:repomap"
FUSION = "rrf(grep,arb:repomap)"


def ranked(report: dict[str, Any], arm: str) -> dict[str, list[str]]:
    return {row["id"]: row["arms"][arm]["ranked"] for row in report["details"]}


def test_named_rankers_and_fusions_answer_every_sample(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, f"--rb-arms={RANKERS},rrf( grep , arb:repomap )")
    assert finished.status == 0
    report = finished.report
    assert set(report["arms"]) == {*RANKERS.split(","), FUSION}
    assert all(report["arms"][arm]["all"]["n"] == 4 for arm in report["arms"])
    assert ranked(report, "arb:lexical")["wrong-sum"][0] == "shop/price.py"
    assert ranked(report, "arb:repomap")["tick"][0] == "src/clock.ts"
    assert report["registration"]["retrievers"]["arb:bm25"] == {"kind": "arb", "candidate_filter": "all_files"}
    bound = report["registration"]["retrievers"][FUSION]
    assert (bound["kind"], bound["k"], bound["depth"], bound["arms"]) == ("rrf", 60, 20, ["grep", "arb:repomap"])


def test_they_run_only_where_they_are_named(run_plain: Run, small: SmallBenchmark) -> None:
    assert set(run_plain(*small.options).report["arms"]) == set(LEXICAL.split(","))


@pytest.mark.parametrize("selection", [("-k", "rrf and tick"), ("-m", f"rb(arm='{FUSION}', task='trace2code')")])
def test_the_name_of_a_fusion_survives_selection_and_junit(
    run: Run, small: SmallBenchmark, selection: tuple[str, str]
) -> None:
    finished = run(*small.options, f"--rb-arms=grep,{FUSION}", *selection, "--junitxml=junit.xml")
    assert finished.status == 0
    assert list(finished.report["arms"]) == [FUSION]
    cases = ET.parse(small.folder / "junit.xml").getroot().iter("testcase")
    names = {case.attrib["name"] for case in cases}
    assert f"test_retrieval[trace2code-acme/clock-tick-{FUSION}]" in names


def test_a_fusion_is_named_as_a_node_id_and_as_a_baseline_and_in_a_gate(run: Run, small: SmallBenchmark) -> None:
    node = f"samples.jsonl::test_retrieval[trace2code-acme/clock-tick-{FUSION}]"
    options = (f"--rb-arms=arb:bm25,{FUSION}", f"--rb-baseline-arms={FUSION}")
    assert list(run(*small.options, *options, node, output="one.json").report["arms"]) == [FUSION]
    whole = run(*small.options, *options, f"--rb-gate={FUSION} hit@k >= 0.1")
    assert whole.status == 0
    assert list(whole.report["paired"]["all"]["arb:bm25"]) == [FUSION]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rb-arms=arb:lexica"], "--rb-arms: unknown arm 'arb:lexica'; did you mean 'arb:lexical'?"),
        (["--rb-arms=rrf(grep)"], "--rb-arms: rrf(grep): a fusion is made of two arms or more, each once"),
        (["--rb-arms=rrf(grep,grep)"], "--rb-arms: rrf(grep,grep): a fusion is made of two arms or more, each once"),
        (["--rb-arms=rrf(grep,gerp)"], "--rb-arms: rrf(grep,gerp): unknown arm 'gerp'; did you mean 'grep'?"),
        (["--rb-arms=rrf(grep,bm25:all"], "--rb-arms: unknown arm 'rrf(grep,bm25:all'"),
        (["--rb-arms=arb:bm25", "--rb-candidate-filter=code"], "--rb-candidate-filter: unknown filter 'code'"),
        (["--rb-arms=grep", "--rb-candidate-filter=code_only"], "--rb-candidate-filter: it is about the arms arb:"),
        (["--rb-command=arb:mine=ls"], "--rb-command: 'arb:mine' cannot be the name of an arm; rename it"),
    ],
)
def test_what_cannot_be_is_refused(run_plain: Run, small: SmallBenchmark, arguments: list[str], words: str) -> None:
    finished = run_plain(*small.options, *arguments)
    assert finished.status == 4
    assert words in finished.text


def test_the_candidate_filter_is_of_the_rankers_alone_and_is_registered(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, f"--rb-arms=grep,arb:bm25,{FUSION}", "--rb-candidate-filter=tests_only")
    assert finished.status == 0
    assert ranked(finished.report, "arb:bm25")["wrong-sum"] == ["tests/test_cart.py"]
    assert "shop/price.py" in ranked(finished.report, "grep")["wrong-sum"]
    outcomes = {row["id"]: row["arms"]["arb:bm25"]["outcome"] for row in finished.report["details"]}
    # No file of acme/clock is a test: the benchmark's toolkit skips such a sample.
    assert outcomes["tick"] == outcomes["nothing-here"] == "not applicable"
    assert finished.report["registration"]["retrievers"]["arb:bm25"]["candidate_filter"] == "tests_only"


def test_stored_answers_can_be_fused(run: Run, small: SmallBenchmark) -> None:
    ids = ("cart-test", "wrong-sum", "tick", "nothing-here")
    stored = small.folder / "mine.jsonl"
    stored.write_text("".join(json.dumps({"id": name, "ranked": [f"{name}.py"]}) + "\n" for name in ids))
    finished = run(*small.options, f"--rb-replay=mine={stored}", "--rb-arms=rrf(mine,grep)")
    assert finished.status == 0
    assert all(f"{name}.py" in found for name, found in ranked(finished.report, "rrf(mine,grep)").items())


def test_a_fusion_over_a_report_is_that_of_the_run(run: Run, small: SmallBenchmark) -> None:
    whole = run(*small.options, f"--rb-arms=grep,arb:repomap,{FUSION}", output="whole.json").report
    parts = run(*small.options, "--rb-arms=grep,arb:repomap", output="parts.json").output
    merged = run(f"--rb-summarize={parts}", f"--rb-arms={FUSION}", f"--rb-gate={FUSION} hit@k >= 0.1")
    assert merged.status == 0
    assert ranked(merged.report, FUSION) == ranked(whole, FUSION)
    for before, after in zip(whole["details"], merged.report["details"], strict=True):
        told = {name: value for name, value in before["metrics"][FUSION].items() if name != "hard_negative_hits@k"}
        assert after["metrics"][FUSION] == told
    bound = merged.report["registration"]["retrievers"][FUSION]
    assert bound == {"kind": "rrf", "k": 60, "depth": 20, "arms": ["grep", "arb:repomap"], "of": "report"}
    again = run(f"--rb-summarize={small.folder / 'report.json'}", output="again.json").report
    assert without_time(again) == without_time(merged.report)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("grep", "grep: only a fusion, rrf(A,B), can be made of stored rankings; measure it in a run"),
        ("rrf(grep,gerp)", "rrf(grep,gerp): not in the report: unknown arm 'gerp'; did you mean 'grep'?"),
        ("rrf(grep)", "rrf(grep): a fusion is made of two arms or more, each once"),
    ],
)
def test_what_a_report_has_no_rankings_for_is_refused(
    run_plain: Run, small: SmallBenchmark, name: str, words: str
) -> None:
    parts = run_plain(*small.options, "--rb-arms=grep,bm25:all", output="parts.json").output
    finished = run_plain(f"--rb-summarize={parts}", f"--rb-arms={name}")
    assert finished.status == 4
    assert words in finished.text


def test_a_fusion_over_reports_fails_where_an_arm_failed_and_misses_what_one_misses(
    run_plain: Run, small: SmallBenchmark
) -> None:
    small.chunk_file("acme/clock").rename(small.folder / "away")
    failed = run_plain(*small.options, "--rb-arms=grep", output="failed.json")
    (small.folder / "away").rename(small.chunk_file("acme/clock"))
    part = run_plain(*small.options, "--rb-arms=bm25:all", "-k", "not wrong-sum", output="part.json")
    reports = [f"--rb-summarize={finished.output}" for finished in (failed, part)]
    merged = run_plain(*reports, "--rb-arms=rrf(grep,bm25:all)").report
    answers = {row["id"]: row["arms"].get("rrf(grep,bm25:all)") for row in merged["details"]}
    assert answers["tick"]["error"].startswith("grep: setup: ")
    assert answers["cart-test"]["outcome"] == "answered"
    assert answers["wrong-sum"] is None
    missing = {(pair["id"], pair["arm"], pair["why"]) for pair in merged["incomplete"]}
    assert ("wrong-sum", "rrf(grep,bm25:all)", "an arm of it has no answer") in missing

"""A samples file and a corpus in, a canonical report out."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.conformance_packs import CORVINT, compared, pack
from tests.conftest import LEXICAL, Run, without_time
from tests.small_benchmark import SmallBenchmark


@pytest.mark.parametrize("run", ["plain", "-n2"], indirect=True)
@pytest.mark.parametrize(
    ("samples", "values", "outcomes"),
    [
        ("samples.jsonl", 24414, {"passed": 734, "failed": 24, "skipped": 202}),
        ("contextbench.jsonl", 4878, {"passed": 70, "failed": 2, "skipped": 24}),
    ],
)
def test_the_conformance_packs_give_the_expected_values_in_all_arms(
    run: Run, samples: str, values: int, outcomes: dict[str, int]
) -> None:
    finished = run(*pack(samples), CORVINT)
    # What the stand-in refuses or garbles fails; impact and affected do not apply where no file was changed.
    finished.result.assert_outcomes(**outcomes)
    assert compared(samples, finished.output) == f"0 differences over {values} compared values"


def test_the_lexical_arms_give_the_expected_values_without_a_corvint(run_plain: Run) -> None:
    finished = run_plain(*pack("contextbench.jsonl"))
    finished.result.assert_outcomes(passed=48)
    assert compared("contextbench.jsonl", finished.output, LEXICAL).startswith("0 differences over ")


def test_two_runs_give_the_same_bytes_but_for_time_and_registration(run: Run, run_plain: Run) -> None:
    first = run_plain(*pack("samples.jsonl"), output="first.json").report
    second = run(*pack("samples.jsonl"), output="second.json").report
    assert without_time(first) == without_time(second)


def test_the_bytes_do_not_depend_on_hash_seeds(pytester: pytest.Pytester, small: SmallBenchmark) -> None:
    reports = []
    for seed in ("1", "2"):
        command = [sys.executable, "-m", "pytest", *small.options, f"--rb-output=seed{seed}.json", "-q"]
        subprocess.run(command, cwd=pytester.path, env={"PYTHONHASHSEED": seed}, check=True, capture_output=True)
        reports.append(without_time(json.loads((pytester.path / f"seed{seed}.json").read_text(encoding="utf-8"))))
    assert reports[0] == reports[1]


def test_hand_worked_values(run: Run, small: SmallBenchmark) -> None:
    report = run(*small.options).report
    rows = {row["id"]: row for row in report["details"]}
    assert list(rows) == ["cart-test", "wrong-sum", "tick", "nothing-here"]
    # Identifiers: add_item, and cart, the stem of the changed file. Both words and the path make 3 for two files, of
    # which shop/cart.py has the words more often; shop/price.py has one word.
    assert rows["cart-test"]["arms"]["grep-ident"]["ranked"] == ["shop/cart.py", "tests/test_cart.py", "shop/price.py"]
    assert rows["cart-test"]["arms"]["grep-ident"]["top_score"] == 3
    assert rows["cart-test"]["metrics"]["grep-ident"] == {
        "abstained": 0,
        "f1@k": 0.5,
        "hard_negative_hits@k": 1,
        "hit@k": 1,
        "mrr@k": 0.5,
        "precision@k": pytest.approx(1 / 3),
        "recall@10": 1,
        "recall@20": 1,
        "recall@5": 1,
        "selective_success": 1,
    }
    assert rows["nothing-here"]["arms"]["grep-ident"]["abstained"] is True
    assert rows["nothing-here"]["metrics"]["grep-ident"] == {"abstained": 1, "selective_success": 1}
    arm = report["arms"]["grep-ident"]
    assert (arm["all"]["n"], arm["all"]["positives"], arm["errors"]) == (4, 3, 0)
    assert arm["stratum:natural_no_gold"] == {"abstained": 1, "n": 1, "positives": 0, "selective_success": 1}
    assert arm["intervals"]["hit@20"]["n"] == 3
    parallel = {"workers": 2} if run.how == "2 workers" else {}
    assert report["latency"]["grep"] == {"NOT_APPLICABLE": {"n": 4, "state": "NOT_RUN"} | parallel}


def test_a_directory_of_the_corpus_gives_what_the_chunk_file_gives(run_plain: Run, small: SmallBenchmark) -> None:
    before = run_plain(*small.options, output="chunks.json").report
    tree = small.corpus / f"shop-{'a' * 12}"
    for line in small.chunk_file("acme/shop").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        path = tree / row["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(row["text"].encode())
    small.chunk_file("acme/shop").unlink()
    after = run_plain(*small.options, output="directory.json").report
    assert without_time(before) == without_time(after)

"""The page of 427 samples and 8 arms: queries of 5 kB, rankings of 20 to 50, 40 lines of each gold file.

    pytest tests/speed/bench_html.py -s

Prints the time from reading the report to the written page, the peak resident size and the size of the page; wanted:
under 5 s, 500 MB and 5 MB.
"""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
from itertools import accumulate
from pathlib import Path

import pytest

from pytest_retrieval_bench.model import LEXICAL_ARMS
from pytest_retrieval_bench.scoring.ranking import RECALL_DEPTHS

ARMS = (*LEXICAL_ARMS, "corvint", "context", "mine", "theirs")
SAMPLES, REPOSITORIES, LIMIT = 427, 44, 50
COMMIT = "c" * 40
_MEASURED = """
import resource, sys, time
start = time.perf_counter()
from pytest_retrieval_bench.__main__ import main
status = main(["html", *sys.argv[1:]])
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
sys.exit(status)
"""


def write_large_benchmark(folder: Path) -> None:
    """Writes `samples.jsonl`, `corpus/` and the `report.json` of a run over them."""
    source = random.Random(1)
    words = ["".join(source.choices("abcdefghijklmnopqrstuvwxyz", k=source.randint(3, 12))) for _ in range(20_000)]

    often = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))  # as in any language

    def prose(chars: int) -> str:
        return " ".join(source.choices(words, cum_weights=often, k=chars // 8))[:chars]

    def path() -> str:
        return f"src/{source.choice(words)}/{source.choice(words)}/{source.choice(words)}.py"

    trees = {f"acme/repository-{number}": [path() for _ in range(400)] for number in range(REPOSITORIES)}
    for repo, paths in trees.items():
        place = folder / "corpus" / repo.replace("/", "__") / f"{COMMIT}.chunks.jsonl"
        place.parent.mkdir(parents=True)
        rows = ({"kind": "file", "path": one, "text": "\n".join(prose(60) for _ in range(60))} for one in paths)
        place.write_text("".join(json.dumps(row) + "\n" for row in rows))
    samples, details = [], []
    for number in range(SAMPLES):
        repo = f"acme/repository-{number % REPOSITORIES}"
        gold = source.sample(trees[repo], source.randint(1, 4))
        samples.append(
            {"id": f"sample-{number}", "task_type": "trace2code", "repo": repo, "base_commit": COMMIT,
             "query": {"text": prose(5_000)}, "gold": {"files": gold}}
        )  # fmt: skip
        answers = {arm: source.sample(trees[repo], source.randint(20, LIMIT)) for arm in ARMS}
        details.append(
            {"id": f"sample-{number}", "task_type": "trace2code", "repo": repo, "base_commit": COMMIT,
             "stratum": "positive", "partition": "AB"[number % 2], "query_chars": 5_000, "query_truncated": True,
             "gold": gold, "given": [],
             "arms": {arm: {"outcome": "answered", "ranked": ranked, "abstained": False,
                            "wall_ms": source.lognormvariate(1, 1)} for arm, ranked in answers.items()},
             "metrics": {arm: scored(ranked, gold) for arm, ranked in answers.items()}}
        )  # fmt: skip
    text = "".join(json.dumps(row) + "\n" for row in samples)
    (folder / "samples.jsonl").write_text(text)
    write_report(folder, details)


def scored(ranked: list[str], gold: list[str]) -> dict[str, float]:
    """The metrics of an answer to a sample with gold."""
    ranks = [place for place, path in enumerate(ranked, start=1) if path in gold]
    recalls = {f"recall@{depth}": sum(rank <= depth for rank in ranks) / len(gold) for depth in RECALL_DEPTHS}
    hit, precision = int(bool(ranks)), len(ranks) / len(ranked)
    recall = len(ranks) / len(gold)
    return recalls | {
        "mrr@k": 1 / ranks[0] if ranks else 0,
        "hit@k": hit,
        "precision@k": precision,
        "f1@k": 2 * precision * recall / (precision + recall) if ranks else 0,
        "hard_negative_hits@k": 0,
        "abstained": 0,
        "selective_success": hit,
    }


def write_report(folder: Path, details: list[dict[str, object]]) -> None:
    """A report as a run wrote it: the command makes its sections anew from the rows."""
    digest = hashlib.sha256((folder / "samples.jsonl").read_bytes()).hexdigest()
    told = {"arms": list(ARMS), "baseline_arms": list(LEXICAL_ARMS), "limit": LIMIT, "samples_sha256": digest}
    members = {"profile": "pytest-retrieval-bench/1", "samples_sha256": digest, "limit": LIMIT,
               "skipped": {"no_gold_unlabeled": 0}, "details": details,
               "registration": told | {"sample_ids": [row["id"] for row in details]}}  # fmt: skip
    (folder / "report.json").write_text(json.dumps(members))


def test_time_memory_and_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_large_benchmark(tmp_path)
    options = ["report.json", "--samples=samples.jsonl", "--corpus=corpus", "--out=page.html"]
    command = [sys.executable, "-c", _MEASURED, *options]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    seconds, mebibytes = map(float, finished.stdout.split()[-2:])
    megabytes = (tmp_path / "page.html").stat().st_size / 1e6
    with capsys.disabled():
        print(f"\n{seconds:.2f} s, {mebibytes:.0f} MiB at most, {megabytes:.2f} MB")  # noqa: T201
    assert mebibytes * 2**20 < 500e6
    assert megabytes < 5

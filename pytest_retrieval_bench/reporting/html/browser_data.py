"""What the browser of samples works on, as compressed JSON; paths stand once, and are named by their numbers."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.html.texts import SampleTexts

_METRICS = ("hit@k", "mrr@k", "selective_success")


def browser_data(report: Mapping[str, Any], texts: Mapping[str, SampleTexts] | None) -> str:
    """Base64 of the gzip of the JSON; equal reports give equal bytes."""
    numbers: dict[str, int] = {}
    samples = [_sample(row, None if texts is None else texts.get(row["id"]), numbers) for row in report["details"]]
    data = {"arms": list(report["arms"]), "limit": report["limit"], "samples": samples, "paths": list(numbers)}
    return base64.b64encode(gzip.compress(orjson.dumps(data), mtime=0)).decode("ascii")


def _sample(row: Row, texts: SampleTexts | None, numbers: dict[str, int]) -> dict[str, Any]:
    def named(paths: Iterable[str]) -> list[int]:
        return [numbers.setdefault(path, len(numbers)) for path in paths]

    sample = {
        "id": row["id"],
        "task": row["task_type"],
        "repo": row["repo"],
        "commit": row["base_commit"],
        "stratum": row["stratum"],
        "gold": named(row["gold"]),
        "given": named(row["given"]),
        "arms": {arm: _answer(row, arm, named(answer["ranked"])) for arm, answer in row["arms"].items()},
    }
    if texts is None:
        return sample
    heads = {
        str(number): texts.heads[path]
        for path, number in zip(row["gold"], sample["gold"], strict=True)
        if path in texts.heads
    }
    return sample | {"query": texts.query, "hard": named(texts.hard_negatives), "heads": heads, "why": texts.why}


def _answer(row: Row, arm: str, ranked: list[int]) -> dict[str, Any]:
    answer, metrics = row["arms"][arm], row["metrics"][arm]
    told = {name: answer[name] for name in ("error", "wall_ms", "abstained") if name in answer}
    return {"ranked": ranked, **told, **{name: metrics[name] for name in _METRICS if name in metrics}}

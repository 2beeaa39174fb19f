"""What the browser of samples works on, as compressed JSON.

Paths stand once and are named by their numbers. Texts are strangers': what a screen would obey is written out.
"""

from __future__ import annotations

import base64
import gzip
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from pytest_retrieval_bench.reporting.details import Row
from pytest_retrieval_bench.reporting.html.answers import did_right, state_of
from pytest_retrieval_bench.reporting.html.figures import deepest_recall
from pytest_retrieval_bench.reporting.html.texts import SampleTexts
from pytest_retrieval_bench.text.visible import visible

_NAME_CHARS, _ERROR_CHARS = 20_000, 2_000


def browser_data(report: Mapping[str, Any], texts: Mapping[str, SampleTexts] | None) -> str:
    """Base64 of the gzip of the JSON; equal reports give equal bytes."""
    arms, numbers = list(report["arms"]), _Numbers()
    recall = deepest_recall(report["limit"])
    samples = [
        _sample(row, numbers) | {"answers": [_answer(row, arm, recall, numbers) for arm in arms]}
        | _texts(row, None if texts is None else texts.get(row["id"]), numbers)
        for row in report["details"]
    ]  # fmt: skip
    data = {
        "arms": [visible(arm) for arm in arms],
        "recall": recall,
        "paths": [visible(path, _NAME_CHARS) for path in numbers],
        "samples": samples,
    }
    return base64.b64encode(gzip.compress(orjson.dumps(data), mtime=0)).decode("ascii")


class _Numbers(dict[str, int]):
    """Paths and their numbers, in the order of first use."""

    def __missing__(self, path: str) -> int:
        self[path] = len(self)
        return self[path]

    def of(self, paths: Iterable[str]) -> list[int]:
        return [self[path] for path in paths]


def _sample(row: Row, numbers: _Numbers) -> dict[str, Any]:
    return {
        "id": visible(row["id"], _NAME_CHARS),
        "task": visible(row["task_type"]),
        "repo": visible(row["repo"]),
        "commit": visible(row["base_commit"][:12]),
        "stratum": row["stratum"].replace("_", " "),
        "gold": numbers.of(row["gold"]),
        "given": numbers.of(row["given"]),
    }


def _answer(row: Row, arm: str, recall: str | None, numbers: _Numbers) -> dict[str, Any] | None:
    """What an arm said; None where it never did."""
    if arm not in row["arms"]:
        return None
    answer, metrics = row["arms"][arm], row["metrics"][arm]
    said = {
        "state": state_of(answer),
        "right": did_right(metrics),
        "ranked": numbers.of(answer["ranked"]),
        "error": visible(answer["error"], _ERROR_CHARS) if "error" in answer else None,
        "ms": answer.get("wall_ms"),
        "recall": metrics.get(recall),
        "mrr": metrics.get("mrr@k"),
    }
    return {name: value for name, value in said.items() if value is not None}


def _texts(row: Row, texts: SampleTexts | None, numbers: _Numbers) -> dict[str, Any]:
    if texts is None:
        return {}
    heads: Sequence[str | None] = [texts.heads.get(path) for path in row["gold"]]
    return {"query": texts.query, "hard": numbers.of(texts.hard_negatives), "heads": heads, "why": visible(texts.why)}

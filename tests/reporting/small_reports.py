"""Small reports as a run would write them: each answer is a ranking, or None for an error."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.reporting.load import Report, load_report

LIMIT = 5
GOLD = "gold.py"
# By arm: the ranking, None for an error.
Answers = Mapping[str, Sequence[str] | None]
MISS: Sequence[str] = ("miss.py",)
HIT: Sequence[str] = (GOLD,)
SECOND: Sequence[str] = ("miss.py", GOLD)


def row(identity: str, answers: Answers, **members: Any) -> dict[str, Any]:
    """A details row of a positive sample whose gold is `gold.py`, or, with a `stratum`, of one without gold."""
    sample = {
        "id": identity,
        "task_type": "trace2code",
        "repo": "o/r",
        "base_commit": "c" * 40,
        "stratum": "positive",
        "partition": "A",
        "query_chars": 9,
        "query_truncated": False,
        "gold": [GOLD],
        "given": [],
    } | members
    return sample | {
        "arms": {arm: answer(ranked) for arm, ranked in answers.items()},
        "metrics": {arm: metrics(ranked, sample["stratum"] == "positive") for arm, ranked in answers.items()},
    }


def answer(ranked: Sequence[str] | None) -> dict[str, Any]:
    if ranked is None:
        return {"outcome": "error", "ranked": [], "abstained": False, "error": "it broke"}
    return {"outcome": "answered" if ranked else "abstained", "ranked": list(ranked), "abstained": not ranked}


def metrics(ranked: Sequence[str] | None, positive: bool) -> dict[str, float]:
    abstained = ranked is not None and not ranked
    if not positive:
        return {"abstained": int(abstained), "selective_success": int(abstained)}
    rank = list(ranked or ()).index(GOLD) + 1 if GOLD in (ranked or ()) else 0
    found = int(rank > 0)
    precision = found / len(ranked) if ranked else 0
    return {
        "abstained": int(abstained),
        "selective_success": found,
        "hit@k": found,
        "mrr@k": 1 / rank if rank else 0,
        "recall@5": found,
        "precision@k": precision,
        "f1@k": 2 * precision / (precision + 1) if found else 0,
        "hard_negative_hits@k": sum(path == "trap.py" for path in ranked or ()),
    }


def report(rows: Sequence[Mapping[str, Any]], registration: Mapping[str, Any] | None = None, **members: Any) -> Any:
    """The members of a report that are not rebuilt; the registration names the arms of the rows."""
    arms = sorted({arm for row in rows for arm in row["arms"]})
    told = {"arms": arms, "limit": LIMIT, "samples_sha256": "5" * 64, "sample_ids": [row["id"] for row in rows]}
    return {
        "profile": "pytest-retrieval-bench/1",
        "samples_sha256": "5" * 64,
        "limit": LIMIT,
        "skipped": {"no_gold_unlabeled": 0},
        "registration": told | dict(registration or {}),
        "details": list(rows),
    } | members


def written(path: Path, members: Any) -> Report:
    """The report as it is read back from a file."""
    path.write_text(json.dumps(members), encoding="utf-8")
    return load_report(path)

"""The files of a suite: rows that a run reads, with all that is known of each."""

from __future__ import annotations

from pytest_retrieval_bench.builders.docs.instance import Instance
from pytest_retrieval_bench.builders.docs.overlap import bucket
from pytest_retrieval_bench.builders.docs.rules import DocsRules
from pytest_retrieval_bench.model import Json

TASK_TYPE = "docs2code"


def row_of(instance: Instance, rules: DocsRules) -> dict[str, Json]:
    """The row of an instance. The page that it is taken from is given, so that no ranking is credited with it."""
    section = instance.section
    # The same name may stand in several places.
    references = dict.fromkeys((one.target, found.outcome, found.path) for one, found in instance.references.items())
    return {
        "id": f"{rules.repo.rpartition('/')[2]}:{section.path}#{section.line}",
        "task_type": TASK_TYPE,
        "repo": rules.repo,
        "base_commit": rules.commit,
        "query": {"text": instance.question},
        "gold": {"files": list(instance.gold), "given_files": [section.path]},
        "metadata": {
            "doc_path": section.path,
            "doc_line": section.line,
            "lexical_overlap": round(instance.overlap, 4),
            "overlap_bucket": bucket(instance.overlap),
            **instance.leaks,
            "references": [_told(*reference) for reference in references],
        },
    }


def _told(target: str, outcome: str, path: str | None) -> dict[str, Json]:
    told: dict[str, Json] = {"target": target, "outcome": outcome}
    return told if path is None else told | {"file": path}

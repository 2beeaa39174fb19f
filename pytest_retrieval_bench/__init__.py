"""pytest-retrieval-bench: the samples of a repository-retrieval benchmark as pytest items.

The names below are the public interface; each is imported when it is first used, so that the plugin costs other test
runs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_retrieval_bench.version import __version__

if TYPE_CHECKING:
    from pytest_retrieval_bench.arms.arm import Arm
    from pytest_retrieval_bench.arms.changes import Changes
    from pytest_retrieval_bench.arms.evidence import Evidence
    from pytest_retrieval_bench.builders.docs.build import DocsBenchmark, build_docs
    from pytest_retrieval_bench.builders.docs.rules import DocsRules
    from pytest_retrieval_bench.case import RetrievalCase
    from pytest_retrieval_bench.model import Answer, Chunk, Query, Record, Sample
    from pytest_retrieval_bench.reporting.load import Report, load_report
    from pytest_retrieval_bench.snapshots.snapshot import Snapshot

_HOMES = {
    "Answer": "model",
    "Arm": "arms.arm",
    "Changes": "arms.changes",
    "Chunk": "model",
    "DocsBenchmark": "builders.docs.build",
    "DocsRules": "builders.docs.rules",
    "Evidence": "arms.evidence",
    "Query": "model",
    "Record": "model",
    "Report": "reporting.load",
    "RetrievalCase": "case",
    "Sample": "model",
    "Snapshot": "snapshots.snapshot",
    "build_docs": "builders.docs.build",
    "load_report": "reporting.load",
}

__all__ = [
    "Answer",
    "Arm",
    "Changes",
    "Chunk",
    "DocsBenchmark",
    "DocsRules",
    "Evidence",
    "Query",
    "Record",
    "Report",
    "RetrievalCase",
    "Sample",
    "Snapshot",
    "__version__",
    "build_docs",
    "load_report",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)

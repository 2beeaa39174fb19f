"""The arms that come with the plugin, one line each."""

from __future__ import annotations

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.bm25 import BM25, all_terms, identifier_terms
from pytest_retrieval_bench.arms.grep import Grep
from pytest_retrieval_bench.arms.grep_ident import GrepIdent
from pytest_retrieval_bench.index.store import IndexStore

GROUPS = {"bm25": ("bm25:all", "bm25:ident")}


def built_in_arms(indexes: IndexStore) -> list[Arm]:
    """The arms that need nothing but a snapshot; they share the indexes."""
    return [
        Grep(indexes),
        GrepIdent(indexes),
        BM25("bm25:all", all_terms, indexes),
        BM25("bm25:ident", identifier_terms, indexes),
    ]

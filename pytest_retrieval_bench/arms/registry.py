"""The arms that come with the plugin, one line each."""

from __future__ import annotations

from pathlib import Path

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.bm25 import BM25, all_terms, identifier_terms
from pytest_retrieval_bench.arms.corvint.arms import AffectedVerb, ContextVerb, ImpactVerb, QueryVerb
from pytest_retrieval_bench.arms.corvint.call import Corvint
from pytest_retrieval_bench.arms.corvint.latency import MatchedContext
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


def corvint_arms(program: str, directory: Path, *, matched_latency: bool) -> list[Arm]:
    """The four verbs of a corvint executable, run in the caller's directory."""
    corvint = Corvint(program, directory)
    context = MatchedContext(corvint) if matched_latency else ContextVerb(corvint)
    return [QueryVerb(corvint), context, ImpactVerb(corvint), AffectedVerb(corvint)]

"""Arms that run only where they are named: the rankers of Agent Retrieval Bench, and fusions of arms."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_retrieval_bench.arms.arb.bm25 import ChunkBM25
from pytest_retrieval_bench.arms.arb.corpus import Corpus
from pytest_retrieval_bench.arms.arb.filters import ALL_FILES
from pytest_retrieval_bench.arms.arb.grep import PatternGrep
from pytest_retrieval_bench.arms.arb.lexical import Lexical
from pytest_retrieval_bench.arms.arb.ranker import Ranker
from pytest_retrieval_bench.arms.arb.repomap.arm import RepoMapArm
from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.fusion import Fusion
from pytest_retrieval_bench.errors import SettingsError, unknown
from pytest_retrieval_bench.model import arm_rank
from pytest_retrieval_bench.text.arm_names import FUSION, components

RANKERS = ("arb:lexical", "arb:bm25", "arb:grep-strict", "arb:grep-expanded", "arb:repomap")
_PREFIXES = ("arb:", FUSION)


class NamedArms:
    """Makes the arms that are asked for by name; `others` are those that there are whoever asks."""

    def __init__(self, others: Mapping[str, Arm], candidate_filter: str | None) -> None:
        corpus = Corpus(candidate_filter or ALL_FILES)
        rankers: list[Arm] = [
            Lexical("arb:lexical", corpus),
            ChunkBM25("arb:bm25", corpus),
            PatternGrep("arb:grep-strict", corpus, expanded=False),
            PatternGrep("arb:grep-expanded", corpus, expanded=True),
            RepoMapArm("arb:repomap", corpus),
        ]
        self._arms = {**others, **{arm.name: arm for arm in rankers}}

    def get(self, name: str) -> Arm | None:
        """The arm of a name, the same one again when asked again; None where there is none.

        Raises SettingsError for a fusion that cannot be made.
        """
        if name not in self._arms and (parts := components(name)) is not None:
            self._arms[name] = self._fusion(name, parts)
        return self._arms.get(name)

    @property
    def names(self) -> list[str]:
        """The names of the arms that can be named without more ado."""
        return sorted(self._arms, key=arm_rank)

    def _fusion(self, name: str, parts: list[str]) -> Fusion:
        if len(parts) < 2 or len(set(parts)) < len(parts):
            raise SettingsError(f"{name}: a fusion is made of two arms or more, each once")
        arms = []
        for part in parts:
            arm = self.get(part)
            if arm is None:
                raise SettingsError(f"{name}: {unknown('arm', part, self.names)}")
            arms.append(arm)
        return Fusion(name, arms)


def filters_candidates(arm: Arm) -> bool:
    """Whether the candidate filter makes a difference to an arm."""
    return isinstance(arm, Ranker) or (isinstance(arm, Fusion) and any(map(filters_candidates, arm.arms)))


def is_reserved(name: str) -> bool:
    """Whether a name is of an arm that is made by its name, so that no other one can have it."""
    return name.startswith(_PREFIXES)

"""Arms that run only where they are named: the rankers of Agent Retrieval Bench, floors, and fusions of arms."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pytest_retrieval_bench.arms.arb.bm25 import ChunkBM25
from pytest_retrieval_bench.arms.arb.corpus import Corpus
from pytest_retrieval_bench.arms.arb.dense.arm import Dense, Tell
from pytest_retrieval_bench.arms.arb.dense.settings import DenseSettings, check_installed, model_folder
from pytest_retrieval_bench.arms.arb.grep import PatternGrep
from pytest_retrieval_bench.arms.arb.lexical import Lexical
from pytest_retrieval_bench.arms.arb.ranker import Ranker
from pytest_retrieval_bench.arms.arb.repomap.arm import RepoMapArm
from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.floor.fts5 import FullTextSearch
from pytest_retrieval_bench.arms.floor.random_order import RANDOM, RandomOrder
from pytest_retrieval_bench.arms.floor.settings import FTS5, TOKENIZERS, FullTextSettings
from pytest_retrieval_bench.arms.fusion import Fusion
from pytest_retrieval_bench.errors import SettingsError, unknown
from pytest_retrieval_bench.model import arm_rank
from pytest_retrieval_bench.text.arm_names import FUSION, components

RANKERS = ("arb:lexical", "arb:bm25", "arb:grep-strict", "arb:grep-expanded", "arb:repomap")
DENSE = "dense:"
_PREFIXES = ("arb:", DENSE, FUSION, FTS5)
FLOORS = (*(f"{FTS5}{tokenizer}" for tokenizer in TOKENIZERS), RANDOM)


class DenseArms:
    """Makes arms that embed the chunks of a corpus, keep the vectors in a folder and tell how far they are."""

    def __init__(self, corpus: Corpus, cache_folder: Path | None, tell: Tell) -> None:
        self._corpus = corpus
        self._cache_folder = cache_folder
        self._tell = tell

    def __call__(self, name: str, settings: DenseSettings) -> Arm:
        """The arm of that name."""
        return Dense(name, self._corpus, settings, self._cache_folder, self._tell)


class NamedArms:
    """Makes the arms that are asked for by name; `others` are those that there are whoever asks.

    Models of `dense:MODEL` that are folders are relative to `directory`, the caller's.
    """

    def __init__(self, others: Mapping[str, Arm], corpus: Corpus, dense: DenseArms, directory: Path) -> None:
        self._dense = dense
        self._directory = directory
        rankers: list[Arm] = [
            Lexical("arb:lexical", corpus),
            ChunkBM25("arb:bm25", corpus),
            PatternGrep("arb:grep-strict", corpus, expanded=False),
            PatternGrep("arb:grep-expanded", corpus, expanded=True),
            RepoMapArm("arb:repomap", corpus),
            RandomOrder(),
        ]
        self._arms = {**others, **{arm.name: arm for arm in rankers}}

    def get(self, name: str) -> Arm | None:
        """The arm of a name, the same one again when asked again; None where there is none.

        Raises SettingsError for a fusion or a model that is not to be had.
        """
        if name not in self._arms and (parts := components(name)) is not None:
            self._arms[name] = self._fusion(name, parts)
        if name not in self._arms and name.startswith(DENSE):
            check_installed(name)
            model = name.removeprefix(DENSE)
            self._arms[name] = self._dense(name, DenseSettings(model, model_folder(model, self._directory, name)))
        if name not in self._arms and name.startswith(FTS5):
            self._arms[name] = FullTextSearch(name, FullTextSettings.from_name(name))
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
    return name == RANDOM or name.startswith(_PREFIXES)

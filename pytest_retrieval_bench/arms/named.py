"""Arms that run only where they are named: rankers of Agent Retrieval Bench, floors, and what is made of other arms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
from pytest_retrieval_bench.arms.composed import Composed
from pytest_retrieval_bench.arms.floor.fts5 import FullTextSearch
from pytest_retrieval_bench.arms.floor.random_order import RANDOM, RandomOrder
from pytest_retrieval_bench.arms.floor.settings import FTS5, TOKENIZERS, FullTextSettings
from pytest_retrieval_bench.arms.floor.symbols import SYMBOLS, SymbolLookup
from pytest_retrieval_bench.arms.fusion import Fusion, WeightedFusion
from pytest_retrieval_bench.arms.rerank import Reranker
from pytest_retrieval_bench.arms.weights import read_weights
from pytest_retrieval_bench.errors import SettingsError, unknown
from pytest_retrieval_bench.model import arm_rank
from pytest_retrieval_bench.text.arm_names import FUSION, RERANKER, components, reranked

RANKERS = ("arb:lexical", "arb:bm25", "arb:grep-strict", "arb:grep-expanded", "arb:repomap")
DENSE = "dense:"
_WEIGHTED = "weighted:"
_CROSS_ENCODER_FILE = "config.json"
_PREFIXES = ("arb:", DENSE, FUSION, RERANKER, FTS5, _WEIGHTED)
FLOORS = (*(f"{FTS5}{tokenizer}" for tokenizer in TOKENIZERS), RANDOM, SYMBOLS)


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

        Raises SettingsError for a fusion, a model or weights that are not to be had.
        """
        if name not in self._arms:
            made = self._made(name)
            if made is not None:
                self._arms[name] = made
        return self._arms.get(name)

    def _made(self, name: str) -> Arm | None:
        if (parts := components(name)) is not None:
            if len(parts) < 2 or len(set(parts)) < len(parts):
                raise SettingsError(f"{name}: a fusion is made of two arms or more, each once")
            return Fusion(name, self._parts(name, parts))
        if (reranker := reranked(name)) is not None:
            check_installed(name)
            model, first = reranker
            folder = model_folder(model, self._directory, name, _CROSS_ENCODER_FILE)
            return Reranker(name, self._parts(name, [first]), folder)
        if name.startswith(_WEIGHTED):
            weights = read_weights(self._directory / name.removeprefix(_WEIGHTED), name)
            return WeightedFusion(name, self._parts(name, list(weights.by_arm)), weights)
        if name.startswith(DENSE):
            check_installed(name)
            model = name.removeprefix(DENSE)
            return self._dense(name, DenseSettings(model, model_folder(model, self._directory, name)))
        if name.startswith(FTS5):
            return FullTextSearch(name, FullTextSettings.from_name(name))
        return SymbolLookup() if name == SYMBOLS else None

    @property
    def names(self) -> list[str]:
        """The names of the arms that can be named without more ado."""
        return sorted(self._arms, key=arm_rank)

    def _parts(self, name: str, parts: Sequence[str]) -> list[Arm]:
        arms = []
        for part in parts:
            arm = self.get(part)
            if arm is None:
                raise SettingsError(f"{name}: {unknown('arm', part, self.names)}")
            arms.append(arm)
        return arms


def first_stages(arms: Iterable[Arm]) -> list[Arm]:
    """The arms that rerankers among these are held against: what a reranker is worth is what it adds to them."""
    return [first for arm in arms if isinstance(arm, Reranker) for first in arm.arms]


def filters_candidates(arm: Arm) -> bool:
    """Whether the candidate filter makes a difference to an arm."""
    return isinstance(arm, Ranker) or (isinstance(arm, Composed) and any(map(filters_candidates, arm.arms)))


def is_reserved(name: str) -> bool:
    """Whether a name is of an arm that is made by its name, so that no other one can have it."""
    return name in (RANDOM, SYMBOLS) or name.startswith(_PREFIXES)

"""`rerank:MODEL(FIRST)`: the first files of another arm in the order of a cross-encoder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from pytest_retrieval_bench.arms.arb.dense.settings import model_digest
from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.composed import Composed
from pytest_retrieval_bench.model import Answer, Json, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

DEPTH: Final = 50
_BATCH = 32


class Reranker(Composed):
    """Asks its first stage, and sorts the first 50 of its files by what a cross-encoder says of question and file.

    A file is its path and its text, which the model cuts where its window ends. What comes after the 50 stays behind
    them as it was; ties keep the order of the first stage. Where that is silent, so is this.
    """

    def __init__(self, name: str, arms: Sequence[Arm], folder: Path) -> None:
        super().__init__(name, arms)
        self.timeout_s = None  # a cross-encoder on a processor takes what it takes
        self.folder = folder

    def made_of(self, arms: Sequence[Arm]) -> Reranker:
        """The same model behind another first stage."""
        made = Reranker(self.name, arms, self.folder)
        vars(made)["_model"] = self._model  # loaded once
        return made

    def describe(self) -> dict[str, Json]:
        """What the registration binds the arm to; the model is digested each time that it is asked for."""
        return {
            "kind": "rerank",
            "model": self.folder.name,
            "model_sha256": model_digest(self.folder),
            "depth": DEPTH,
            "arms": [arm.name for arm in self.arms],
            "bound_to": self.bound_arms(),
        }

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """The reranked files, or what is wrong with the answer of the first stage."""
        answers = self.answers(query, snapshot, limit)
        if isinstance(answers, Answer):
            return answers
        (first,) = answers
        ranking = [] if first.abstained else list(dict.fromkeys(first.ranking))
        head = [path for path in ranking[:DEPTH] if snapshot.size(path) is not None]
        scores = self._scores(query.plain, [f"{path}\n{snapshot.text(path)}" for path in head])
        order = sorted(range(len(head)), key=lambda place: -scores[place])
        ranked = [head[place] for place in order]
        return Answer([*ranked, *(path for path in ranking if path not in set(ranked))])

    def _scores(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        pairs = [(question, text) for text in texts]
        found = self._model.predict(pairs, batch_size=_BATCH, show_progress_bar=False)
        return [float(score) for score in found]

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import CrossEncoder

        return CrossEncoder(str(self.folder), num_labels=1, local_files_only=True)

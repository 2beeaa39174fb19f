"""`random`: every file in an order of chance, so that one sees where chance alone puts each figure."""

from __future__ import annotations

import random
from typing import Final

from pytest_retrieval_bench.model import Answer, Json, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

RANDOM: Final = "random"


class RandomOrder:
    """Ranks all files of a snapshot in a random order, another one for each question, the same one in each run.

    Of N files, the k first hold a share of k / N of any gold: the mean recall that a run should have.
    """

    name = RANDOM

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def describe(self) -> dict[str, Json]:
        """What the registration binds the arm to."""
        return {"kind": "random", "seed": self._seed}

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """The files, shuffled by the seed, the snapshot and the text of the question."""
        paths = sorted(snapshot.paths)
        random.Random(f"{self._seed}\n{snapshot.repo}@{snapshot.commit}\n{query.text}").shuffle(paths)
        return Answer(paths)

"""Dividing a run over machines that know nothing of each other (`--rb-shard=K/N`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_retrieval_bench.model import Sample

# What an item costs beside its snapshot, in bytes of chunk file that are read and indexed in the same time.
_ITEM_BYTES = 200_000


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `number` of `of`, counted from 1: the places of its samples among those of the whole run."""

    number: int
    of: int
    ordinals: tuple[int, ...]


def shard_of(samples: Sequence[Sample], number: int, of: int, arms: int, size: Callable[[str, str], int]) -> Shard:
    """Part `number` of `of`; the parts together hold each sample once.

    The samples of a snapshot stay together. Snapshots go, the most expensive first, to the shard that has least to do:
    within 4/3 of the best division (R. L. Graham, Bounds on multiprocessing timing anomalies, 1969). The same samples
    and sizes give the same shards on every machine. `size` gives the bytes of a snapshot (repository, commit).
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for ordinal, sample in enumerate(samples):
        groups.setdefault((sample.repo, sample.base_commit), []).append(ordinal)
    costs = {key: size(*key) + _ITEM_BYTES * arms * len(members) for key, members in groups.items()}
    loads = [0] * of
    ordinals: list[int] = []
    for key in sorted(groups, key=lambda key: (-costs[key], key)):
        least = loads.index(min(loads))
        loads[least] += costs[key]
        if least == number - 1:
            ordinals += groups[key]
    return Shard(number, of, tuple(sorted(ordinals)))

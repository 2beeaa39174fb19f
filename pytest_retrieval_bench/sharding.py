"""Dividing a run over machines that know nothing of each other (`--rb-shard=K/N`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_retrieval_bench.model import Sample

# What an item costs beside its snapshot, in bytes of chunk file that are read and indexed in the same time.
_ITEM_BYTES = 200_000


def shard_of(
    samples: Sequence[Sample], number: int, of: int, arms: int, size: Callable[[str, str], int]
) -> tuple[int, ...]:
    """The ordinals of the samples in shard `number` of `of`, counted from 1; the shards together hold each sample once.

    The samples of a snapshot stay together. Snapshots go, the most expensive first, to the shard that has least to do:
    within 4/3 of the best division (R. L. Graham, Bounds on multiprocessing timing anomalies, 1969). The same samples
    and sizes give the same shards on every machine. `size` gives the bytes of a snapshot (repository, commit).
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for ordinal, sample in enumerate(samples):
        groups.setdefault((sample.repo, sample.base_commit), []).append(ordinal)
    costs = {key: size(*key) + _ITEM_BYTES * arms * len(ordinals) for key, ordinals in groups.items()}
    loads = [0] * of
    shard: list[int] = []
    for key in sorted(groups, key=lambda key: (-costs[key], key)):
        least = loads.index(min(loads))
        loads[least] += costs[key]
        if least == number - 1:
            shard += groups[key]
    return tuple(sorted(shard))

"""What a whole benchmark costs on 1 to 64 workers: a simulation of pytest-xdist's work stealing. Run by hand:

    python -m tests.studies.workers

308 snapshots, 427 samples and 8 arms, as Agent Retrieval Bench has them. What a step costs was measured on 2 cores:
16 ms for a MB of chunk file read and indexed, 0.14 s for a disposable copy, 2 ms for a lexical answer; 0.3 s for an
answer of a command is assumed. Workers hold two snapshots; one that meets another builds it.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field

SNAPSHOTS, SAMPLES, LEXICAL, COMMANDS = 308, 427, 4, 4
INDEX_S_PER_MB, COPY_S, LEXICAL_S, COMMAND_S = 0.016, 0.14, 0.002, 0.3
MEAN_MB, HELD = 12, 2
WORKERS = (1, 2, 4, 8, 16, 32, 64)


@dataclass
class Worker:
    """A worker's queue of items, each the number of its snapshot and whether a command answers."""

    queue: deque[tuple[int, bool]]
    busy_until: float = 0
    held: deque[int] = field(default_factory=lambda: deque(maxlen=HELD))
    built: int = 0


def items_of(source: random.Random) -> tuple[list[tuple[int, bool]], list[float]]:
    """The items in the plugin's order, snapshot by snapshot, the large ones first; and the snapshots' MB."""
    sizes = sorted((MEAN_MB * source.lognormvariate(-0.5, 1) for _ in range(SNAPSHOTS)), reverse=True)
    samples = [*range(SNAPSHOTS), *(source.randrange(SNAPSHOTS) for _ in range(SAMPLES - SNAPSHOTS))]
    arms = [False] * LEXICAL + [True] * COMMANDS
    return [(snapshot, command) for snapshot in sorted(samples) for command in arms], sizes


def simulate(count: int, items: list[tuple[int, bool]], sizes: list[float]) -> tuple[float, int]:
    """Seconds until the last item is done, and how many snapshots were built."""
    share = -(-len(items) // count)
    workers = [Worker(deque(items[start * share : (start + 1) * share])) for start in range(count)]
    while True:
        worker = min(workers, key=lambda worker: worker.busy_until)
        if not worker.queue:
            richest = max(workers, key=lambda other: len(other.queue))
            stolen = len(richest.queue) // 2
            if stolen < 2:
                if not richest.queue:
                    return max(worker.busy_until for worker in workers), sum(worker.built for worker in workers)
                worker.busy_until = max(worker.busy_until, richest.busy_until) + 1e-9
                continue
            worker.queue.extend(reversed([richest.queue.pop() for _ in range(stolen)]))
        snapshot, command = worker.queue.popleft()
        if snapshot not in worker.held:
            worker.held.append(snapshot)
            worker.built += 1
            worker.busy_until += INDEX_S_PER_MB * sizes[snapshot] + COPY_S
        worker.busy_until += COMMAND_S if command else LEXICAL_S


def main() -> None:
    """Prints the table of docs/many-machines.md."""
    items, sizes = items_of(random.Random(1))
    alone = simulate(1, items, sizes)[0]
    print("| workers | seconds | times faster | snapshots built |\n| --- | --- | --- | --- |")  # noqa: T201
    for count in WORKERS:
        seconds, built = simulate(count, items, sizes)
        print(f"| {count} | {seconds:.0f} | {alone / seconds:.1f} | {built} |")  # noqa: T201


if __name__ == "__main__":
    main()

"""How often two tests call an arm that loses the margin exactly not inferior: a simulation, run by hand.

    python -m tests.studies.margins > table.md

takes a few seconds. pytest does not collect it: its name is none of a test.

Each difference is -1, 0 or 1, and their true mean is minus the margin: to rule that out is wrong. Both tests promise to
do so in 2.5% of benchmarks, one side of 5%.
"""

from __future__ import annotations

import sys

import numpy as np

from pytest_retrieval_bench.statistics.bca import bca_means
from pytest_retrieval_bench.statistics.randomization import sign_flips

MARGIN = 0.05
REPLICATIONS = 4000
# Samples, and the shares of them that lose and win.
BENCHMARKS = ((30, 0.1, 0.05), (53, 0.1, 0.05), (53, 0.05, 0.0), (120, 0.1, 0.05), (120, 0.05, 0.0), (345, 0.1, 0.05))
_SEED = 20
_LEVEL = 0.05


def main() -> None:
    random = np.random.RandomState(_SEED)
    sys.stdout.write("| n | lose | win | randomization | BCa |\n| ---: | ---: | ---: | ---: | ---: |\n")
    for n, lose, win in BENCHMARKS:
        differences = random.choice([-1.0, 0.0, 1.0], (REPLICATIONS, n), p=[lose, 1 - lose - win, win])
        shifted = differences + MARGIN
        flipped = [found.p < _LEVEL for found in sign_flips(shifted.tolist())]
        by_signs = 100 * float((np.array(flipped) & (shifted.mean(axis=1) > 0)).mean())
        by_interval = 100 * float(np.mean([low > -MARGIN for low, _ in bca_means(differences.tolist())]))
        sys.stdout.write(f"| {n} | {lose:g} | {win:g} | {by_signs:.1f} | {by_interval:.1f} |\n")


if __name__ == "__main__":
    main()

"""Peak memory over chunk files that are larger than memory should be.

    RB_SPEED_GB=4 pytest tests/speed/bench_memory.py -s

Prints the peak resident size of the run; wanted: under 1 GiB, whatever the size of the corpus.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.speed.corpus import write_large_corpus


def test_peak_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gigabytes = float(os.environ.get("RB_SPEED_GB", "0.4"))
    write_large_corpus(tmp_path, int(gigabytes * 1e9))
    code = (
        "import pytest, resource, sys; status = pytest.main(sys.argv[1:]); "
        "print('peak', resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, 'MiB'); sys.exit(status)"
    )
    options = ["--rb-samples=samples.jsonl", "--rb-corpus=corpus", "--rb-no-cache", "-q", "-p", "no:cacheprovider"]
    command = [sys.executable, "-c", code, *options]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    with capsys.disabled():
        print(f"\n{gigabytes} GB: {finished.stdout.splitlines()[-1]}")  # noqa: T201
    assert int(finished.stdout.split()[-2]) < 1024

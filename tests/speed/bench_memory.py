"""Peak memory over chunk files that are larger than memory should be.

    RB_SPEED_GB=4 pytest tests/speed/bench_memory.py -s

Prints the peak resident size of the run; wanted: under 1 GiB, whatever the size of the corpus.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.small_benchmark import ROWS
from tests.speed.corpus import library_files

SNAPSHOT_BYTES = 40_000_000


def test_peak_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Snapshots of 40 MB in four repositories: file rows, and symbol rows of three times their size."""
    gigabytes = float(os.environ.get("RB_SPEED_GB", "0.4"))
    rows = []
    files = list(library_files(1500, SNAPSHOT_BYTES // 4))
    for number in range(int(gigabytes * 1e9 / SNAPSHOT_BYTES)):
        repo, commit = f"acme/repository-{number % 4}", f"{number:040x}"
        folder = tmp_path / "corpus" / repo.replace("/", "__")
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"{commit}.chunks.jsonl").open("w", encoding="utf-8") as stream:
            for place, (path, text) in enumerate(files):
                changed = text if place % 5 else f"{text}\nchanged_in_{number}_{place} = {number}\n"
                stream.write(json.dumps({"kind": "file", "path": path, "text": changed}) + "\n")
                for _ in range(3):
                    stream.write(json.dumps({"kind": "symbol", "path": path, "text": text}) + "\n")
        rows.append({**ROWS[2], "id": str(number), "repo": repo, "base_commit": commit})
    (tmp_path / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
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

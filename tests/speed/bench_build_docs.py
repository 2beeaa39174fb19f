"""The descriptive tier of 250 pages of documentation and 900 files of source, as large as Django's.

    pytest tests/speed/bench_build_docs.py -s

Prints the CPU time from the clone to the written suite and the peak resident size, of the repository that is made here
and, where `RB_CLONES` names a folder with the clone `django`, of Django; wanted: under 60 s and 1 GiB.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.snapshots.worktree import make_worktree

CLONES = os.environ.get("RB_CLONES")
PAGES, SECTIONS, MODULES, CLASSES = 250, 15, 900, 10
_MEASURED = """
import resource, sys
from pytest_retrieval_bench.__main__ import main
status = main(["build", "docs", *sys.argv[1:]])
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
sys.exit(status)
"""


def write_large_repository(folder: Path) -> str:
    """Makes a clone whose pages name methods of its modules; the id of its commit."""
    source = random.Random(1)
    words = ["".join(source.choices("abcdefghijklmnopqrstuvwxyz", k=source.randint(3, 12))) for _ in range(20_000)]

    def prose(count: int) -> str:
        return " ".join(source.choices(words, k=count))

    def name() -> str:
        return f"shop.module_{source.randrange(MODULES)}.Class{source.randrange(CLASSES)}.method"

    def section(number: int) -> str:
        signature = f".. method:: {name()}(x)\n\n   {prose(60)}\n"
        return (
            f"Section {number}\n----------\n\n{prose(60)} :meth:`~{name()}` ``{prose(1)}`` {prose(60)}\n\n{signature}\n"
        )

    pages = {f"docs/page_{page}.rst": "".join(map(section, range(SECTIONS))) for page in range(PAGES)}
    methods = "    def method(self, x): return x + 1\n" * 20
    body = "".join(f"class Class{one}:\n{methods}" for one in range(CLASSES))
    modules = {f"shop/module_{number}.py": body for number in range(MODULES)}
    files = {**pages, **modules, "shop/__init__.py": ""}
    return make_worktree(folder, {path: text.encode() for path, text in files.items()})


def measure(folder: Path, *arguments: str) -> tuple[float, float]:
    """CPU seconds and MiB of one build."""
    command = [sys.executable, "-c", _MEASURED, f"--out={folder}", *arguments]
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, mebibytes = map(float, finished.stdout.split()[-2:])
    return seconds, mebibytes


def test_a_repository_as_large_as_django(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commit = write_large_repository(tmp_path / "shop")
    seconds, mebibytes = measure(tmp_path / "suite", f"--git={tmp_path / 'shop'}", f"--commit={commit}")
    with capsys.disabled():
        print(f"\n{PAGES} pages, {MODULES} modules: {seconds:.1f} s of CPU, {mebibytes:.0f} MiB at most")  # noqa: T201
    assert mebibytes < 1024


@pytest.mark.skipif(not CLONES, reason="RB_CLONES does not name a folder with the clone django")
def test_django_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clone = [f"--git={Path(CLONES or '') / 'django'}", "--commit=7d75c0b9285f0e29cb796c647cc27f2076f9d49c"]
    seconds, mebibytes = measure(tmp_path / "suite", *clone, "--repo=django/django")
    with capsys.disabled():
        print(f"\ndjango, release notes included: {seconds:.1f} s of CPU, {mebibytes:.0f} MiB at most")  # noqa: T201
    assert mebibytes < 1024

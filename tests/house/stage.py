"""The files that pages speak of without making them, made when a command is the first to name one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

DEMO = Path(__file__).parents[2] / "benchmark_suites" / "demo"
RELEASE = "v2_code2test"
SAMPLES_OF_RELEASE = 106
ARCHIVE = f"agent_retrieval_bench_{RELEASE}.tar.zst"

CARTS = """\
Carts
=====

:func:`shop.cart.total` adds up what somebody wants to buy until it is paid for, and forgets it when that
takes more than a day, or two, or three.
"""
PROGRAM = """\
#!/usr/bin/env python3
import json, pathlib, sys

if sys.argv[1] == "search":
    root, question = pathlib.Path(sys.argv[3]), sys.stdin.read()
    found = [path for path in sorted(root.rglob("*.*")) if path.name in question and ".git" not in path.parts]
    print(json.dumps({"hits": [{"file": str(path.relative_to(root)), "score": 1.0} for path in found]}))
elif sys.argv[1] == "--version":
    print("mine 1.0")
"""


def set_stage(command: str, folder: Path) -> None:
    """Makes what a command reads and nobody has made; not what it writes."""
    for name, make in MAKERS.items():
        named = re.search(rf"(?:^|\s|=)(?<!output=){re.escape(name)}(?![\w.-])", command)
        if named and not (folder / name).exists():
            make(folder / name)


def samples(path: Path) -> None:
    """The samples of the demo, as a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(DEMO / "samples.jsonl", path)


def corpus(path: Path) -> None:
    """The corpus of the demo."""
    shutil.copytree(DEMO / "corpus", path)


def clone(path: Path) -> None:
    """A clone with one commit, tagged."""
    (path / "shop").mkdir(parents=True)
    (path / "shop" / "cart.py").write_text("def total(): ...\n", encoding="utf-8")
    (path / "docs").mkdir()
    (path / "docs" / "carts.rst").write_text(CARTS, encoding="utf-8")
    identity = ["-c", "user.name=newcomer", "-c", "user.email=newcomer@example.org"]
    for command in (["init", "-q"], ["add", "."], [*identity, "commit", "-qm", "A shop"], ["tag", "v1.2"]):
        subprocess.run(["git", "-C", path, *command], check=True)


def report(path: Path, arms: str) -> None:
    """The report of a run of these arms."""
    given = ["--rb-suite=demo", f"--rb-arms={arms}", f"--rb-output={path.name}"]
    subprocess.run(["pytest", "-q", "--noconftest", *given], cwd=path.parent, check=True)


def trec_run(path: Path) -> None:
    """Rankings as a TREC run."""
    given = ["--rb-suite=demo", "--rb-arms=grep", "--rb-trec=trec-of-grep"]
    subprocess.run(["pytest", "-q", "--noconftest", *given], cwd=path.parent, check=True)
    shutil.move(path.parent / "trec-of-grep" / "grep.run", path)


def release(data: Path) -> None:
    """A release with as many samples as the real one has."""
    rows = [json.loads(row) for row in (DEMO / "samples.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["task_type"] == "code2test"]
    many = [row | {"id": f"{row['id']}-{time}"} for time in range(SAMPLES_OF_RELEASE) for row in rows]
    file = data / "benchmark" / RELEASE / "code2test.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text("".join(f"{json.dumps(row)}\n" for row in many[:SAMPLES_OF_RELEASE]), encoding="utf-8")
    shutil.copytree(DEMO / "corpus", data / "corpus" / RELEASE)


def archive(path: Path) -> None:
    """The same release as the archive that is published."""
    from tests.releases.small_release import members_of, write_archive

    unpacked = path.with_name("release-to-pack")
    release(unpacked)
    write_archive(path, members_of(unpacked))


def page_itself(path: Path) -> None:
    """The page that is followed, where it checks its own numbers."""
    path.parent.mkdir(exist_ok=True)
    shutil.copy(DEMO.parents[1] / "docs" / path.name, path)


def retriever(path: Path) -> Path:
    """A program as a user may have one: it finds the files whose names the question holds."""
    path.write_text(PROGRAM, encoding="utf-8")
    path.chmod(0o755)
    return path


MAKERS: dict[str, Callable[[Path], None]] = {
    f"benchmark/{RELEASE}/code2test.jsonl": samples,
    f"corpus/{RELEASE}": corpus,
    "samples.jsonl": samples,
    "benchmark_suites/demo/samples.jsonl": samples,
    "benchmark_suites/demo/corpus": corpus,
    "balanced.jsonl": samples,
    "natural.jsonl": samples,
    "corpus": corpus,
    "clones/shop": clone,
    "data": release,
    f"data/benchmark/{RELEASE}": lambda path: release(path.parents[1]),
    ARCHIVE: archive,
    "run.trec": trec_run,
    "lexical.json": partial(report, arms="grep,bm25"),
    "mine.json": partial(report, arms="grep-ident"),
    "old.json": partial(report, arms="grep"),
    "new.json": partial(report, arms="grep"),
    **{f"run{number}.json": partial(report, arms="grep") for number in range(1, 6)},
    "docs/publishing.md": page_itself,
    "report.json": partial(report, arms="grep,bm25:all,arb:lexical,arb:repomap"),
}

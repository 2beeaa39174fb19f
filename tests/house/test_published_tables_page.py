"""docs/published-tables.md: each of its commands, in its order, over small releases with the names of the real ones."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.__main__ import main
from tests.conftest import Run
from tests.small_benchmark import CLOCK, COMMIT, ROWS, SHOP, SmallBenchmark

PAGE = (Path(__file__).parents[2] / "docs" / "published-tables.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^(?:\|.*?`)?((?:pytest|python) -[^`\n]+)(?:`.*)?$", PAGE, re.MULTILINE)
(PROGRAM,) = re.findall(r"```python\n(.+?)\n *```", PAGE, re.DOTALL)
TREES = {"acme/shop": SHOP, "acme/clock": CLOCK}
CORPUS = {"type": "repo_at_base_commit", "base_commit": COMMIT}


def test_the_commands_of_the_page_are_found() -> None:
    assert len(COMMANDS) == PAGE.count("pytest --rb-s") + PAGE.count("python -m") + PAGE.count("python -c") > 15


def rows_of(release: str) -> list[dict[str, Any]]:
    """Rows with ids of the release's own: questions with gold, or, for the lists of selective retrieval, all."""
    kept = ROWS if "selective" in release else ROWS[:3]
    rows = [{**row, "id": f"{release}-{row['id']}", "candidate_corpus": CORPUS} for row in kept]
    for row in rows[:3]:
        row["gold"] = {"root_cause_files": row["gold"].get("files"), **row["gold"]}
    return rows


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def write_release(folder: Path, release: str) -> None:
    """A release as it is unpacked, with a manifest of its corpus."""
    write(folder / "benchmark" / release / "samples.jsonl", rows_of(release))
    manifest = [{"repo": repo, "file_count": len(tree), "chunk_count": len(tree)} for repo, tree in TREES.items()]
    write(folder / "corpus" / release / "corpus_manifest.jsonl", manifest)
    for repo, tree in TREES.items():
        chunks = [{"kind": "file", "path": path, "text": text} for path, text in tree.items()]
        write(folder / "corpus" / release / repo.replace("/", "__") / f"{COMMIT}.chunks.jsonl", chunks)


def write_logs(folder: Path) -> None:
    """Logs of agents on the rows of one release, and predictions for them."""
    rows = [row for row in rows_of("v2_code2test") if "related_tests" in row["gold"]]
    for name in ("mini", "codex", "none", "random", "rrf"):
        stored = [
            {"sample_id": row["id"], "task_type": row["task_type"], "repo": row["repo"], "closed_tool": {},
             "gold_files": row["gold"]["related_tests"], "steps": [{"path": "README.md", "step": 1}]}
            for row in rows
        ]  # fmt: skip
        write(folder / f"{name}.jsonl", stored)
    write(folder / "LOG.jsonl", [{"sample_id": row["id"], "path": "README.md"} for row in rows])
    write(folder / "packets.jsonl", [{"sample_id": row["id"], "PES@20": 2} for row in rows])


def test_every_command_of_the_page_does_what_it_is_there_for(
    small: SmallBenchmark, run_plain: Run, run_apart: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    for release in set(re.findall(r"data/benchmark/(\w+)", PAGE)):
        write_release(small.folder / "data", release)
    write_logs(small.folder)
    for command in COMMANDS:
        program, *arguments = shlex.split(command)
        (small.folder / "agents.json").unlink(missing_ok=True)
        if program == "pytest":
            status = (run_apart if "-n" in arguments else run_plain)(*arguments, output=None).status
        elif arguments[0] == "-m":
            status = main(arguments[2:])
        else:
            status = subprocess.run([sys.executable, *arguments], check=False).returncode
        assert status == 0, f"{command}\n{capsys.readouterr()}"
        for option in ("--rb-output", "--output", "--rb-view-csv"):
            written = [argument.partition("=")[2] for argument in arguments if argument.startswith(f"{option}=")]
            assert all((small.folder / name).is_file() for name in written), command
    finished = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM)], capture_output=True, text=True, check=True
    )
    assert re.fullmatch(r"\d+ of 12\n", finished.stdout)

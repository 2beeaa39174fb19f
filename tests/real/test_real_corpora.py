"""Chunk files of real clones, where they are at hand: file rows as another builder of the same format made them.

`RB_REAL` names a folder with `corpus/` (OWNER__NAME/COMMIT.chunks.jsonl) and `clones/` (OWNER+NAME/repo).
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.builders.corpus import build_corpus

REAL = Path(os.environ.get("RB_REAL", ""))
CHUNK_FILES = sorted(REAL.glob("corpus/*/*.chunks.jsonl")) if (REAL / "clones").is_dir() else []


def file_rows(lines: bytes) -> list[dict[str, Any]]:
    rows = (json.loads(line) for line in lines.split(b"\n") if line)
    return [{name: value for name, value in row.items() if name != "chunk_id"} for row in rows if row["kind"] == "file"]


@pytest.mark.skipif(not os.environ.get("RB_REAL") or not CHUNK_FILES, reason="RB_REAL has no corpus and clones")
@pytest.mark.parametrize("chunk_file", CHUNK_FILES, ids=lambda path: f"{path.parent.name}-{path.name[:12]}")
def test_the_file_rows_of_a_real_commit_are_the_expected_ones(chunk_file: Path) -> None:
    owner, _, name = chunk_file.parent.name.partition("__")
    commit = chunk_file.name.partition(".")[0]
    made = build_corpus(REAL / "clones" / f"{owner}+{name}" / "repo", f"{owner}/{name}", commit)
    assert file_rows(made.data) == file_rows(chunk_file.read_bytes())
    assert made.symbols > made.files

"""Real samples over real corpora, where they are at hand: third-party data that the project does not carry.

`RB_REAL` names a folder with `samples.jsonl`, `expected.json` and `corpus/` (OWNER__NAME/COMMIT.chunks.jsonl).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CONFORMANCE, Run

REAL = Path(os.environ.get("RB_REAL", ""))


@pytest.mark.skipif(not os.environ.get("RB_REAL"), reason="RB_REAL does not name a folder with the real samples")
def test_the_real_samples_give_the_expected_values(run: Run) -> None:
    finished = run(
        f"--rb-samples={REAL / 'samples.jsonl'}", f"--rb-corpus={REAL / 'corpus'}", "--rb-arms=grep,grep-ident,bm25"
    )
    assert finished.status == 0
    command = [sys.executable, str(CONFORMANCE / "compare.py"), str(REAL / "expected.json"), str(finished.output)]
    compared = subprocess.run(command, capture_output=True, text=True, check=False)
    assert compared.stdout.strip().startswith("0 differences over"), compared.stdout

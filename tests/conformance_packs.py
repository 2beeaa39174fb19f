"""The conformance packs: how to run them, and how a report of one compares with the expected values."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.conftest import CONFORMANCE

CORVINT = f"--rb-corvint={CONFORMANCE / 'bin' / 'corvint'}"
EXPECTED = {"samples.jsonl": "expected.json", "contextbench.jsonl": "expected-contextbench.json"}


def pack(samples: str) -> list[str]:
    """The options of a pack."""
    return [f"--rb-samples={CONFORMANCE / samples}", f"--rb-corpus={CONFORMANCE / 'corpus'}"]


def compared(samples: str, report: Path, arms: str | None = None) -> str:
    """What `compare.py` prints of a pack's report: of its bytes, and of all arms or those that are named."""
    command = [sys.executable, str(CONFORMANCE / "compare.py"), str(CONFORMANCE / EXPECTED[samples]), str(report)]
    command += ["--canonical", *([] if arms is None else ["--arms", arms])]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    return (finished.stdout + finished.stderr).strip()

"""A small program with corvint's command line, made awkward by the tests that need it so."""

from __future__ import annotations

import sys
from pathlib import Path

# What it prints follows from the names of the files in the copy. Its context call tells whether the index is there.
_PROGRAM = """#!{python} -IS
import json, os, pathlib, sys

if sys.argv[1:] == ["--version"]:
    print("corvint 1.2.3")
    sys.exit()
root, verb, rest = pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
store = root / ".git" / "corvint" / "index"
files = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
names = sorted(path.as_posix() for path in files if path.parts[0] not in (".git", ".corvint"))
hit = store.exists()
state, score = "READY", 850

def trace():
    if os.environ.get("CORVINT_BENCH_SNAPSHOT_TRACE"):
        print("corvint-bench-snapshot: hit=" + str(hit).lower(), file=sys.stderr)

def emit(packet):
    print(json.dumps(packet))
    sys.exit()

def build_index():
    store.mkdir(parents=True, exist_ok=True)
    (store / "0.gob").write_text("index")

{awkward}
if verb == "index":
    build_index()
if verb == "query":
    emit({{"context": {{"state": "READY", "results": [{{"evidence": [{{"path": name}}]}} for name in names]}}}})
if verb == "context":
    trace()
    emit({{"state": state, "results": [{{"id": name, "score": score}} for name in names]}})
if verb == "impact":
    emit({{"context": {{"state": "READY", "results": [{{"evidence": [{{"path": name}} for name in names]}}]}}}})
if verb == "affected":
    emit({{"plan": {{"scope": "BOUNDED", "selected": [{{"tests": [name for name in names if "test" in name]}}]}}}})
"""


def write_corvint(path: Path, awkward: str = "") -> Path:
    """Writes the program; `awkward` is Python that runs before a verb does its usual."""
    path.write_text(_PROGRAM.format(python=sys.executable, awkward=awkward), encoding="utf-8")
    path.chmod(0o755)
    return path

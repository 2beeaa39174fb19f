"""The README from top to bottom as a newcomer follows it: each command as printed, what it shows of an output compared.

Run in a clone, with a fresh virtual environment first on PATH: `python .ci/newcomer.py`. What the README says is run
"in a clone" runs there; all else runs in a folder that has the files it speaks of, made from the demo suite.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "benchmark_suites" / "demo"
IN_CLONE = "In a clone"
COMMAND = re.compile(r"(?:pytest|python3?|pip|git) \S")
INLINE_COMMAND = re.compile(r"`((?:pytest|python -m pytest_retrieval_bench) [^`]+)`")
FENCE_OR_LINE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$|^(?!\|)([^\n]+)$", re.DOTALL | re.MULTILINE)
# The reports that are merged and compared, each from a run of these arms.
REPORTS = {"lexical": "grep,bm25", "mine": "grep-ident", "old": "grep", "new": "grep"}


@dataclass(frozen=True)
class Step:
    """A piece of the README: a `command`, an `output` of those before it, or code in a language."""

    kind: str
    text: str


def steps(section: str) -> Iterator[Step]:
    """The steps that a section shows, in its order; a block that follows no command is a picture."""
    commands = False
    for indent, language, block, line in FENCE_OR_LINE.findall(section):
        text = re.sub(f"^{indent}", "", block, flags=re.MULTILINE)
        if language:
            yield Step(language, text)
        elif COMMAND.match(text):
            commands = True
            yield from (Step("command", command) for command in text.splitlines())
        elif text and commands:
            yield Step("output", text)
        yield from (Step("command", command) for command in INLINE_COMMAND.findall(line))


def set_stage(folder: Path) -> None:
    """Makes the files that the README speaks of without making them."""
    samples, corpus = folder / "benchmark" / "v2_code2test" / "code2test.jsonl", folder / "corpus" / "v2_code2test"
    samples.parent.mkdir(parents=True)
    shutil.copy(DEMO / "samples.jsonl", samples)
    shutil.copytree(DEMO / "corpus", corpus)
    clone = folder / "clones" / "shop"
    (clone / "shop").mkdir(parents=True)
    (clone / "shop" / "cart.py").write_text("def total(): ...\n", encoding="utf-8")
    identity = ["-c", "user.name=newcomer", "-c", "user.email=newcomer@example.org"]
    for command in (["init", "-q"], ["add", "."], [*identity, "commit", "-qm", "A shop"], ["tag", "v1.2"]):
        subprocess.run(["git", "-C", clone, *command], check=True)
    for name, arms in REPORTS.items():
        follow(f"pytest -q --rb-suite=demo --rb-arms={arms} --rb-output={name}.json", folder)


def follow(command: str, folder: Path) -> list[str]:
    """Runs a command as a shell would, shows what it prints, and gives the lines; any end but a good one ends all."""
    print(f"$ {command}", flush=True)
    shell = ["bash", "-c", command]
    with subprocess.Popen(shell, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    if process.returncode:
        sys.exit(f"README.md: `{command}` ended with status {process.returncode}")
    return lines


def likeness(line: str) -> str:
    """A line without what differs between two runs: times, the number of processors, widths."""
    line = re.sub(r"in \d+\.\d+s( \(.*?\))?|\d+ cores?|\d+ process\w*|={2,}", "", line)
    return " ".join(re.sub(r"\d+\.\d\d$", "", line.rstrip()).split())


def compare(shown: str, printed: list[str]) -> None:
    """Looks for each shown line after the one before it; `...` stands for any."""
    rest = iter(map(likeness, printed))
    for line in shown.splitlines():
        if line.strip() != "..." and likeness(line) not in rest:
            sys.exit(f"README.md: no command printed, or not in this order: {line}")


def write_code(code: str, folder: Path) -> None:
    """Puts Python where the README says that it goes; what is neither an arm nor a test runs as it stands."""
    if "def pytest_retrieval_bench_arms" in code:
        (folder / "conftest.py").write_text(code, encoding="utf-8")
    elif re.search(r"^def test_", code, re.MULTILINE):
        (folder / "test_own.py").write_text(code, encoding="utf-8")
    else:
        (folder / "notebook.py").write_text(code, encoding="utf-8")
        follow("python notebook.py", folder)


def main() -> None:
    """Follows the README. Files that it shows for their form (JSON, TOML, YAML) are the matter of tests."""
    sections = re.split(r"^## ", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    in_clone = [section for section in sections if IN_CLONE in section]
    elsewhere = [section for section in sections if IN_CLONE not in section]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        for section in in_clone:
            follow_section(section, ROOT)
        set_stage(Path(folder))
        for section in elsewhere:
            follow_section(section, Path(folder))
    print("README.md: every command ran as it is printed")


def follow_section(section: str, folder: Path) -> None:
    """Does what a section says, in a folder."""
    printed: list[str] = []
    for step in steps(section):
        if step.kind == "command":
            printed += follow(step.text, folder)
        elif step.kind == "output":
            compare(step.text, printed)
        elif step.kind == "python":
            write_code(step.text, folder)
        elif step.kind not in ("json", "toml", "yaml"):
            sys.exit(f"README.md: nothing is known of code in {step.kind!r}")


if __name__ == "__main__":
    main()

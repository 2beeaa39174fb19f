"""Pages of documentation, done as they stand: each command run, each output compared, each piece of code put in place.

What has to be known of a page to do that:

- A block without a language that begins with a command holds commands; one after commands is what they print, where
  `...` stands for any lines; one before any command is a picture.
- `# exit status 1` behind a command says how it ends, where that is not 0.
- Code goes into the file that the line before it names (`conftest.py`), else where its kind belongs. Forms (JSON, TOML)
  that no line names a file for are not done here.
- A diff changes the file that the line before it names; `@@` stands between its parts.
- `<!-- not run: REASON -->` before a block keeps it from being done.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FENCED = re.compile(r"^( *)```([^\n]*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"(?:pytest|python3?|pip|git|cat) \S")
INLINE_COMMAND = re.compile(r"`((?:pytest --rb|python -m pytest_retrieval_bench [a-z]+ )[^`]+)`")
NOT_RUN = re.compile(r"<!-- not run: (.*?) -->\s*\Z")
NAMED_FILE = re.compile(r"`([a-z_/]+\.(?:py|toml|jsonl))`[^`\n]*:\s*\Z")
ENDS_WITH = re.compile(r"\s+# exit status (\d)$")
FORMS = ("json", "toml", "text")
# What makes the site; tests/house/test_site.py builds it, and any other directive is refused.
DIRECTIVES = ("{eval-rst}", "{toctree}", "{include}", "{option-table}")


@dataclass(frozen=True)
class Step:
    """A piece of a page: a `command`, an `output` of those before it, or code in a language.

    `file` is the one that the page names for code, `not_run` the reason why a block is not to be done.
    """

    kind: str
    text: str
    file: str | None = None
    not_run: str | None = None


class PageError(Exception):
    """Something of a page does not do what the page says; the message says what."""


def steps(page: str) -> Iterator[Step]:
    """The steps that a page, or a section of one, shows, in its order."""
    commands = False
    # Prose, then indentation, language and text of a block, and so on; prose at the end.
    prose, *rest = FENCED.split(page)
    yield from _inline(prose)
    for indentation, language, block, after in zip(*(rest[place::4] for place in range(4)), strict=True):
        text = re.sub(f"^{indentation}", "", block, flags=re.MULTILINE)
        reason = NOT_RUN.search(prose)
        named = NAMED_FILE.search(prose)
        if reason:
            yield Step(language or "command", text, not_run=reason[1])
        elif language:
            yield Step(language, text, file=named and named[1])
        elif COMMAND.match(text):
            commands = True
            yield from (Step("command", command) for command in text.replace("\\\n", " ").splitlines())
        elif commands:
            yield Step("output", text)
        prose = after
        yield from _inline(prose)


def _inline(prose: str) -> Iterator[Step]:
    """Commands in running text; those in tables are forms."""
    for line in prose.splitlines():
        if not line.startswith("|"):
            yield from (Step("command", command) for command in INLINE_COMMAND.findall(line))


def follow(page: str, folder: Path, name: str) -> None:
    """Does what a page says, in a folder.

    Raises PageError at the first step that does not do what the page says.
    """
    printed: list[str] = []
    for step in steps(page):
        if step.not_run is not None:
            continue
        if step.kind == "command":
            printed += _run(step.text, folder, name)
        elif step.kind == "output":
            _compare(step.text, printed, name)
            printed = []
        elif step.kind == "diff":
            _change(folder / (step.file or ""), step.text, name)
        elif step.file is not None:
            (folder / step.file).write_text(step.text, encoding="utf-8")
        elif step.kind == "python":
            _put_python(step.text, folder, name)
        elif step.kind.partition(" ")[0] not in (*FORMS, *DIRECTIVES):
            raise PageError(f"{name}: nothing is known of code in {step.kind!r}")


def _run(command: str, folder: Path, name: str) -> list[str]:
    """Runs a command as a shell would, shows what it prints, and gives the lines."""
    from tests.house.stage import set_stage

    set_stage(command, folder)
    ends_with = ENDS_WITH.search(command)
    sys.stdout.write(f"$ {command}\n")
    shell = ["bash", "-c", command]
    with subprocess.Popen(shell, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            lines.append(line)
    expected = int(ends_with[1]) if ends_with else 0
    if process.returncode != expected:
        raise PageError(f"{name}: `{command}` ended with status {process.returncode}, not {expected}")
    return lines


def _likeness(line: str) -> str:
    """A line without what differs between two runs: times, the number of processors, widths."""
    line = re.sub(r"in \d+\.\d+s( \(.*?\))?|\d+ cores?|\d+ process\w*|={2,}", "", line)
    return " ".join(re.sub(r"\d+\.\d\d$", "", line.rstrip()).split())


def _compare(shown: str, printed: list[str], name: str) -> None:
    """Looks for each shown line after the one before it."""
    rest = iter(map(_likeness, printed))
    for line in shown.splitlines():
        if line.strip() != "..." and _likeness(line) not in rest:
            raise PageError(f"{name}: no command printed, or not in this order: {line}")


def _change(file: Path, diff: str, name: str) -> None:
    """Does the parts of a diff; each must stand in the file once."""
    text = file.read_text(encoding="utf-8")
    for part in diff.split("@@\n"):
        lines = part.splitlines(keepends=True)
        before, after = ("".join(line[1:] for line in lines if line[0] != sign) for sign in "+-")
        # A line may be shown up to where it matters, so that the last line feed is not looked for.
        before, after = before.removesuffix("\n"), after.removesuffix("\n")
        if text.count(before) != 1:
            raise PageError(f"{name}: this does not stand once in {file.name}: {before}")
        text = text.replace(before, after)
    file.write_text(text, encoding="utf-8")


def _put_python(code: str, folder: Path, name: str) -> None:
    """Puts Python where it belongs: hooks, tests; what is neither runs as it stands."""
    if "def pytest_retrieval_bench_" in code:
        (folder / "conftest.py").write_text(code, encoding="utf-8")
    elif re.search(r"^def test_", code, re.MULTILINE):
        (folder / "test_own.py").write_text(code, encoding="utf-8")
    else:
        (folder / "notebook.py").write_text(code, encoding="utf-8")
        _run(shlex.join(["python", "notebook.py"]), folder, name)


def forms(page: str, language: str) -> list[str]:
    """The blocks of a language that a page shows for their form: no file is named for them."""
    return [step.text for step in steps(page) if step.kind == language and step.file is None]


def written(page: str, file: str) -> list[str]:
    """What a page puts into a file, in its order."""
    return [step.text for step in steps(page) if step.file == file]

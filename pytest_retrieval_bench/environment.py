"""What this environment can run and what it cannot, each with the line that mends it."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Literal

from packaging.requirements import Requirement

from pytest_retrieval_bench.errors import BenchmarkError
from pytest_retrieval_bench.index.cache import MAX_BYTES, IndexCache
from pytest_retrieval_bench.processes.child import run_child
from pytest_retrieval_bench.reporting.registration import cores

State = Literal["ready", "missing", "optional"]

DISTRIBUTION = "pytest-retrieval-bench"
# It knows `core.fsync`: copies of snapshots are not written through to the disk one by one.
MIN_GIT = (2, 36)
_LOW_SPACE_BYTES = 2 * 2**30
_OF_DEVELOPERS = ("test", "docs")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that runs need: `missing` keeps something from running, `optional` only what is named in `mend`.

    `mend` is the line that would make it ready, empty where it is.
    """

    name: str
    state: State
    found: str
    mend: str = ""


def findings(cache_folder: Path, corvint: str) -> Iterator[Finding]:
    """What there is to say of this process's environment; `corvint` is a path, or a name to be looked for on PATH."""
    yield _python()
    yield from _packages()
    yield _git()
    yield _corvint(corvint)
    yield from _extras()
    yield _cache(cache_folder)
    yield _temporary_folder()
    yield Finding("processors", "ready", f"{cores()}; pytest -n {os.cpu_count() or 1} uses them all")


def _python() -> Finding:
    found = f"{sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}"
    return Finding("Python", "ready", found)


def _packages() -> Iterator[Finding]:
    """The plugin itself, which pytest finds by its metadata, and what every run needs, in the versions asked for."""
    yield _package(Requirement(DISTRIBUTION), "missing", f"pip install {DISTRIBUTION}")
    for requirement in _requirements():
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield _package(requirement, "missing", f"pip install '{requirement.name}{requirement.specifier}'")


def _extras() -> Iterator[Finding]:
    """What is installed on demand, an extra a line."""
    extras: dict[str, list[Requirement]] = {}
    for requirement in _requirements():
        for extra in re.findall(r"""extra == ['"]([\w-]+)['"]""", str(requirement.marker or "")):
            if extra not in _OF_DEVELOPERS:
                extras.setdefault(extra, []).append(requirement)
    for extra, members in sorted(extras.items()):
        mend = f"pip install '{DISTRIBUTION}[{extra}]'"
        found = [_package(requirement, "optional", mend) for requirement in members]
        lacking = [one for one in found if one.state != "ready"]
        words = ", ".join(f"{one.name} {one.found}" for one in found)
        yield Finding(f"[{extra}]", "optional" if lacking else "ready", words, mend if lacking else "")


def _requirements() -> list[Requirement]:
    try:
        return [Requirement(text) for text in requires(DISTRIBUTION) or ()]
    except PackageNotFoundError:
        return []


def _package(requirement: Requirement, otherwise: State, mend: str) -> Finding:
    try:
        found = version(requirement.name)
    except PackageNotFoundError:
        return Finding(requirement.name, otherwise, "not installed", mend)
    if not requirement.specifier.contains(found, prereleases=True):
        return Finding(requirement.name, otherwise, f"{found}, not {requirement.specifier}", mend)
    return Finding(requirement.name, "ready", found)


def _git() -> Finding:
    needed = f"{'.'.join(map(str, MIN_GIT))} or newer, for copies of snapshots and --rb-git"
    program = shutil.which("git")
    if program is None:
        return Finding("Git", "optional", "not on PATH", f"install Git {needed}")
    words = _first_line([program, "--version"])
    numbers = re.search(r"(\d+)\.(\d+)", words)
    if numbers is None or (int(numbers[1]), int(numbers[2])) < MIN_GIT:
        return Finding("Git", "optional", words, f"install Git {needed}")
    return Finding("Git", "ready", words.removeprefix("git version "))


def _corvint(name: str) -> Finding:
    program = shutil.which(name)
    if program is None:
        mend = "give --rb-corvint=PATH, for the arms corvint, context, impact, affected"
        return Finding("corvint", "optional", f"{name!r} is no program on PATH", mend)
    return Finding("corvint", "ready", program)


def _cache(folder: Path) -> Finding:
    place = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if not place.is_dir() or not os.access(place, os.W_OK):
        mend = "give --rb-cache-dir=DIR a folder that can be written to; without one each run counts anew"
        return Finding("index cache", "optional", f"{folder} cannot be written to", mend)
    info = IndexCache(folder).info()
    size = f"{info.size / 2**20:.0f} of at most {MAX_BYTES / 2**20:.0f} MiB"
    return Finding("index cache", "ready", f"{folder}: {info.entries} entries, {size}")


def _temporary_folder() -> Finding:
    folder = Path(tempfile.gettempdir())
    free = shutil.disk_usage(folder).free
    found = f"{folder}: {free / 2**30:.1f} GiB free"
    if free < _LOW_SPACE_BYTES:
        return Finding(
            "temporary folder", "optional", found, "set TMPDIR to a folder with room for copies of snapshots"
        )
    return Finding("temporary folder", "ready", found)


def _first_line(command: list[str]) -> str:
    try:
        output = run_child(command, directory=Path.cwd(), environment=os.environ, timeout_s=10).stdout
    except BenchmarkError as error:
        return str(error)
    return output.decode("utf-8", "replace").splitlines()[0] if output else "no answer"

"""`publish`: the artefacts behind quoted numbers, and whether numbers, artefacts and reports agree."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.errors import SettingsError, reason
from pytest_retrieval_bench.reporting.load import load_report
from pytest_retrieval_bench.reporting.published.figures import FORM, disagreement, quoted_figures
from pytest_retrieval_bench.reporting.published.folder import Checked, check_folder, publish
from pytest_retrieval_bench.reporting.terminal import counted

_HOLDS, _DISAGREES, _USAGE = 0, 1, 4


def add(commands: Any) -> None:
    """Adds the command to a parser's sub-commands."""
    parser = commands.add_parser("publish", help="the figures behind quoted numbers", description=__doc__)
    parser.add_argument(
        "files", type=Path, nargs="*", metavar="FILE", help="the reports to publish; with --check the Markdown files"
    )
    parser.add_argument("--to", type=Path, metavar="DIR", help="the folder of the artefacts and their manifest")
    parser.add_argument("--check", action="store_true", help="say what disagrees; write nothing")
    parser.set_defaults(run=run, refused=_USAGE)


def run(options: argparse.Namespace) -> int:
    """0 where all holds, 1 where something disagrees.

    Raises SettingsError for a command line without sense, ReportError for what cannot be read or written.
    """
    if options.to is None:
        raise SettingsError("publish: give the folder of the artefacts, --to=DIR")
    return _check(options.to, options.files) if options.check else _publish(options.to, options.files)


def _publish(folder: Path, reports: list[Path]) -> int:
    if not reports:
        raise SettingsError("publish: give the reports whose figures are quoted, or --check")
    for name, size in publish([load_report(path) for path in reports], folder).items():
        print(f"{folder / name}: {size:,} bytes")  # noqa: T201
    return _HOLDS


def _check(folder: Path, pages: list[Path]) -> int:
    checked = check_folder(folder)
    faults, numbers = list(checked.disagreements), 0
    for page in pages:
        quoted = list(quoted_figures(_text(page)))
        if not quoted:
            raise SettingsError(f"{page}: no number in it is marked; mark one, as {FORM}, or leave the file out")
        numbers += len(quoted)
        found = ((one.line, disagreement(one, checked.artefacts)) for one in quoted)
        faults += [f"{page}:{line}: {words}" for line, words in found if words is not None]
    for fault in faults:
        print(f"disagrees: {fault}")  # noqa: T201
    for words in checked.unverifiable:
        print(f"unverifiable: {words}")  # noqa: T201
    print(_told(checked, numbers, len(pages), len(faults)))  # noqa: T201
    return _DISAGREES if faults else _HOLDS


def _told(checked: Checked, numbers: int, pages: int, faults: int) -> str:
    return (
        f"{counted(numbers, 'number')} in {counted(pages, 'file')}, {counted(len(checked.artefacts), 'artefact')}: "
        f"{len(checked.following)} follow from their reports, {len(checked.unverifiable)} unverifiable here; "
        f"{counted(faults, 'disagreement')}"
    )


def _text(page: Path) -> str:
    if find_spec("markdown_it") is None:
        raise SettingsError("publish --check: needs markdown_it: pip install 'pytest-retrieval-bench[publish]'")
    try:
        return page.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise SettingsError(f"{page}: cannot be read: {reason(error)}") from error

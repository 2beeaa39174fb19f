"""What a release must hold: its version in the changelog, its citation, every dependency justified."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

from pytest_retrieval_bench.version import __version__

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OF_DEVELOPERS = ("test", "docs")


def test_every_dependency_has_a_line_that_says_why() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| ([\w.-]+) \|", page, re.MULTILINE)) - {"package", "---"}
    needed = {Requirement(text).name for text in PROJECT["dependencies"]}
    for extra, texts in PROJECT["optional-dependencies"].items():
        needed |= {Requirement(text).name for text in texts} if extra not in OF_DEVELOPERS else set()
    assert named == needed - {PROJECT["name"]}


def test_the_newest_entry_of_the_changelog_is_this_version() -> None:
    page = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\S+)", page, re.MULTILINE)[0] == __version__


def test_the_citation_names_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {__version__}\n" in text
    for member in ("cff-version", "title", "message", "type", "authors", "license"):
        assert re.search(rf"^{member}:", text, re.MULTILINE)

"""Commits as candidates for samples: the message is the question, the files that it changed are the gold.

A candidate is a guess. A person has to read it before it measures anything; until then its row says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from pytest_retrieval_bench.builders.messages import question_of, subject_of, word_count
from pytest_retrieval_bench.builders.path_kinds import PathKind, path_kind
from pytest_retrieval_bench.model import Json
from pytest_retrieval_bench.snapshots.git_history import Change, Commit
from pytest_retrieval_bench.text.identifiers import query_identifiers

TASK_TYPE: Final = "commit2code"
MIN_WORDS: Final = 5
MAX_FILES: Final = 10

_BOT = re.compile(r"\[bot\]|\bbot\b|dependabot|renovate|greenkeeper|pre-commit-ci|github-actions|snyk", re.IGNORECASE)
_REVERT = re.compile(r"revert\b|.*^this reverts commit", re.IGNORECASE | re.MULTILINE | re.DOTALL)
_RELEASE = re.compile(
    r"(?:\w+(?:\([^)]*\))?!?:\s*)?(?:bump|prepare(?: for)? (?:the )?release|release|version|v?\d+\.\d)", re.I
)
_FORMATTING = re.compile(
    r"style(?:\([^)]*\))?:|(?:re)?format(?:ting)?\b|lint(?:ing)?\b|blacken\b"
    r"|(?:run|apply|use) (?:black|ruff|prettier|gofmt)\b|(?:fix )?white ?space\b|(?:fix )?typos?\b",
    re.IGNORECASE,
)
_PATCH = re.compile(r"^(?:diff --git |(?:---|\+\+\+) (?:[ab]/|/dev/null))", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question and the files that are thought to answer it.

    `tests` and `documents` changed beside them, `by_products` too; `added` were not there before, so that nobody could
    have found them.
    """

    commit: Commit
    question: str
    gold: tuple[str, ...]
    tests: tuple[str, ...]
    documents: tuple[str, ...]
    by_products: tuple[str, ...]
    added: tuple[str, ...]


def why_no_question(commit: Commit) -> str | None:
    """Why the message of a commit is no question; None where it may be one."""
    text = question_of(commit.message)
    reasons = {
        "merges": len(commit.parents) > 1,
        "without a parent": not commit.parents,
        "by bots": _BOT.search(commit.author) is not None,
        "reverts": _REVERT.match(commit.message) is not None,
        "releases and version bumps": _RELEASE.match(subject_of(commit.message)) is not None,
        "formatting and typos": _FORMATTING.match(subject_of(commit.message)) is not None,
        "with a patch in the message": _PATCH.search(commit.message) is not None,
        f"with fewer than {MIN_WORDS} words": word_count(text) < MIN_WORDS,
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def candidate_of(commit: Commit, changes: Sequence[Change]) -> Candidate | str:
    """The candidate that a commit makes by what it changed, or why it makes none."""
    differing = [change for change in changes if change.differs]
    if changes and not differing:
        return "that change white space alone"
    before = _by_kind([change.path for change in differing if change.was_file])
    added = [change.path for change in differing if not change.was_file]
    gold, question = before["source"], question_of(commit.message)
    if not gold:
        return "that change no source file which was there before"
    if len(gold) + len(_by_kind(added)["source"]) > MAX_FILES:
        return f"that change over {MAX_FILES} source files"
    if any(names_file(question, path) for path in gold):
        return "that name a file which they change"
    return Candidate(commit, question, gold, before["test"], before["document"], before["by-product"], tuple(added))


def names_file(question: str, path: str) -> bool:
    """Whether a question names a file: by its path, its name, or as a module (`shop.cart`)."""
    place = PurePosixPath(path)
    modules = [".".join(parts) for parts in (place.with_suffix("").parts, place.with_suffix("").parts[1:])]
    names = [path, place.name, *(module for module in modules if "." in module)]
    return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", question, re.IGNORECASE) for name in names)


def shared_identifiers(question: str, changed: str) -> list[str]:
    """The identifiers of a question that stand in the changed lines as well: a word search finds these."""
    words = set(_WORD.findall(changed))
    return [identifier for identifier in query_identifiers({"text": question}) if identifier in words]


def row_of(candidate: Candidate, repo: str, shared: Sequence[str]) -> dict[str, Json]:
    """The row of a samples file; `shared` are the identifiers that the question has from the answer."""
    commit = candidate.commit
    about: dict[str, Json] = {
        "tests": list(candidate.tests),
        "documents": list(candidate.documents),
        "by_products": list(candidate.by_products),
        "added": list(candidate.added),
        "identifiers_of_the_answer": list(shared),
    }
    return {
        "id": f"{repo.rpartition('/')[2]}-{commit.identity[:12]}",
        "task_type": TASK_TYPE,
        "repo": repo,
        "base_commit": commit.parents[0],
        "query": {"text": candidate.question},
        "gold": {"files": list(candidate.gold)},
        "metadata": {
            "reviewed": False,
            "commit": commit.identity,
            **{name: found for name, found in about.items() if found},
        },
    }


def _by_kind(paths: Sequence[str]) -> dict[PathKind, tuple[str, ...]]:
    kinds: tuple[PathKind, ...] = ("source", "test", "document", "by-product")
    return {kind: tuple(sorted(path for path in paths if path_kind(path) == kind)) for kind in kinds}

"""What in a query gives the answer away: the fatal leaks of Agent Retrieval Bench, and mere hints (ARB 1.3, 2, 7.8)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final

from pytest_retrieval_bench.benchmarks.jsonl import Row, object_of
from pytest_retrieval_bench.doctor import checks
from pytest_retrieval_bench.doctor.checks import Check
from pytest_retrieval_bench.model import Json, Sample
from pytest_retrieval_bench.text.tokens import bench_tokens

_PATCH: Final = re.compile(r"diff --git\b|^---\s+(?:a/|/dev/null)|^\+\+\+\s+(?:b/|/dev/null)", re.MULTILINE)
_ROBOT_WORDS: Final = (
    "```suggestion", "git --no-pager diff", "<summary>🧩 analysis chain</summary>", "learnings added", "learnings used",
    "learnt from:", "auto-generated reply by coderabbit",
)  # fmt: skip
_SHORT_COMMITS: Final = (12, 7)
_RUN: Final = re.compile(r"[^\s:'\"]+")
_END_OF_PATH: Final = re.compile(r"\.(?:py|js|jsx|ts|tsx|java|go|rs|kt|scala)(?=[\"']?(?::|, line |\())", re.IGNORECASE)
_LONGEST_END: Final = 16
_ELSEWHERE: Final = ("site-packages/", "node_modules/", "/.cargo/")
_REFERENCES: Final = ("changed_file", "given_file", "path", "file")
_GENERIC_WORDS: Final = """api app apps base bench benchmark benchmarks build common config core doc docs example
examples file files helper helpers impl index init integration internal java js json lib main mod module package
packages py repo rs src spec suite test tests testing ts tsx unit util utils"""
_GENERIC: Final = frozenset(_GENERIC_WORDS.split())


def leaks(sample: Sample, row: Row) -> Iterator[tuple[Check, str]]:
    """The fatal leaks of a sample with gold, each with what was found.

    The query is its JSON with line ends in it, as the benchmark's toolkit takes it.
    """
    query = sample.query.text.replace("\\n", "\n")
    lowered = query.lower()
    in_trace = set(traced(sample))
    named = [path for path in sample.gold if path.lower() in lowered and path not in in_trace]
    if named:
        yield checks.LEAKED_PATH, f"names {', '.join(named)}"
    if (patch := _PATCH.search(query)) is not None:
        yield checks.LEAKED_PATCH, f"has {patch[0].strip()!r}"
    for commit in _fix_commits(row):
        known_as = (commit, *(commit[:digits] for digits in _SHORT_COMMITS))
        found = next((name for name in known_as if name in lowered), None)
        if found is not None:
            yield checks.LEAKED_COMMIT, f"names {found}"
    words = [word for word in _ROBOT_WORDS if word in lowered]
    if words:
        yield checks.LEAKED_REVIEW, f"has {', '.join(map(repr, words))}"
    if sample.task_type == "edit2ripple":
        names = [name for path in sample.gold for name in _names(path) if name in lowered]
        if names:
            yield checks.LEAKED_NAME, f"names {', '.join(dict.fromkeys(names))}"


def hints(sample: Sample) -> Iterator[tuple[Check, str]]:
    """What makes a sample with gold easier than its question: each hint with what was found.

    A gold file whose path is named is not counted again by its name. A module is shared where a word of a gold path
    (three characters at least, and not one of the words that all paths have) stands in the query, and in no path that
    the query gives.
    """
    lowered = sample.query.text.lower()
    whole = [path for path in sample.gold if path.lower() in lowered]
    names = [path for path in sample.gold if path not in whole and PurePosixPath(path).name.lower() in lowered]
    in_trace = traced(sample)
    asked = set(bench_tokens(sample.query.text)) - _path_words(_references(sample))
    modules = sorted(_path_words(sample.gold) & asked)
    for check, found in (
        (checks.PATH_HINT, whole),
        (checks.NAME_HINT, names),
        (checks.TRACE_HINT, in_trace),
        (checks.MODULE_HINT, modules),
    ):
        if found:
            yield check, f"names {', '.join(found)}"


def traced(sample: Sample) -> list[str]:
    """The gold files of a trace2code sample whose names stand in a stack trace of the query.

    A benchmark of failures cannot hide them: they are hints, and no leaks.
    """
    if sample.task_type != "trace2code":
        return []
    text = sample.query.text.replace("\\n", "\n").replace('\\"', '"')
    names = {PurePosixPath(path.lower()).name for path in _trace_paths(text)}
    return [path for path in sample.gold if PurePosixPath(path.lower()).name in names]


def _trace_paths(text: str) -> Iterator[str]:
    """The paths of code that a line number or a call follows, but for those of installed packages."""
    for run in _RUN.finditer(text):
        ends = [
            end.end()
            for end in _END_OF_PATH.finditer(text, run.start(), run.end() + _LONGEST_END)
            if end.start() < run.end()
        ]
        path = text[run.start() : max(ends, default=run.start())].replace("\\", "/")
        if path and not any(folder in path for folder in _ELSEWHERE):
            yield path


def _fix_commits(row: Row) -> list[str]:
    """The commit that the fix is known by, where the row says it."""
    listed: list[Json] = [object_of(row.get(member)).get("fix_commit") for member in ("gold", "metadata")]
    commits = [value.strip().lower() for value in listed if isinstance(value, str)]
    return list(dict.fromkeys(commit for commit in commits if len(commit) >= _SHORT_COMMITS[-1]))


def _names(path: str) -> Iterator[str]:
    """By what an edit could name a gold file: the last part of its path, and dotted import paths."""
    lowered = PurePosixPath(path.replace("\\", "/").lower())
    yield lowered.name
    parts = [part for part in lowered.with_suffix("").parts if part != "."]
    for kept in (parts, parts[1:]):
        yield from (joined for joined in (".".join(kept), "/".join(kept)) if "." in joined and len(joined) >= 3)


def _references(sample: Sample) -> list[str]:
    fields = (sample.query.fields.get(name) for name in _REFERENCES)
    return [*sample.given, *(path for path in fields if isinstance(path, str) and "/" in path)]


def _path_words(listed: Iterable[str]) -> set[str]:
    words = (word for path in listed for word in bench_tokens(path))
    return {word for word in words if len(word) >= 3 and word not in _GENERIC}

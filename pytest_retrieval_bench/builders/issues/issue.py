"""Rows of issue data sets, whatever their shape, as one type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_retrieval_bench.errors import SamplesError


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue and the patch that closed it; `functions` are those that it changes, `FILE:NAME`, where it is told."""

    dataset: str
    id: str
    repo: str
    base_commit: str
    question: str
    patch: str
    functions: tuple[str, ...] = ()
    category: str | None = None


def issue_of(row: Mapping[str, Any], dataset: str, where: str) -> Issue:
    """The issue of a row.

    SWE-bench in all its variants and Loc-Bench_V1 have `problem_statement` and `patch`; Multi-SWE-bench has `fix_patch`
    and the issues that the pull request resolved, whose own title and text are the answer and not read. Neither are
    hints and test patches.

    Raises SamplesError, naming `where`, for a row of another shape.
    """
    if "fix_patch" in row:
        return _multi_swe_bench(row, dataset, where)
    if "problem_statement" in row:
        return _swe_bench(row, dataset, where)
    raise SamplesError(
        f"{where}: it has neither problem_statement (SWE-bench, Loc-Bench) nor fix_patch (Multi-SWE-bench)"
    )


def _swe_bench(row: Mapping[str, Any], dataset: str, where: str) -> Issue:
    functions = row.get("edit_functions")
    return Issue(
        dataset=dataset,
        id=_text(row, "instance_id", where),
        repo=_text(row, "repo", where),
        base_commit=_text(row, "base_commit", where),
        question=_text(row, "problem_statement", where, may_be_empty=True).strip(),
        patch=_text(row, "patch", where, may_be_empty=True),
        functions=tuple(name for name in _list(functions) if isinstance(name, str) and name),
        category=row["category"] if isinstance(row.get("category"), str) else None,
    )


def _multi_swe_bench(row: Mapping[str, Any], dataset: str, where: str) -> Issue:
    owner, name, base = _text(row, "org", where), _text(row, "repo", where), row.get("base")
    number = row.get("number")
    if type(number) is not int or not isinstance(base, Mapping):
        raise SamplesError(f"{where}: number must be a whole number and base an object with sha")
    issues = [issue for issue in _list(row.get("resolved_issues")) if isinstance(issue, Mapping)]
    texts = ("\n\n".join(filter(None, (_or_empty(issue.get(key)) for key in ("title", "body")))) for issue in issues)
    return Issue(
        dataset=dataset,
        id=f"{owner}__{name}-{number}",
        repo=f"{owner}/{name}",
        base_commit=_text(base, "sha", f"{where}: base"),
        question="\n\n".join(filter(None, texts)),
        patch=_text(row, "fix_patch", where, may_be_empty=True),
    )


def _text(row: Mapping[str, Any], key: str, where: str, *, may_be_empty: bool = False) -> str:
    value = row.get(key)
    if may_be_empty and value is None:
        return ""
    if not isinstance(value, str) or not (value or may_be_empty):
        raise SamplesError(f"{where}: {key} must be a string, this is {value!r:.60}")
    return value


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else []


def _or_empty(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""

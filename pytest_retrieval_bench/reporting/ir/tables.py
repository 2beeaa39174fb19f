"""The metric set `ir` as a table of text and as rows for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_retrieval_bench.reporting.long_row import LongRow
from pytest_retrieval_bench.scoring.ir import IR_MEASURES
from pytest_retrieval_bench.text.visible import visible

Section = Mapping[str, Any]


def ir_table(section: Section) -> list[list[str]]:
    """The head and a row an arm and repository, then the mean of these; one row alone where there is one repository."""
    rows = []
    for arm, groups in section["groups"].items():
        repositories = {name: means for name, means in groups.items() if name.startswith("repo:")}
        macro = section["repository_macro"][arm]
        depth = f"{section['ranked'][arm]['mean']:.1f}"
        words = f"mean of {macro['repositories']} repositories"
        named = repositories if len(repositories) == 1 else {words: macro} | repositories
        rows += [
            [arm, visible(name.removeprefix("repo:")), str(means["n"]), depth if number == 0 else "", *_cells(means)]
            for number, (name, means) in enumerate(named.items())
        ]
    names = _names(next(iter(section["repository_macro"].values()), {}))
    return [["arm", "over", "n", "files", *names], *rows]


def functions_table(section: Section) -> list[list[str]]:
    """The head and a row an arm, over the samples that mark functions; empty where there are none."""
    functions = section.get("functions", {})
    names = _names(next(iter(functions.values()), {}))
    rows = [[arm, str(means["n"]), *_cells(means)] for arm, means in functions.items()]
    return [["arm", "n", *(name.removeprefix("function_") for name in names)], *rows] if rows else []


def ir_rows(section: Section) -> Iterator[LongRow]:
    """Each mean on a row: arm, view, group, measure, n, value."""
    for arm, groups in section["groups"].items():
        for group, means in groups.items():
            for name in _names(means):
                yield arm, "ir", group, name, means["n"], means[name]
    for view in ("repository_macro", "functions"):
        for arm, means in section.get(view, {}).items():
            for name in _names(means):
                yield arm, f"ir_{view}", "all", name, means["n"], means[name]


def _names(means: Section) -> list[str]:
    """The measures that were taken, in their order: a report that was read back has another."""
    return [name for name in IR_MEASURES if name in means]


def _cells(means: Section) -> list[str]:
    return [f"{means[name]:.3f}" for name in _names(means)]

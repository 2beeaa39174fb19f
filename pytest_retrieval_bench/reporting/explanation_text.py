"""`--rb-explain` in words: the sample, then a table an arm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_retrieval_bench.arms.evidence import Evidence
from pytest_retrieval_bench.reporting.explanation import Asked, ExplainedArm, PlacedFile
from pytest_retrieval_bench.reporting.layout import Grid
from pytest_retrieval_bench.text.visible import visible

_QUERY_LINES, _LINE_CHARS, _ERROR_CHARS, _REASON_CHARS = 8, 120, 2000, 200
_SHOWN_EVIDENCE = 5
_HEAD = ("rank", "score", "file", "mark", "because")
_FIRST_NAME = _HEAD.index("file")
_NOTHING = {"", "-"}


def shown_explanation(asked: Asked, arms: Sequence[ExplainedArm], *, all_evidence: bool) -> Iterator[str | Grid]:
    """All of it; without `all_evidence` what adds least to the score of a file is summed up."""
    yield f"{visible(asked.id)}: {visible(asked.task_type)}, {visible(asked.repo)} at {asked.commit[:12]}"
    if asked.query is not None:
        yield "query:"
        yield from query_lines(asked.query)
    yield f"gold: {_listed(asked.gold)}" if asked.gold else "gold: none, the repository holds no answer"
    if asked.given:
        yield f"given, not scored: {_listed(asked.given)}"
    for arm in arms:
        yield ""
        yield f"{visible(arm.name)}: {'; '.join(_said(asked, arm))}"
        if arm.problem is not None:
            yield f"  no reasons: {visible(arm.problem, _ERROR_CHARS)}"
        if arm.error is None and arm.files:
            yield _table(arm.files, all_evidence)


def query_lines(text: str) -> list[str]:
    """The first lines of a query, indented."""
    lines = [visible(line, _LINE_CHARS) for line in text.splitlines()]
    return [f"  {line}" for line in lines[:_QUERY_LINES]] + (["  …"] if len(lines) > _QUERY_LINES else [])


def _said(asked: Asked, arm: ExplainedArm) -> Iterator[str]:
    state = f" ({visible(arm.state)})" if arm.state else ""
    yield f"{arm.outcome}{state}" + (f": {visible(arm.error, _ERROR_CHARS)}" if arm.error else "")
    if arm.error is None:
        yield f"ranked {arm.ranked}, limit {asked.limit}"
        if asked.gold:
            found = [file.rank for file in arm.files if file.path in asked.gold and file.rank is not None]
            within = [rank for rank in found if rank <= asked.limit]
            yield f"gold within the limit {len(within)} of {len(asked.gold)}"
            yield f"best gold rank {min(found)}" if found else "no gold ranked"
        if arm.ranked and all(file.score is None for file in arm.files):
            yield "no score given"
        if arm.ranked and all(file.evidence is None for file in arm.files):
            yield "no reasons given"
    if arm.removed:
        yield f"given, taken out: {_listed(arm.removed)}"
    if arm.wall_ms is not None:
        yield f"{arm.wall_ms:.2f} ms"


def _table(files: Sequence[PlacedFile], all_evidence: bool) -> Grid:
    rows = [
        [
            "-" if file.rank is None else str(file.rank),
            "-" if file.score is None else f"{file.score:.6g}",
            visible(file.path) + (f":{file.lines[0]}-{file.lines[1]}" if file.lines else ""),
            ", ".join(file.marks),
            _because(file, all_evidence),
        ]
        for file in files
    ]
    kept = [number for number, name in enumerate(_HEAD) if name == "file" or {row[number] for row in rows} - _NOTHING]
    cells = [[row[number] for number in kept] for row in [_HEAD, *rows]]
    return Grid(cells, names=[place for place, number in enumerate(kept) if number >= _FIRST_NAME])


def _because(file: PlacedFile, all_evidence: bool) -> str:
    if file.evidence is None:
        return "-"
    if not file.evidence:
        return "nothing matches" if file.rank is None else "-"
    ordered = sorted(file.evidence, key=lambda one: -(one.adds or 0))
    shown = ordered if all_evidence else ordered[:_SHOWN_EVIDENCE]
    words = [_in_words(one) for one in shown]
    return "; ".join([*words, *_summed_up(ordered[len(shown) :])])


def _in_words(one: Evidence) -> str:
    """Such as `cart 1.953 = 0.981 * 1.99 (5x)`."""
    figures = "" if one.adds is None else f" {_figure(one.adds)}"
    if one.adds is not None and one.weight:
        figures += f" = {one.weight:.3f} * {one.adds / one.weight:.3f}"
    places = [*([f"{one.count}x"] if one.count else []), *(["in path"] if one.in_path else [])]
    return f"{visible(one.what, _REASON_CHARS)}{figures}" + (f" ({', '.join(places)})" if places else "")


def _summed_up(rest: Sequence[Evidence]) -> list[str]:
    if not rest:
        return []
    figures = [one.adds for one in rest if one.adds is not None]
    return [f"{len(rest)} more" + (f" {_figure(sum(figures))}" if figures else "")]


def _figure(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def _listed(paths: Sequence[str]) -> str:
    return ", ".join(map(visible, paths))

"""A comparison for people: lines for the terminal, Markdown for a pull request.

Both show the same notes and tables. Names are strangers' text: the terminal gets them with escapes, Markdown as code,
where nothing in them is a link, a mention or a tag.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_retrieval_bench.reporting.compare import FLIPPING
from pytest_retrieval_bench.reporting.inference_choice import BY_REPOSITORY
from pytest_retrieval_bench.reporting.inference_text import evidence_cells, headline
from pytest_retrieval_bench.reporting.layout import Grid
from pytest_retrieval_bench.reporting.terminal import counted
from pytest_retrieval_bench.text.markdown import code, in_table
from pytest_retrieval_bench.text.markdown import table as markdown_table
from pytest_retrieval_bench.text.visible import visible

_SHOWN = 20
_SHOWN_METRICS = (*FLIPPING, "mrr@k", "recall@5", "recall@10", "recall@20")
_NO_FLIPS = "No sample flipped."
_SHORT = {"selective_success": "success"}
_TESTS = {"randomization": "p, randomization", BY_REPOSITORY: "p, by repository", "mcnemar": "p, McNemar"}

# A tuple holds names, a string the plugin's own words and figures.
Part = str | tuple[str, ...]
Note = Sequence[Part]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its title; `names` are the columns that hold names."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[Part]]
    names: Sequence[int]


def shown_comparison(comparison: Mapping[str, Any], old: str, new: str) -> Iterator[str | Grid]:
    """The comparison for a terminal; `old` and `new` are the names of the reports."""
    yield from plain_notes(comparison, old, new)
    for table in [*_tables(comparison), *_list_of_samples(comparison)]:
        rows = [table.head, *([_plain(cell) for cell in row] for row in table.rows)]
        yield from ("", f"{table.title}:", Grid(rows, table.names))
    if not _has_flipped(comparison):
        yield from ("", _NO_FLIPS)


def plain_notes(comparison: Mapping[str, Any], old: str, new: str) -> Iterator[str]:
    """What was compared, and what was not, a line each."""
    return ("".join(map(_plain, note)) for note in _notes(comparison, old, new))


def plain_tables(comparison: Mapping[str, Any]) -> Iterator[tuple[str, Sequence[str], list[list[str]], Sequence[int]]]:
    """Title, head, cells and columns of names of each table as plain text, all but the lists of samples."""
    for table in _tables(comparison):
        yield table.title, table.head, [[_plain(cell) for cell in row] for row in table.rows], table.names


def flipped_samples(comparison: Mapping[str, Any]) -> Iterator[tuple[str, str, list[str]]]:
    """By arm: what flipped, in words, and the ids of the samples, none left out."""
    for arm, section in comparison["arms"].items():
        for what, ids in _lists(section, comparison["limit"]):
            if ids:
                yield arm, what, ids


def markdown(comparison: Mapping[str, Any], old: str, new: str) -> str:
    """The comparison as GitHub's Markdown; the lists of samples are folded."""
    blocks = ["### Retrieval benchmark: what changed"]
    blocks.append("\n".join(f"- {''.join(map(_code, note))}" for note in _notes(comparison, old, new)))
    for number, table in enumerate([*_tables(comparison), *_list_of_samples(comparison)]):
        cells = [[in_table(_code(cell)) for cell in row] for row in table.rows]
        text = markdown_table(table.head, cells, table.names)
        folded = f"<details><summary>{table.title}</summary>\n\n{text}\n\n</details>"
        blocks.append(folded if number > 1 else f"{table.title}:\n\n{text}")
    blocks += [] if _has_flipped(comparison) else [_NO_FLIPS]
    return "\n\n".join(blocks) + "\n"


def _notes(comparison: Mapping[str, Any], old: str, new: str) -> Iterator[Note]:
    samples = counted(comparison["samples"], "sample")
    yield [f"{samples} in both, limit {comparison['limit']}; differences are new minus old"]
    for words, name in (("old", old), ("new", new)):
        side = comparison[words]
        yield [f"{words}: ", (name,), f", sha256 {side['sha256'][:12]}"]
        if side["missing"]:
            yield [f"the {words} report is incomplete: {counted(side['missing'], 'result')} missing"]
        if side["only_arms"]:
            yield [f"compared with nothing, only in the {words} report: arms ", tuple(side["only_arms"])]
        if side["only_samples"]:
            number = counted(len(side["only_samples"]), "sample")
            yield [f"compared with nothing, only in the {words} report: {number}, ", tuple(side["only_samples"])]
    if "noise" in comparison:
        yield [f"noise floor: sha256 {comparison['noise']['sha256'][:12]}; a difference within it shows no change"]
        for arm, kinds in comparison["noise"]["unknown"].items():
            yield ["the noise floor has no figure of ", (arm,), f" with {kinds}"]
    for arm, section in comparison["arms"].items():
        if "retriever" in section:
            bound = section["retriever"]
            yield [(arm,), f" is another retriever: {_version(bound.get('old'))}, now {_version(bound.get('new'))}"]


def _tables(comparison: Mapping[str, Any]) -> Iterator[Table]:
    limit, arms = comparison["limit"], comparison["arms"]
    noise = ["noise"] if "noise" in comparison else []
    yield Table(
        "Paired differences with 95% bootstrap intervals",
        ["arm", "metric", "n", "old", "new", "difference [95%]", *noise, "won", "lost", "tied"],
        [
            [(arm,), _named(metric, limit), *_figures(section["groups"]["all"]["metrics"][metric], bool(noise))]
            for arm, section in arms.items()
            for metric in _SHOWN_METRICS
            if metric in section["groups"]["all"]["metrics"]
        ],
        (0, 1),
    )
    yield _tests(comparison["inference"], limit)
    if not _has_flipped(comparison):
        return
    counts = [f"{_SHORT.get(metric, _named(metric, limit))} {way}" for metric in FLIPPING for way in ("won", "lost")]
    yield Table(
        "Flips by group",
        ["arm", "group", "n", *counts, "newly errored", "newly answered"],
        [
            [(arm,), (name,), str(group["n"]), *map(str, flips)]
            for arm, section in arms.items()
            for name, group in section["groups"].items()
            if any(flips := _flips_of(group))
        ],
        (0, 1),
    )


def _list_of_samples(comparison: Mapping[str, Any]) -> Iterator[Table]:
    flipped = flipped_samples(comparison)
    rows: list[list[Part]] = [[(arm,), what, str(len(ids)), tuple(ids)] for arm, what, ids in flipped]
    if rows:
        yield Table("Samples that flipped", ["arm", "what", "n", "samples"], rows, (0, 1, 3))


def _tests(inference: Mapping[str, Any], limit: int) -> Table:
    """The verdict on each arm over all positive samples and on each stratum without gold, and the p values."""
    corrected = "after Holm's correction" if "holm" in inference["names"] else "not corrected"
    return Table(
        f"Whether the two runs differ (margin {inference['margin']:g}; p values {corrected})",
        ["arm", "metric", "n", "repos", "difference", "95% interval", "verdict", *_TESTS.values()],
        [
            [(arm,), _in_group(group, _named(metric, limit)), *evidence_cells(block), *map(str, _p_values(block))]
            for group, arms in inference["groups"].items()
            for arm, baselines in arms.items()
            for against in baselines.values()
            for metric, block in against.items()
            if not group.startswith("task:") and (group != "all" or metric in (*headline(against), "hit@k"))
        ],
        (0, 1, 6),
    )


def _in_group(group: str, metric: str) -> str:
    return metric if group == "all" else f"{metric}, {group.removeprefix('stratum:')}"


def _p_values(block: Mapping[str, Any]) -> Iterator[str]:
    for test in _TESTS:
        found = block.get("tests", {}).get(test)
        yield "-" if found is None else f"{found.get('holm', found['p']):.4f}"


def _lists(section: Mapping[str, Any], limit: int) -> Iterator[tuple[str, list[str]]]:
    for metric in FLIPPING:
        yield f"{_named(metric, limit)} won", section["flips"][metric]["wins"]
        yield f"{_named(metric, limit)} lost", section["flips"][metric]["losses"]
    yield "newly errored", section["newly_errored"]
    yield "newly answered", section["newly_answered"]


def _flips_of(group: Mapping[str, Any]) -> list[int]:
    blocks = [group["metrics"].get(metric, {"wins": 0, "losses": 0}) for metric in FLIPPING]
    counts = [block[way] for block in blocks for way in ("wins", "losses")]
    return [*counts, group["newly_errored"], group["newly_answered"]]


def _has_flipped(comparison: Mapping[str, Any]) -> bool:
    return any(any(_flips_of(section["groups"]["all"])) for section in comparison["arms"].values())


def _named(metric: str, limit: int) -> str:
    return metric.replace("@k", f"@{limit}")


def _figures(block: Mapping[str, Any], noise: bool) -> list[str]:
    difference = f"{block['mean_diff']:+.3f} [{block['low']:+.3f} {block['high']:+.3f}]"
    counts = (block["wins"], block["losses"], block["ties"])
    held = [_held(block.get("noise"))] if noise else []
    return [str(block["n"]), f"{block['old']:.3f}", f"{block['new']:.3f}", difference, *held, *map(str, counts)]


def _held(noise: Mapping[str, Any] | None) -> str:
    """On which side of the smallest difference worth believing a difference lies."""
    if noise is None:
        return "not known"
    return f"{'within' if noise['within'] else 'beyond'} {noise['smallest']:.4f}" if noise["smallest"] else "none seen"


def _version(bound: Mapping[str, Any] | None) -> str:
    """What a retriever is bound to, in few words that are no stranger's."""
    if bound is None:
        return "not known"
    digest = bound.get("sha256")
    return f"sha256 {digest[:12]}" if isinstance(digest, str) and digest.isalnum() else "see the comparison in JSON"


def _plain(part: Part) -> str:
    return _listed(part, visible)


def _code(part: Part) -> str:
    return _listed(part, code)


def _listed(part: Part, shown: Callable[[str], str]) -> str:
    """Own words as they are; of names the first ones, and how many more there are."""
    if isinstance(part, str):
        return part
    more = len(part) - _SHOWN
    return ", ".join(map(shown, part[:_SHOWN])) + (f" and {more} more" if more > 0 else "")

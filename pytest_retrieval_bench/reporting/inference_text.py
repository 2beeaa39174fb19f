"""What the terminal shows of the section `inference`: a verdict a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_retrieval_bench.reporting.layout import Grid

_HEAD = ["arm", "against", "metric", "n", "repos", "diff", "95% interval", "verdict"]
_LEVEL = 0.05


def shown_inference(section: Mapping[str, Any], *, every_metric: bool = False) -> list[str | Grid]:
    """The comparisons over all samples, of the deepest recall and mrr@k or of every metric, and what was tested."""
    blocks = section["groups"].get("all", {})
    rows = [
        [arm, baseline, metric, *evidence_cells(against[metric])]
        for arm, baselines in blocks.items()
        for baseline, against in baselines.items()
        for metric in (against if every_metric else headline(against))
    ]
    if not rows:
        return ["evidence: no retriever was held against a baseline"]
    return [
        f"evidence (margin {section['margin']:g}; by task and in full in the report):",
        Grid([_HEAD, *rows], names=range(len(_HEAD))),
        *_families(section),
    ]


def headline(metrics: Mapping[str, Any]) -> list[str]:
    """The deepest recall and mrr@k, of metrics by name."""
    recalls = sorted((name for name in metrics if name.startswith("recall@")), key=lambda name: int(name[7:]))
    return [*recalls[-1:], "mrr@k"]


def evidence_cells(block: Mapping[str, Any]) -> list[str]:
    """n, repositories, the difference, the interval that decides, and the verdict."""
    found = [str(block["n"]), str(block["repositories"]), f"{block['mean_diff']:+.3f}"]
    if "intervals" not in block:
        return [*found, "-", f"{block['verdict']}: too few samples for any test"]
    ends = block["intervals"][block["decided_by"]]
    of_these = "" if block["decided_by"] == "clustered" else ", of these repositories alone"
    return [*found, f"[{ends['low']:+.3f} {ends['high']:+.3f}]", f"{block['verdict']}{of_these}"]


def _families(section: Mapping[str, Any]) -> Iterator[str]:
    """How many tests of each family over all samples are below 5%, by each correction."""
    for name, family in section["families"].items():
        results = _results(section, family["test"])
        if name.endswith(", all") and results:
            counts = [
                f"{sum(result[member] < _LEVEL for result in results)} {words}"
                for member, words in (("p", "uncorrected"), ("holm", "after Holm"), ("bh", "after Benjamini-Hochberg"))
                if member in results[0]
            ]
            yield f"{family['test']}: of {family['size']} tests below {_LEVEL}: {', '.join(counts)}"


def _results(section: Mapping[str, Any], test: str) -> Sequence[Mapping[str, Any]]:
    return [
        block["tests"][test]
        for baselines in section["groups"].get("all", {}).values()
        for metrics in baselines.values()
        for block in metrics.values()
        if test in block.get("tests", {})
    ]

"""Measures of one trajectory against what is known of its sample (ARB 7.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from pytest_retrieval_bench.agents.facts import Facts
from pytest_retrieval_bench.agents.logs import Step
from pytest_retrieval_bench.model import Chunk
from pytest_retrieval_bench.scoring.arb.files import f_score
from pytest_retrieval_bench.scoring.arb.lines import block_measures, line_measures

_SHARES: Final = ("recall", "precision", "f1")
_CONTEXTS: Final = ("retrieved", "final", "utilized")
_TARGETS: Final = ("file", "supporting_file", "gold_or_supporting_file")
FILE_SHARES: Final = tuple(
    f"{context}_{target}_{share}" for target in _TARGETS for context in _CONTEXTS for share in _SHARES
)
MEASURES: Final = (
    *FILE_SHARES, "final_usage_drop", "utilization_drop", "trajectory_redundancy",
    *(f"{what}_{share}@trajectory" for what in ("line", "block") for share in _SHARES),
)  # fmt: skip


def trajectory_measures(steps: Sequence[Step], facts: Facts) -> dict[str, float]:
    """Each of `MEASURES` that the sample allows: some need supporting files, marked lines or marked blocks.

    `retrieved` is all that was looked at, `final` what is flagged as kept, or all where nothing is, `utilized` what is
    flagged as used, or `final`. A drop is what recall loses between. Redundancy is the share of steps that were seen
    before: the same lines of the same file with the same content.
    """
    final = [step for step in steps if step.final] or steps
    utilized = [step for step in steps if step.utilized] or final
    contexts = {"retrieved": steps, "final": final, "utilized": utilized}
    targets = {"file": facts.gold}
    if facts.supporting:
        targets |= {"supporting_file": facts.supporting, "gold_or_supporting_file": (*facts.gold, *facts.supporting)}
    values = {
        f"{context}_{target}_{share}": value
        for target, wanted in targets.items()
        for context, chosen in contexts.items()
        for share, value in file_shares(wanted, [step.path for step in chosen]).items()
    }
    retrieved = values["retrieved_file_recall"]
    values["final_usage_drop"] = max(0, retrieved - values["final_file_recall"])
    values["utilization_drop"] = max(0, retrieved - values["utilized_file_recall"])
    seen = {(step.path, step.start, step.end, step.content) for step in steps}
    values["trajectory_redundancy"] = (len(steps) - len(seen)) / len(steps) if steps else 0
    chunks = [Chunk(step.path, step.lines, step.kind, step.symbol, step.content) for step in steps]
    marks = facts.marked
    found = line_measures(chunks, marks.spans) if marks.spans else {}
    found |= block_measures(chunks, marks.blocks) if marks.blocks else {}
    for what in ("line", "block"):
        for share in _SHARES:
            if f"{what}_{share}@8k" in found:
                values[f"{what}_{share}@trajectory"] = found[f"{what}_{share}@8k"]
    return values


def file_shares(wanted: Collection[str], chosen: Iterable[str]) -> dict[str, float]:
    """Recall, precision and F1 of the distinct files that were chosen; 0 where nothing was."""
    files = set(chosen)
    found = len(files.intersection(wanted))
    recall, precision = found / len(set(wanted)), found / len(files) if files else 0
    return dict(zip(_SHARES, (recall, precision, f_score(precision, recall, 1)), strict=True))

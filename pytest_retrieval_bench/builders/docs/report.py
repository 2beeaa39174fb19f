"""What became of everything that was read: the drop report, whose counts add up to the input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from statistics import median

from pytest_retrieval_bench.builders.docs.instance import Instance
from pytest_retrieval_bench.builders.docs.overlap import bucket
from pytest_retrieval_bench.builders.docs.rules import DocsRules
from pytest_retrieval_bench.builders.docs.symbols.resolution import OUTCOMES
from pytest_retrieval_bench.model import Json

_MANY = 5


@dataclass(frozen=True, slots=True)
class Tally:
    """Documents, sources, sections and references, counted by what became of them."""

    documents: Counter[str]
    sources: Counter[str]
    sections: Counter[str] = field(default_factory=Counter)
    references: Counter[str] = field(default_factory=Counter)


def drop_report(rules: DocsRules, tally: Tally, kept: Sequence[Instance]) -> dict[str, Json]:
    """The report: how many documents, sources, sections and references there were, and how many came to which end.

    The ends of each add up to its `all`. Beside it: what the kept questions are like.
    """
    lengths = sorted(len(one.question) for one in kept)
    sizes = Counter(min(len(one.gold), _MANY) for one in kept)
    leaking = Counter(name for one in kept for name, leaks in one.leaks.items() if leaks)
    return {
        "rules": asdict(rules) | {"sources": list(rules.sources), "exclude": list(rules.exclude)},
        "documents": _ends(tally.documents),
        "sources": _ends(tally.sources),
        "sections": _ends(tally.sections),
        "references": _ends(tally.references),
        "outcomes": {str(outcome): meaning for outcome, meaning in OUTCOMES.items()},
        "overlap_buckets": _sorted(Counter(bucket(one.overlap) for one in kept)),
        "gold_files": {f"{size}{'+' if size == _MANY else ''}": sizes[size] for size in sorted(sizes)},
        "leaks": _sorted(leaking),
        "question_characters": {"median": median(lengths), "max": lengths[-1]} if lengths else {},
    }


def _ends(counts: Counter[str]) -> dict[str, Json]:
    return {"all": counts.total(), **_sorted(counts)}


def _sorted(counts: Counter[str]) -> dict[str, Json]:
    return {name: count for name, count in sorted(counts.items()) if count}

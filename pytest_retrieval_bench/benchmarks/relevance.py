"""How the gold files of a sample of Agent Retrieval Bench relate to its question, by the rules of its own toolkit.

D: the question names what stands in the gold. S: the gold lies near the files that the question names. W: one follows
from the other by custom, as a test from an implementation. C: the question shows a symptom, the gold its cause.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from pytest_retrieval_bench.benchmarks.jsonl import Row, object_of
from pytest_retrieval_bench.model import Json

_STOP_WORDS: Final = """about after also before being build change changed class code could error file files from func
function gold have here impl into make method module only path should source test tests that this using when with"""
_STOP: Final = frozenset(_STOP_WORDS.split())
_WORDS_OF: Final = (
    "pr_title", "pr_body", "review_comment", "diff_hunk_context", "failure_excerpt", "command", "changed_file_summary",
)  # fmt: skip
_PATHS_OF: Final = ("changed_file", "given_file", "path", "implementation_files")
_GOLD_OF: Final = {
    "code2test": ("related_tests",),
    "trace2code": ("root_cause_files",),
    "comment2context": ("root_cause_files", "supporting_files", "must_context_files"),
}
_GOLD_OF_OTHERS: Final = ("related_tests", "root_cause_files", "supporting_files")
_STRUCTURAL: Final = frozenset(["same_module_context", "symbol_or_path_overlap", "source_test_path_overlap"])
_WORKFLOW: Final = frozenset(
    [
        "same_pr_changed_tests",
        "pr_level_changed_implementation_and_existing_tests",
        "behavior_test_for_reviewed_change",
        "review_requests_tests",
        "implementation_context_for_reviewed_change",
    ]
)
_TOP_FOLDERS: Final = frozenset(["src", "test", "tests"])
_CAMEL: Final = re.compile(r"([a-z0-9])([A-Z])")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9]{2,}")


@dataclass(frozen=True, slots=True)
class _Signals:
    """What the rules look at: words that question and gold share, and counts of hints."""

    overlap: frozenset[str]
    score: float
    path_overlap: bool
    structural: int
    workflow: int
    has_test: bool
    names_symbol: bool


def relevance_of(row: Row) -> tuple[tuple[str, ...], str]:
    """The relations of a sample with gold that hold, of `D`, `S`, `W` and `C`, and the one that it is counted under."""
    found, task = _signals(row), row.get("task_type")
    labels = _labels(task, found)
    return labels, _primary(task, found, labels)


def _labels(task: Json, found: _Signals) -> tuple[str, ...]:
    if task == "trace2code":
        rules = {"C": True, "S": found.structural > 0, "D": bool(found.overlap)}
    elif task == "code2test":
        direct = found.score >= 0.10 or len(found.overlap) >= 2
        rules = {"D": direct, "W": True, "S": found.structural > 0 or found.path_overlap}
    elif task == "comment2context":
        rules = {
            "D": found.score >= 0.12 or len(found.overlap) >= 2 or found.names_symbol,
            "W": found.workflow > 0 or found.has_test,
        }
        rules["S"] = found.structural > 0 or not any(rules.values())
    else:
        rules = {"D": bool(found.overlap), "S": not found.overlap}
    return tuple(label for label, holds in rules.items() if holds)


def _primary(task: Json, found: _Signals, labels: Sequence[str]) -> str:
    if task == "trace2code":
        return "C"
    if task == "code2test":
        return "D" if "D" in labels and found.score >= 0.30 else "W"
    if task == "comment2context":
        if "D" in labels and found.score >= 0.16:
            return "D"
        if "W" in labels and found.workflow > found.structural:
            return "W"
        return "S" if "S" in labels else labels[0]
    return labels[0]


def _signals(row: Row) -> _Signals:
    query, gold = object_of(row.get("query")), _gold_paths(row)
    evidence = _evidence(row)
    asked = _words(_texts([query.get(name) for name in _WORDS_OF]))
    answered = _words([*gold, *_symbols(row)])
    overlap = asked & answered
    near = _words(_texts([query.get(name) for name in _PATHS_OF]))
    anchors = [
        *(text for name in _PATHS_OF[:3] if isinstance(text := query.get(name), str)),
        *_texts(query.get("implementation_files")),
    ]
    has_test = any(_is_test(path) for path in gold)
    return _Signals(
        overlap=overlap,
        score=len(overlap) / min(len(asked), len(answered)) if asked and answered else 0,
        path_overlap=bool(near & answered),
        structural=len(evidence & _STRUCTURAL) + sum(_one_family(anchor, path) for anchor in anchors for path in gold),
        workflow=2 * (row.get("task_type") == "code2test") + len(evidence & _WORKFLOW) + has_test,
        has_test=has_test,
        names_symbol="symbol_or_path_overlap" in evidence,
    )


def _gold_paths(row: Row) -> list[str]:
    """Wider than what is scored: the paths of spans, and the root causes and supporting files of comments too."""
    gold = object_of(row.get("gold"))
    members = ("files", *_GOLD_OF.get(str(row.get("task_type")), _GOLD_OF_OTHERS))
    listed = [row.get("gold_spans"), *(gold.get(name) for name in members)]
    items = (item for one in listed if isinstance(one, list) for item in one)
    found = (item.get("path") if isinstance(item, dict) else item for item in items)
    return list(dict.fromkeys(path for path in found if isinstance(path, str) and path))


def _symbols(row: Row) -> Iterator[str]:
    blocks = row.get("gold_blocks")
    for block in blocks if isinstance(blocks, list) else ():
        yield from _texts(object_of(block).get("symbol"))
    yield from _texts(object_of(row.get("gold")).get("root_cause_symbols"))


def _evidence(row: Row) -> set[str]:
    contexts = object_of(row.get("gold")).get("must_context_files")
    evidence = object_of(object_of(row.get("metadata")).get("evidence"))
    listed = [object_of(one).get("evidence") for one in (contexts if isinstance(contexts, list) else ())]
    return set(_texts([*listed, evidence.get("signals"), evidence.get("source")]))


def _one_family(anchor: str, path: str) -> bool:
    """Whether two files lie in one top folder, or have a word of their names in common."""
    tops = [[part for part in PurePosixPath(name).parts if part not in _TOP_FOLDERS][:1] for name in (anchor, path)]
    if not all(tops):
        return False
    stems = [_words([PurePosixPath(name).stem]) for name in (anchor, path)]
    return tops[0] == tops[1] or bool(stems[0] & stems[1])


def _is_test(path: str) -> bool:
    stem = PurePosixPath(path).stem.lower()
    return not {"test", "tests"}.isdisjoint(PurePosixPath(path).parts) or stem.endswith("_test") or stem[:5] == "test_"


def _words(texts: Iterable[str]) -> frozenset[str]:
    parted = _CAMEL.sub(r"\1 \2", "\n".join(texts)).replace("_", " ")
    return frozenset(word.lower() for word in _WORD.findall(parted)) - _STOP


def _texts(value: Json) -> Iterator[str]:
    """The strings in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value if isinstance(value, list) else value.values():
            yield from _texts(item)

"""From rows, and from what their snapshots say, to findings and labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_retrieval_bench.doctor import checks
from pytest_retrieval_bench.doctor.checks import CHECKS, Among, Check, Finding
from pytest_retrieval_bench.doctor.entries import Entry
from pytest_retrieval_bench.doctor.hardness import LABELS, hardness
from pytest_retrieval_bench.doctor.leaks import hints, leaks
from pytest_retrieval_bench.doctor.rules import broken_rules, unlike_a_release
from pytest_retrieval_bench.model import Sample

_UNLABELLED = "names no gold file; name one in gold.files, or say gold.no_gold: true"


@dataclass(frozen=True, slots=True)
class Seen:
    """What the snapshot of a sample says: why it cannot be read, or else which gold files it lacks.

    `measures` are those of `arb:lexical` on the sample, None where it has no answer.
    """

    refusal: str = ""
    missing: tuple[str, ...] = ()
    measures: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All findings by check, among how many each was looked for, and how many samples have which hardness."""

    findings: Mapping[Check, tuple[Finding, ...]]
    among: Mapping[Among, int]
    labels: Mapping[str, int]

    @property
    def fatal(self) -> int:
        """How many fatal findings there are."""
        return sum(len(found) for check, found in self.findings.items() if check.fatal)


def diagnose(listed: Sequence[Entry], seen: Mapping[str, Seen]) -> Diagnosis:
    """Every check of every row; `seen` is what snapshots say, by the place of the row."""
    found: dict[Check, list[Finding]] = {check: [] for check in CHECKS}
    for check, entry, words in _found(listed, seen):
        found[check].append(Finding(check.name, entry.where, entry.identity, words))
    positives = [entry for entry in listed if entry.sample is not None and entry.sample.gold]
    among: dict[Among, int] = {
        "rows": len(listed),
        "samples": sum(entry.sample is not None for entry in listed),
        "samples with gold": len(positives),
        "samples with gold and snapshot": sum(not seen[entry.where].refusal for entry in positives),
    }
    named = {one.where for check in (checks.PATH_HINT, checks.NAME_HINT) for one in found[check]}
    labels = Counter(_label(seen[entry.where], named=entry.where in named) for entry in positives)
    return Diagnosis(
        {check: tuple(listed) for check, listed in found.items()}, among, {label: labels[label] for label in LABELS}
    )


def _found(listed: Sequence[Entry], seen: Mapping[str, Seen]) -> Iterator[tuple[Check, Entry, str]]:
    yield from _repeated(listed)
    for entry in listed:
        if entry.sample is None:
            yield checks.SCHEMA, entry, entry.refusal
            continue
        for check, words in _of_sample(entry, entry.sample, seen[entry.where]):
            yield check, entry, words


def _of_sample(entry: Entry, sample: Sample, seen: Seen) -> Iterator[tuple[Check, str]]:
    if "instance_id" not in entry.row:
        unlabelled = sample.stratum == "positive" and not sample.gold
        yield from _joined(checks.SCHEMA, [*broken_rules(entry.row)] or [_UNLABELLED] * unlabelled)
        yield from _joined(checks.FORM, unlike_a_release(entry.row))
    if seen.refusal:
        yield checks.SNAPSHOT, seen.refusal
    if sample.gold:
        yield from _joined(checks.GOLD_FILE, seen.missing, "lacks ")
        yield from _joined(checks.GOLD_GIVEN, [path for path in sample.gold if path in sample.given], "gives ")
        yield from leaks(sample, entry.row)
        yield from hints(sample)


def _joined(check: Check, words: Iterable[str], before: str = "") -> Iterator[tuple[Check, str]]:
    """One finding of all the words; none where there is no word."""
    joined = ", ".join(words) if before else "; ".join(words)
    if joined:
        yield check, before + joined


def _repeated(listed: Sequence[Entry]) -> Iterator[tuple[Check, Entry, str]]:
    """Ids and queries that an earlier row has."""
    firsts: dict[tuple[Check, str], tuple[str, str]] = {}
    for entry in listed:
        if entry.sample is None:
            continue
        for check, key in ((checks.SAME_ID, entry.sample.id), (checks.SAME_QUERY, entry.sample.query.text)):
            where, repo = firsts.setdefault((check, key), (entry.where, entry.sample.repo))
            if where != entry.where:
                yield check, entry, f"as at {where}" + (f", of {repo}" if repo != entry.sample.repo else "")


def _label(seen: Seen, *, named: bool) -> str:
    return hardness(seen.measures, gold_is_there=not seen.refusal and not seen.missing, named=named)

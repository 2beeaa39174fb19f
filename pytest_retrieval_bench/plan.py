"""What is to be measured: the pairs of sample and arm, with the node id under which pytest runs each."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_retrieval_bench.benchmarks.read import SamplesFile
from pytest_retrieval_bench.model import Sample

TEST_NAME = "test_retrieval"
MAX_ID = 120
# pytest gives `::`, `[`, `]`, `@` and the backslash meanings of their own in node ids.
_UNSAFE = re.compile(r"::|[^\x20-\x7e]|[\[\]@\\]")
# pytest-xdist gives `@` its meaning, and it sees no gates.
_UNSAFE_IN_GATES = re.compile(r"::|[^\x20-\x7e]|[\[\]\\]")


@dataclass(frozen=True, slots=True)
class Pair:
    """One sample and the name of one arm; `id` is the printable parameter id, `node_id` pytest's name for the item."""

    sample: Sample
    arm: str
    id: str
    node_id: str


@dataclass(frozen=True, slots=True)
class Module:
    """A samples file as a test module: `name` is its node id, the same on every machine."""

    name: str
    path: Path
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """All modules of a run and the selected samples, in reading order.

    `unlabelled` are the ids of those that were left out: they have no gold and do not say that there is none.
    """

    modules: tuple[Module, ...]
    samples: tuple[Sample, ...]
    unlabelled: tuple[str, ...]

    @property
    def skipped_unlabelled(self) -> int:
        """How many samples had no gold and no label for that."""
        return len(self.unlabelled)

    def part(self, ordinals: Collection[int]) -> Plan:
        """The plan of some of the samples, by their places in `samples`."""
        samples = tuple(self.samples[ordinal] for ordinal in sorted(ordinals))
        kept = {sample.id for sample in samples}
        modules = tuple(
            replace(module, pairs=tuple(pair for pair in module.pairs if pair.sample.id in kept))
            for module in self.modules
        )
        return replace(self, modules=modules, samples=samples)

    def pairs(self) -> dict[str, Pair]:
        """Each pair by its node id."""
        return {pair.node_id: pair for module in self.modules for pair in module.pairs}


def make_plan(
    files: Sequence[SamplesFile], arms: Sequence[str], task_type: str | None = None, max_samples: int = 0
) -> Plan:
    """Selects the samples and names the items; `max_samples` 0 takes all."""
    selected: list[list[Sample]] = []
    unlabelled: list[str] = []
    taken = 0
    for file in files:
        selected.append([])
        for sample in file.samples:
            if (task_type and sample.task_type != task_type) or (max_samples and taken >= max_samples):
                continue
            if sample.stratum == "positive" and not sample.gold:
                unlabelled.append(sample.id)
                continue
            selected[-1].append(sample)
            taken += 1
    names = module_names([file.path for file in files])
    modules = [
        Module(name, file.path, _pairs(name, samples, arms))
        for name, file, samples in zip(names, files, selected, strict=True)
    ]
    return Plan(tuple(modules), tuple(sample for samples in selected for sample in samples), tuple(unlabelled))


def module_names(paths: Sequence[Path]) -> list[str]:
    """The file names; where files share one, as many parent folders before it as tell them apart."""
    names = []
    for path in paths:
        others = [other.parts for other in paths if other is not path]
        count = 1
        while count < len(path.parts) and any(other[-count:] == path.parts[-count:] for other in others):
            count += 1
        names.append(printable("/".join(path.parts[-count:])))
    return names


def sample_id(sample: Sample) -> str:
    """The name of a sample as it may stand in a node id."""
    return printable(f"{sample.task_type}-{sample.repo}-{sample.id}")


def _pairs(module: str, samples: Iterable[Sample], arms: Sequence[str]) -> tuple[Pair, ...]:
    named = [(sample, arm, printable(f"{sample_id(sample)}-{arm}")) for sample in samples for arm in arms]
    uses = Counter(identity for _, _, identity in named)
    pairs = []
    for sample, arm, identity in named:
        # `a` with arm `b-c` and `a-b` with arm `c` read the same.
        unique = identity if uses[identity] == 1 else _hashed(identity, f"{sample.id}\0{arm}")
        pairs.append(Pair(sample, arm, unique, f"{module}::{TEST_NAME}[{unique}]"))
    return tuple(pairs)


def gate_name(text: str) -> str:
    """The text of a gate as a part of a node id, made as `printable` makes it, but with its `@`."""
    return printable(text, _UNSAFE_IN_GATES)


def printable(text: str, unsafe: re.Pattern[str] = _UNSAFE) -> str:
    """The text as a part of a node id: unchanged where it can be, else with a hash that keeps it unique."""
    clean = unsafe.sub("_", text)
    return clean if clean == text and len(text) <= MAX_ID else _hashed(clean, text)


def _hashed(clean: str, raw: str) -> str:
    digest = hashlib.sha256(raw.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{clean[: MAX_ID - 9]}~{digest}"

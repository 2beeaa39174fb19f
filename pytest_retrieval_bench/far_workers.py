"""Workers on other machines (`--tx ssh=…`, `--tx socket=…`) must see the inputs of the process that started them."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_retrieval_bench.bench import Bench
from pytest_retrieval_bench.benchmarks.read import samples_sha256
from pytest_retrieval_bench.fingerprints import Fingerprints, fingerprint
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

_INPUT = "rb_inputs"
Inputs = dict[str, Any]


class FarWorkers:
    """The plugin object of the controller: it tells far workers the digests of what they are to measure."""

    def __init__(self, bench: Bench, fingerprints: Fingerprints) -> None:
        self._bench = bench
        self._fingerprints = fingerprints
        self._inputs: Inputs | None = None

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Workers on this machine read the same files, and are told nothing."""
        if not node.gateway.spec.popen:
            self._inputs = self._inputs or self._digests()
            node.workerinput[_INPUT] = self._inputs

    def _digests(self) -> Inputs:
        snapshots = self._fingerprints.of(self._bench.plan.samples)
        return {"samples_sha256": samples_sha256(self._bench.files), "snapshots": snapshots}


def inputs_of_worker(config: pytest.Config) -> Inputs | None:
    """What the controller told this worker of its inputs; None where it reads the same files."""
    inputs: Inputs | None = getattr(config, "workerinput", {}).get(_INPUT)
    return inputs


def differing(bench: Bench, snapshot: Snapshot, inputs: Inputs) -> str | None:
    """The words for samples or a snapshot that are not what the controller has under their names; None where they are.

    Each item says so: a worker that refused to start would be started again.
    """
    there = {"the samples": inputs["samples_sha256"]}
    here = {"the samples": samples_sha256(bench.files)}
    there[snapshot.origin] = inputs["snapshots"].get(f"{snapshot.repo}@{snapshot.commit}")
    here[snapshot.origin] = fingerprint(snapshot)
    differences = [
        f"{name}: the digest is {here[name]} on this worker and {there[name]} on the controller; copy the files"
        for name in here
        if here[name] != there[name]
    ]
    return "; ".join(differences) or None

"""What a run is bound to: told before the first item, looked at again at the end, and held to when it is resumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pytest_retrieval_bench.arms.describe import described_arms
from pytest_retrieval_bench.bench import Bench, snapshot_store
from pytest_retrieval_bench.benchmarks.read import samples_sha256, samples_sha256_now
from pytest_retrieval_bench.errors import BenchmarkError, ReportError
from pytest_retrieval_bench.fingerprints import Fingerprints
from pytest_retrieval_bench.model import Json, arm_rank
from pytest_retrieval_bench.plan import Pair
from pytest_retrieval_bench.reporting.calibration import read_calibration
from pytest_retrieval_bench.reporting.gate_reading import WITHOUT_WINNER
from pytest_retrieval_bench.reporting.gates import planned_groups
from pytest_retrieval_bench.reporting.metric_choice import registered_metrics
from pytest_retrieval_bench.reporting.protocol.hypotheses import Protocol
from pytest_retrieval_bench.reporting.protocol.read import check_protocol, read_protocol
from pytest_retrieval_bench.reporting.registration import drifted, registration
from pytest_retrieval_bench.resuming import StoredPart

Registration = dict[str, Any]


class Registrar:
    """Knows what a run is bound to.

    Raises SettingsError for an arm that cannot say what it is bound to, such as a program that is not there, and for a
    protocol that does not fit the run.
    """

    def __init__(self, bench: Bench, workers: int) -> None:
        self._bench = bench
        self._workers = workers
        self._retrievers = described_arms(bench.arms)
        self._calibration = read_calibration(bench.settings.calibration)
        self._protocol = _protocol(bench)
        self.fingerprints = Fingerprints(snapshot_store(bench.settings))

    def begin(self) -> None:
        """Starts on what takes long, while workers come up."""
        self.fingerprints.begin(self._bench.plan.samples)

    def close(self) -> None:
        """Stops what was begun and is not wanted any more."""
        self.fingerprints.close()

    def register(self, expected: Sequence[Pair], stored: StoredPart | None) -> Registration:
        """The registration of a run that owes these pairs; of a resumed run the one that it began with.

        Raises ReportError when anything that a resumed run is bound to has changed.
        """
        now = self._registration(expected, samples_sha256(self._bench.files), self._retrievers)
        if stored is None:
            return now
        changed = drifted(stored.run.registration, now)
        if changed:
            raise ReportError(f"--rb-resume: {', '.join(changed)} changed since the run began; begin a new one")
        part = {"at": now["registered_at"], "records_before": len(stored.records)}
        return {**stored.run.registration, "resumed": [*stored.run.resumed, part]}

    def check(self, registered: Registration, expected: Sequence[Pair]) -> None:
        """Raises BenchmarkError, naming it, for what is no longer as it was registered."""
        # Of the files that were read, not of what a folder of samples may hold by now.
        digest = samples_sha256_now(self._bench.files)
        changed = drifted(registered, self._registration(expected, digest, described_arms(self._bench.arms)))
        if changed:
            raise BenchmarkError(f"{', '.join(changed)} changed while the run went on; run it again")

    def _registration(
        self, expected: Sequence[Pair], digest: str, retrievers: Mapping[str, Mapping[str, Json]]
    ) -> Registration:
        settings, plan, shard = self._bench.settings, self._bench.plan, self._bench.shard
        ids, arms = {pair.sample.id for pair in expected}, {pair.arm for pair in expected}
        selected = [sample for sample in plan.samples if sample.id in ids]
        return registration(
            samples_sha256=digest,
            arms=sorted(arms, key=arm_rank),
            baselines=self._bench.baselines,
            limit=settings.limit,
            max_samples=settings.max_samples,
            unlabelled_ids=plan.unlabelled,
            unreviewed_ids=[sample.id for sample in selected if not sample.reviewed],
            sample_ids=[sample.id for sample in selected],
            retrievers={arm: described for arm, described in retrievers.items() if arm in arms},
            snapshots=self.fingerprints.of(selected),
            snapshot_latency=settings.snapshot_latency,
            shard=None if shard is None else asdict(shard),
            workers=self._workers,
            suite=None if settings.suite is None else settings.suite.as_json(),
            inference=settings.inference,
            protocol=self._protocol,
            own_metrics=sorted(self._bench.own_metrics),
            metrics=registered_metrics(settings.metrics, self._calibration) if settings.metrics else None,
        )


def _protocol(bench: Bench) -> Protocol | None:
    """What is claimed beforehand; a shard's own samples need not have every metric, but all samples together must."""
    path = bench.settings.protocol
    if path is None:
        return None
    protocol = read_protocol(path)
    metrics = planned_groups((sample for file in bench.files for sample in file.samples), bench.settings.limit)["all"]
    check_protocol(protocol, path, list(bench.arms), sorted(metrics.difference(WITHOUT_WINNER)))
    return protocol

"""What the options, the suite and the ini file say, as one frozen `Settings`.

Command line over suite over ini over default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_retrieval_bench.given import Given, Sourced, refuse, whole_number
from pytest_retrieval_bench.options import DEFAULT_LIMIT, EXPORTS, MAX_LIMIT
from pytest_retrieval_bench.releases.layout import is_archive
from pytest_retrieval_bench.reporting.inference_choice import InferenceChoice, read_choice
from pytest_retrieval_bench.reporting.metric_choice import of_set, read_metrics
from pytest_retrieval_bench.scoring.arb.names import ARB
from pytest_retrieval_bench.suites import Suite

_NEED_SAMPLES = (
    "output", "registration", "context-packets", "snapshot-latency", "gate", "gate-report", "noise", "protocol",
    "metrics", "calibration", "view", "top", "explain", *EXPORTS,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user asked for. Paths are absolute; None means the default, `max_samples` 0 means all.

    `directory` is the caller's.
    """

    samples: tuple[Path, ...]
    corpus: Path | None
    snapshots: Mapping[tuple[str, str], Path]
    clones: Mapping[str, Path]
    arms: Sourced[tuple[str, ...]]
    baseline_arms: Sourced[tuple[str, ...]]
    candidate_filter: str | None
    task_type: str | None
    max_samples: int
    shard: tuple[int, int] | None
    limit: int
    judge: str
    output: Path | None
    registration: Path | None
    resume: str | None
    cache: bool
    cache_folder: Path | None
    corvint: str | None
    arms_file: Path | None
    commands: tuple[str, ...]
    replays: tuple[str, ...]
    snapshot_latency: bool
    context_packets: Path | None
    keep_workspace: bool
    inference: InferenceChoice | None
    top: int
    metrics: tuple[str, ...]
    calibration: Path | None
    views: tuple[str, ...]
    gates: tuple[Sourced[str], ...]
    gate_report: Path | None
    noise: Path | None
    protocol: Path | None
    exports: Mapping[str, Path]
    suite: Suite | None
    directory: Path

    def kept_in(self) -> Path | None:
        """The folder of what is kept from one run to the next; None where nothing is."""
        from pytest_retrieval_bench.index.cache import default_folder  # heavy, and not wanted by every setting

        return (self.cache_folder or default_folder()) if self.cache else None

    def context_modes(self) -> dict[str, bool]:
        """The options that do more than measure the arm `context`, and whether they were given."""
        return {
            "--rb-snapshot-latency": self.snapshot_latency,
            "--rb-context-packets": self.context_packets is not None,
        }


def snapshot_places(config: pytest.Config) -> list[Path]:
    """The folders and files of snapshots and the clones, in which nothing is to be collected.

    The clone in which the suite itself lies is the team's own, with tests of its own.
    """
    options = Given(config)
    corpus, suite = options.corpus().value, options.suite
    clones = [clone for clone in options.clones().values() if suite is None or not suite.is_in(clone)]
    return [*([corpus] if corpus else []), *options.snapshots().values(), *clones]


def read_settings(config: pytest.Config) -> Settings | None:
    """What was asked for, or None where no samples are.

    Raises SettingsError for what cannot be done.
    """
    options = Given(config)
    samples, output = options.samples(), options.path("output")
    registration, corpus, snapshots = options.path("registration"), options.corpus(), options.snapshots()
    clones = options.clones()
    if options.value("data") and (options.suite is None or options.suite.release is None):
        refuse("--rb-data", "it is where the releases of suites lie; give --rb-suite=agent_retrieval_bench/ID")
    if not samples:
        for name in _NEED_SAMPLES:
            if options.value(name):
                refuse(f"--rb-{name}", "there is nothing to measure; give --rb-samples")
        return None
    if corpus.value is None and not snapshots and not clones:
        what = "--rb-corpus=DIR, --rb-snapshot, --rb-git or a suite with a corpus or a clone"
        refuse("--rb-samples", f"there are no snapshots; give {what}")
    if corpus.value is not None and not corpus.value.is_dir() and not is_archive(corpus.value):
        refuse(corpus.source, f"{corpus.value} is no directory and no release archive (*.tar.zst)")
    found = Settings(
        samples=samples,
        corpus=corpus.value,
        snapshots=snapshots,
        clones=clones,
        arms=options.arms(),
        baseline_arms=options.baseline_arms(),
        candidate_filter=options.candidate_filter(),
        task_type=options.text("task-type"),
        max_samples=whole_number(Sourced(options.text("max-samples"), "--rb-max-samples"), 0, 1, 10**9),
        shard=options.shard(),
        limit=whole_number(options.limit(), DEFAULT_LIMIT, 1, MAX_LIMIT),
        judge=options.judge(),
        output=output,
        registration=registration or (output and output.with_name(f"{output.name}.registration.json")),
        resume=options.resume(),
        cache=not options.value("no-cache"),
        cache_folder=options.path("cache-dir") or options.ini_path("rb_cache_dir"),
        corvint=options.corvint(),
        arms_file=options.path("arms-file") or options.ini_path("rb_arms_file"),
        commands=tuple(options.value("command") or ()),
        replays=tuple(options.value("replay") or ()),
        snapshot_latency=bool(options.value("snapshot-latency")),
        context_packets=options.path("context-packets"),
        keep_workspace=bool(options.value("keep-workspace")),
        inference=read_choice(options.value("inference"), options.text("margin")),
        top=options.top(),
        metrics=read_metrics(options.value("metrics")),
        calibration=options.path("calibration"),
        views=options.views(),
        gates=options.gates(),
        gate_report=options.path("gate-report"),
        noise=options.path("noise"),
        protocol=options.path("protocol"),
        exports=options.exports(),
        suite=options.suite,
        directory=config.invocation_params.dir,
    )
    _check_context_modes(found, config)
    whole_rankings = of_set(found.metrics, ARB)
    for name, asked, metrics in (
        ("calibration", found.calibration, whole_rankings),
        ("view", found.views, whole_rankings),
        ("view-csv", found.exports.get("view-csv"), found.metrics),
    ):
        if asked and not metrics:
            refuse(f"--rb-{name}", "it is about --rb-metrics; give that as well, such as --rb-metrics=arb")
    if found.resume is not None and (found.output is None or found.context_packets is not None):
        why = "a capture is of one run, from its beginning" if found.output else "give the --rb-output of the run"
        refuse("--rb-resume", why)
    return found


def _check_context_modes(found: Settings, config: pytest.Config) -> None:
    """What measures time or keeps one order cannot be spread over workers."""
    for option, asked in found.context_modes().items():
        if asked and config.getoption("dist", "no") != "no":
            refuse(option, "cannot be used with -n: calls side by side spoil times and order; leave -n out")
        if asked and found.registration is None:
            refuse(option, "it belongs to a registered run; give --rb-output or --rb-registration")

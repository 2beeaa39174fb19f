"""What a run binds itself to before the first retrieval (PROTOCOL 7)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.benchmarks.folds import fold_map_sha256
from pytest_retrieval_bench.model import CORVINT_ARMS, Json
from pytest_retrieval_bench.reporting.inference_choice import InferenceChoice
from pytest_retrieval_bench.reporting.protocol.hypotheses import Protocol
from pytest_retrieval_bench.version import __version__

NOT_RUN = "NOT_RUN"
_PACKAGE = Path(__file__).parent.parent
# Variables with this prefix steer corvint's ranking and storage.
_ENVIRONMENT_PREFIX = "CORVINT_"
# The suite is words about the run: what it binds the run to is in the other members.
_NOT_REPEATED = ("registered_at", "resumed", "machine", "suite")


def registration(
    *,
    samples_sha256: str,
    arms: Sequence[str],
    baselines: Sequence[str],
    limit: int,
    max_samples: int,
    sample_ids: Sequence[str],
    unlabelled_ids: Sequence[str],
    unreviewed_ids: Sequence[str],
    retrievers: Mapping[str, Mapping[str, Json]],
    snapshots: Mapping[str, str],
    snapshot_latency: bool,
    shard: Mapping[str, Json] | None,
    workers: int,
    suite: Mapping[str, Json] | None = None,
    inference: InferenceChoice | None = None,
    metrics: Mapping[str, Any] | None = None,
    protocol: Protocol | None = None,
    own_metrics: Sequence[str] = (),
    environment: Mapping[str, str] = os.environ,
) -> dict[str, Any]:
    """The members of a registration; `max_samples` is 0 where no bound was given.

    `unlabelled_ids` are the samples that were skipped for want of gold; a merge counts them once. `unreviewed_ids` are
    those of `sample_ids` whose gold nobody has checked, `suite` what the suite says of itself.
    `retrievers` is what the arms of the run say that they are bound to, by arm; `shard` says which part of the run this
    is, `workers` how many measure at a time, which every arm's times depend on.
    `snapshots` are the digests of what is searched, `metrics` says which further measures are taken,
    `protocol` what is claimed beforehand, `own_metrics` names those of hooks.
    """
    # Stored answers bring their times with them.
    measured = [arm for arm in arms if retrievers.get(arm, {}).get("kind") != "replay"]
    return {
        "samples_sha256": samples_sha256,
        "corvint_sha256": corvint(retrievers)["sha256"],
        "fold_map_sha256": fold_map_sha256(),
        "arms": list(arms),
        "baseline_arms": list(baselines),
        "limit": limit,
        "max_samples": max_samples,
        "sample_ids": list(sample_ids),
        **({"unlabelled_ids": list(unlabelled_ids)} if unlabelled_ids else {}),
        **({"unreviewed_ids": list(unreviewed_ids)} if unreviewed_ids else {}),
        "environment": sorted(
            os.fsencode(f"{name}={value}").decode("utf-8", "replace")
            for name, value in environment.items()
            if name.startswith(_ENVIRONMENT_PREFIX)
        ),
        "registered_at": datetime.now(UTC).isoformat().replace("+00:00", "Z"),
        "snapshots": dict(snapshots),
        "snapshot_latency": snapshot_latency,
        "retrievers": {arm: dict(described) for arm, described in retrievers.items()},
        "machine": {"cores": core_count(), "load_1m": _load(), "workers": dict.fromkeys(measured, workers)},
        **({} if shard is None else {"shard": dict(shard)}),
        **({} if suite is None else {"suite": dict(suite)}),
        "plugin": {"version": __version__, "sha256": plugin_sha256()},
        **({} if inference is None else {"inference": inference.as_json()}),
        **({} if metrics is None else {"metrics": dict(metrics)}),
        **({} if protocol is None else {"protocol": protocol.as_json()}),
        **({"own_metrics": list(own_metrics)} if own_metrics else {}),
    }


def core_count() -> int | None:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def cores() -> str:
    """The cores that this process may use, in words."""
    return f"{core_count()} cores"


def _load() -> float | None:
    """How many processes wanted a core, on average over the last minute; None where the system does not say."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def corvint(retrievers: Mapping[str, Mapping[str, Json]]) -> dict[str, Json]:
    """Digest and version of the corvint that was measured; NOT_RUN twice where none was."""
    measured = (retrievers[arm] for arm in CORVINT_ARMS if arm in retrievers)
    found = next(measured, {"sha256": NOT_RUN, "version": NOT_RUN})
    return {"sha256": found["sha256"], "version": found["version"]}


def drifted(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """The members that differ between two registrations of one run, the time of registration aside.

    Of objects with the same members it is the inner ones that are named: `retrievers.mine.sha256`.
    """
    return [
        path
        for name in {**before, **now}
        if name not in _NOT_REPEATED
        for path in _differing(name, before.get(name), now.get(name))
    ]


def _differing(name: str, before: Any, now: Any) -> list[str]:
    if before == now:
        return []
    if isinstance(before, Mapping) and isinstance(now, Mapping) and before.keys() == now.keys():
        return [path for key in before for path in _differing(f"{name}.{key}", before[key], now[key])]
    return [name]


def plugin_sha256() -> str:
    """The digest of the plugin's own source: SHA-256 over the lines `sha256 SPACE path LF` of its files, by path."""
    files = {path.relative_to(_PACKAGE).as_posix(): path for path in _PACKAGE.rglob("*.py")}
    lines = (f"{hashlib.sha256(files[name].read_bytes()).hexdigest()} {name}\n" for name in sorted(files))
    return hashlib.sha256("".join(lines).encode()).hexdigest()

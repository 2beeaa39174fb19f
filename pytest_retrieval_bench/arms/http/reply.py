"""What comes of asking a service: a reply, or a failure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_retrieval_bench.arms.http.headers import Secrets
from pytest_retrieval_bench.model import FailureKind


@dataclass(frozen=True, slots=True)
class Reply:
    """What a service said; `headers` by lower-case name."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an attempt gave nothing, in words without secrets; `may_pass` says that another may give something.

    `asked_to_wait_s` is how long the service asked to be left alone, None where it did not; `kind`
    is there for what is no plain error.
    """

    words: str
    kind: FailureKind | None = None
    may_pass: bool = False
    asked_to_wait_s: float | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """How the last attempt ended, when it began (`time.perf_counter_ns`), and how many were made before it.

    `secrets` are the values that were sent and that no text may show.
    """

    result: Reply | Failure
    began_ns: int
    retries: int
    secrets: Secrets

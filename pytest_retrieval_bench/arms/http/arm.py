"""`kind = "http"`: a service of one's own under test, asked over HTTP."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_retrieval_bench.arms.arm import Arm
from pytest_retrieval_bench.arms.changed_file import NO_CHANGED_FILE, changed_file
from pytest_retrieval_bench.arms.http.headers import Secrets
from pytest_retrieval_bench.arms.http.reply import Asked, Failure
from pytest_retrieval_bench.arms.http.request import RequestTemplate
from pytest_retrieval_bench.arms.http.settings import PLACEHOLDERS, HttpSettings
from pytest_retrieval_bench.arms.output.paths import without_root
from pytest_retrieval_bench.arms.output.reader import OutputError
from pytest_retrieval_bench.errors import BenchmarkError
from pytest_retrieval_bench.model import Answer, IndexCost, Json, Query
from pytest_retrieval_bench.snapshots.snapshot import Snapshot

if TYPE_CHECKING:
    from pytest_retrieval_bench.arms.http.service import Service


class HttpError(BenchmarkError):
    """A service that cannot be asked, or that did not make a snapshot ready."""


def http_arm(name: str, table: Mapping[str, Any], source: str) -> Arm:
    """The arm that an `[arms.NAME]` table of kind "http" describes; `source` says where it stands, for messages.

    Raises SettingsError, naming the key.
    """
    return HttpArm(name, table, HttpSettings.read(table, source))


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A snapshot that was made ready as the copy at `root`, or why it was not."""

    root: Path | None
    cost: IndexCost
    error: str | None


class HttpArm:
    """Asks a service and reads its answer.

    `wall_ms` of an answer is the time of the last attempt, from its request to the parsed answer; waiting for the
    bounds that all workers share, earlier attempts and the waits between them are not in it. A connection is kept
    between questions, so only the first one pays for making it.
    """

    timeout_s = None  # it bounds itself, and its waits are not its time

    def __init__(self, name: str, table: Mapping[str, Any], settings: HttpSettings) -> None:
        self.name = name
        self._table = table
        self._settings = settings
        self._service: Service | None = None
        self._prepared: dict[tuple[str, str], _Prepared] = {}

    def describe(self) -> Mapping[str, Json]:
        """The table as it was given; of the headers only their names and those of the variables in them.

        Raises SettingsError for a variable that the environment lacks.
        """
        headers = self._settings.headers
        headers.secrets()
        names: list[Json] = [*sorted(headers.values)]
        variables: list[Json] = [*headers.variables]
        method = self._settings.request.method
        return {**self._table, "kind": "http", "method": method, "headers": names, "environment": variables}

    def make_ready(self, snapshot: Snapshot) -> IndexCost | None:
        """Has the service make a snapshot ready, where the table says how, once for each copy of it.

        Raises HttpError when it did not.
        """
        template = self._settings.prepare
        if template is None:
            return None
        key, root = (snapshot.repo, snapshot.commit), self._root(template, snapshot)
        prepared = self._prepared.get(key)
        if prepared is None or prepared.root != root:
            prepared = self._prepared[key] = self._prepare(template, snapshot, root)
        if prepared.error is not None:
            raise HttpError(prepared.error)
        return prepared.cost

    def answer(self, query: Query, snapshot: Snapshot, limit: int) -> Answer:
        """What the service says; a status in `empty_statuses` is an empty ranking."""
        template = self._settings.request
        changed = changed_file(query)
        if changed is None and "changed_file" in template.placeholders():
            return NO_CHANGED_FILE
        cost = self.make_ready(snapshot)
        root = self._root(template, snapshot)
        values = self._values(template, snapshot, root) | {
            "query": query.plain if self._settings.plain else query.text,
            "limit": limit,
            "changed_file": changed,
        }
        asked = self._opened().ask(template.filled(values), self._settings.timeout_s)
        answer = self._read(asked, snapshot, root)
        wall_ms = _milliseconds_since(asked.began_ns)
        return replace(answer, figures={**answer.figures, "retries": asked.retries}, wall_ms=wall_ms, index=cost)

    def close(self) -> None:
        """Ends the connection of this process; the next question makes a new one."""
        if self._service is not None:
            self._service.close()

    def _opened(self) -> Service:
        if self._service is None:
            from pytest_retrieval_bench.arms.http.service import Service  # loads httpx, which takes its time

            self._service = Service(self._settings)
        return self._service

    def _prepare(self, template: RequestTemplate, snapshot: Snapshot, root: Path | None) -> _Prepared:
        request = template.filled(self._values(template, snapshot, root))
        asked = self._opened().ask(request, self._settings.prepare_timeout_s)
        wall_ms = _milliseconds_since(asked.began_ns)
        if isinstance(asked.result, Failure):
            error = without_root(f"prepare: {_words(asked.result, asked.retries)}", root)
            return _Prepared(root, IndexCost(wall_ms), error)
        # What the service keeps in the copy is no change of the snapshot.
        size = None if root is None else snapshot.workspace(self.name).accept_new_files()
        return _Prepared(root, IndexCost(wall_ms, size), None)

    def _root(self, template: RequestTemplate, snapshot: Snapshot) -> Path | None:
        """The copy of the snapshot, one of the arm's own where the service may keep things there; None for no copy."""
        if "root" not in template.placeholders():
            return None
        return snapshot.workspace("" if self._settings.prepare is None else self.name).root

    def _values(self, template: RequestTemplate, snapshot: Snapshot, root: Path | None) -> dict[str, Json]:
        """What the placeholders stand for that depend on the snapshot alone.

        Raises HttpError for a value of the user's own that is not given for this snapshot.
        """
        own = self._settings.snapshots.of(snapshot.repo, snapshot.commit)
        for name in template.placeholders():
            if name not in own and name not in PLACEHOLDERS:
                raise HttpError(f"snapshots has no {name!r} for {snapshot.repo}@{snapshot.commit}; add it to the arm")
        return {**own, "repo": snapshot.repo, "commit": snapshot.commit, "root": str(root)}

    def _read(self, asked: Asked, snapshot: Snapshot, root: Path | None) -> Answer:
        """The answer, with nothing secret in it, even if the service sent it back."""
        result = asked.result
        if isinstance(result, Failure):
            return Answer(error=without_root(_words(result, asked.retries), root), failure=result.kind)
        if result.status in self._settings.empty_statuses:
            return Answer()
        try:
            answer = self._settings.reader.answer(result.body, snapshot, root)
        except OutputError:
            return Answer(error=without_root(self._why_unreadable(result.body, asked.secrets, snapshot, root), root))
        answer = replace(answer, packet_bytes=len(result.body))
        if not asked.secrets.values:
            return answer
        hidden = asked.secrets.hidden
        return replace(
            answer,
            ranking=[path if snapshot.size(path) is not None else hidden(path) for path in answer.ranking],
            state=None if answer.state is None else hidden(answer.state),
        )

    def _why_unreadable(self, body: bytes, secrets: Secrets, snapshot: Snapshot, root: Path | None) -> str:
        """What the reader says of a body without secrets: it quotes, and half a secret would not be recognised."""
        shown = secrets.hidden(body.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        try:
            self._settings.reader.answer(shown, snapshot, root)
        except OutputError as error:
            return secrets.hidden(str(error))
        return "the reply cannot be read"


def _words(failure: Failure, retries: int) -> str:
    return f"{failure.words} (tried {retries + 1} times)" if retries else failure.words


def _milliseconds_since(began_ns: int) -> float:
    return (time.perf_counter_ns() - began_ns) / 1e6

"""Reading what a retriever printed, or a service answered, as an `Answer`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_retrieval_bench.arms.output import printed
from pytest_retrieval_bench.arms.output.paths import Lines, RepositoryPaths, without_root
from pytest_retrieval_bench.arms.output.place import Place
from pytest_retrieval_bench.arms.table import Table
from pytest_retrieval_bench.errors import BenchmarkError
from pytest_retrieval_bench.model import Answer, Json
from pytest_retrieval_bench.snapshots.snapshot import Snapshot
from pytest_retrieval_bench.text.strict_json import loads

_FIGURES = ("tokens", "cost")
_PLACES = ("results", "path", "score", "start_line", "end_line", "abstained", *_FIGURES)
OUTPUT_KEYS = ("output", *_PLACES)
_PATH = Place("path")
_SHOWN = 300


class OutputError(BenchmarkError):
    """What a retriever printed cannot be read as an answer."""


@dataclass(frozen=True, slots=True)
class _Result:
    path: str
    score: float | None
    lines: Lines | None


@dataclass(frozen=True, slots=True)
class OutputReader:
    """How to read what a retriever printed.

    `places` says where things lie: `results` in the document (of JSON Lines: the list of its rows), `path`, `score`,
    `start_line` and `end_line` in a result, `abstained`, `tokens` and `cost` in the document. A result that is a
    string is the path itself.
    """

    format: printed.Format
    places: Mapping[str, Place]

    @classmethod
    def from_table(cls, values: Mapping[str, Any], source: str) -> OutputReader:
        """From those keys of an `[arms.NAME]` table that are in OUTPUT_KEYS; `source` says where it stands.

        Raises SettingsError, naming the key.
        """
        table = Table(values, source)
        format_ = table.choice("output", printed.FORMATS) or "auto"
        given = {key: text for key in _PLACES if (text := table.text(key)) is not None}
        places = {key: Place.parse(text, f"{source}: {key}") for key, text in given.items()}
        if format_ in ("lines", "nul") and places:
            table.refuse(f"{next(iter(places))} is for JSON, but output is {format_!r}; leave one of them out")
        if "end_line" in places and "start_line" not in places:
            table.refuse("end_line needs start_line")
        return cls(format_, places)

    def answer(self, output: bytes, snapshot: Snapshot, root: Path | None) -> Answer:
        """The answer, its paths those of the snapshot; `root` is where the retriever saw its copy, if it had one.

        No output at all is an abstention, unless it must be a JSON document. Paths that the snapshot does not have keep
        their rank; the figure `unknown_paths` counts them. Raises OutputError for what cannot be read, and where no
        path is a file of the snapshot.
        """
        paths = RepositoryPaths.of(snapshot, root)
        try:
            text = output.decode("utf-8-sig")
            if not text.strip():
                if self.format == "json" or "results" in self.places:
                    raise ValueError("it is empty, and it must be JSON; an empty list says that nothing was found")
                return Answer(abstained=True, figures={"unknown_paths": 0})
            document, items = self._read(text, paths)
            results = [self._result(number, item) for number, item in enumerate(items, 1)]
            abstained, figures = self._abstained(document), self._figures(document)
        except UnicodeDecodeError as error:
            line = output.count(b"\n", 0, error.start) + 1
            raise OutputError(f"the output is not UTF-8: line {line}, byte {error.start}: {error.reason}") from error
        except (ValueError, RecursionError) as error:
            raise OutputError(f"the output cannot be read: {_cut(without_root(str(error), root))}") from error
        return _answer(results, paths, root, abstained, figures)

    def _read(self, text: str, paths: RepositoryPaths) -> tuple[Json, list[Json]]:
        """The JSON document, None where there is none, and the results in order."""
        format_ = self.format
        if format_ == "auto":
            format_ = printed.recognised(text, lambda line: paths.located(line)[0] is not None)
            if format_ == "lines" and self.places:
                raise ValueError(f"it must be JSON, as its members are named, it is {_json(text)}")
        if format_ == "lines":
            return None, printed.lines(text, paths.files)
        if format_ == "nul":
            return None, [path for path in text.split("\0") if path]
        document = loads(text) if format_ == "json" else printed.rows(text)
        return document, self._items(document)

    def _items(self, document: Json) -> list[Json]:
        place = self.places.get("results")
        if place is None:
            found = [document]
        else:
            found = place.find(document)
            if not found and place.is_missing(document) and not self._abstained(document):
                raise ValueError(f"`results` {place.text!r} is not in {_json(document)}")
        if len(found) == 1 and (found[0] is None or isinstance(found[0], list)):
            return found[0] or []
        return found

    def _result(self, number: int, item: Json) -> _Result:
        try:
            place = self.places.get("path", _PATH)
            path = item if isinstance(item, str) else place.find_one(item)
            if not isinstance(path, str) or not path:
                raise ValueError(f"the path ({place.text!r}) must be a string that is not empty")
            return _Result(path, self._score(item), self._lines(item))
        except ValueError as error:
            raise ValueError(f"result {number}: {error}: {_json(item)}") from error

    def _score(self, item: Json) -> float | None:
        return _number("score", self.places["score"].find_one(item)) if "score" in self.places else None

    def _lines(self, item: Json) -> Lines | None:
        start, end = (self._optional(key, item) for key in ("start_line", "end_line"))
        if start is None:
            return None
        end = start if end is None else end
        if type(start) is not int or type(end) is not int or not 1 <= start <= end:
            raise ValueError(f"lines {start!r} to {end!r} are no range of whole numbers counted from 1")
        return start, end

    def _abstained(self, document: Json) -> bool | None:
        value = self._optional("abstained", document)
        if value is not None and not isinstance(value, bool):
            raise ValueError(f"`abstained` must be true or false, it is {_json(value)}")
        return value

    def _figures(self, document: Json) -> dict[str, float]:
        """The figures that are there; null is not."""
        found = {name: value for name in _FIGURES if (value := self._optional(name, document)) is not None}
        figures = {name: _number(name, value) for name, value in found.items()}
        for name, figure in figures.items():
            if figure < 0:
                raise ValueError(f"`{name}` must not be below 0, it is {figure}")
        return figures

    def _optional(self, key: str, value: Json) -> Json:
        return self.places[key].find_one(value) if key in self.places else None


def _answer(
    results: list[_Result],
    paths: RepositoryPaths,
    root: Path | None,
    abstained: bool | None,
    figures: dict[str, float],
) -> Answer:
    """The results as a ranking in which each path stands once, where it came first."""
    ranking: dict[str, _Result] = {}
    unknown = set()
    for result in results:
        path, lines = paths.located(result.path)
        if path is None:
            path = without_root(result.path, root)
            unknown.add(path)
        ranking.setdefault(path, _Result(path, result.score, result.lines or lines))
    if ranking and len(unknown) == len(ranking):
        raise OutputError(
            f"none of the {len(ranking)} paths is a file of the snapshot; the first is {_cut(next(iter(ranking)))!r}; "
            "paths must be relative to the root of the repository"
        )
    scores = tuple(result.score for result in ranking.values() if result.score is not None)
    ranges = tuple(result.lines for result in ranking.values())
    return Answer(
        tuple(ranking),
        scores or None,
        abstained,
        lines=ranges if any(ranges) else None,
        figures={**figures, "unknown_paths": len(unknown)},
    )


def _number(name: str, value: Json) -> float:
    """A finite number: not 1e999, and no whole number that is too large for a float; JSON allows both."""
    try:
        number = float(value) if type(value) in (int, float) else math.nan  # type: ignore[arg-type]
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"`{name}` must be a finite number, it is {'absent' if value is None else _json(value)}")
    return number


def _json(value: Json) -> str:
    """The value as it may have been printed; messages end with it, so that they can be cut."""
    return json.dumps(value, ensure_ascii=False)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}\u2026"

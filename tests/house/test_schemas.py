"""The JSON Schemas: sound, described, and neither wider nor narrower than what is read and written.

Every report and comparison that a test reads through `Finished.report` is held to them as well.
"""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pytest_retrieval_bench.__main__ import main
from pytest_retrieval_bench.commands.schema import NAMES, schema_text
from pytest_retrieval_bench.reporting.shape import in_shape
from tests.conftest import CONFORMANCE, Run
from tests.schemas import faults, schemas
from tests.small_benchmark import SmallBenchmark

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_sound_and_says_what_each_member_means(name: str) -> None:
    schema = schemas()[name]
    Draft202012Validator.check_schema(schema)
    assert [
        path for path, member in _members(schema, name) if "description" not in member and "$ref" not in member
    ] == []


def _members(schema: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(schema, dict):
        for name, member in schema.get("properties", {}).items():
            yield f"{path}.{name}", member
        for name, part in schema.items():
            yield from _members(part, f"{path}.{name}")
    elif isinstance(schema, list):
        for part in schema:
            yield from _members(part, path)


def test_what_a_run_writes_is_as_its_schemas_say(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, "--rb-inference=all", "--rb-judge=strict", "--rb-command=no=false")
    assert faults("report", finished.report) == []
    sidecar = small.folder / "report.json.registration.json"
    assert faults("registration", json.loads(sidecar.read_text(encoding="utf-8"))) == []
    lines = (small.folder / "report.json.journal.jsonl").read_text(encoding="ascii").splitlines()
    assert len(lines) == 21
    assert [fault for line in lines for fault in faults("journal", json.loads(line))] == []


@pytest.mark.parametrize("file", ["all.json", "corvint.json"])
def test_a_merge_of_the_reference_tools_reports_is_a_report(run_plain: Run, file: str) -> None:
    finished = run_plain(f"--rb-summarize={CONFORMANCE / 'reference' / file}")
    assert faults("report", finished.report) == []


def test_samples_and_suites_are_as_their_schemas_say() -> None:
    for file in (CONFORMANCE / "samples.jsonl", CONFORMANCE / "contextbench.jsonl", *ROOT.rglob("demo/samples.jsonl")):
        rows = file.read_text(encoding="utf-8").split("\n")
        assert [fault for row in rows if row.strip() for fault in faults("sample", json.loads(row))] == []
    for suite in (ROOT / "benchmark_suites").rglob("suite.toml"):
        assert faults("suite", tomllib.loads(suite.read_text(encoding="utf-8"))) == []


def test_a_report_that_lacks_a_member_or_has_one_too_many_is_refused(run_plain: Run, small: SmallBenchmark) -> None:
    whole = run_plain(*small.options, "--rb-arms=grep,bm25:all").report
    for name in whole:
        assert faults("report", {member: value for member, value in whole.items() if member != name})
        assert faults("report", {**whole, name: 7.5})
    assert faults("report", {**whole, "further": 1})
    changes: list[Callable[[dict[str, Any]], Any]] = [
        lambda row: row.pop("stratum"),
        lambda row: row.update(stratum="other"),
        lambda row: row["arms"]["grep"].update(wall_ms=-1),
        lambda row: row["arms"]["grep"].update(outcome="fine"),
        lambda row: row["arms"]["grep"].update(further=1),
        lambda row: row["metrics"]["grep"].update({"hit@k": "1"}),
        lambda row: row.update(gold="a.py"),
    ]
    for change in changes:
        changed = copy.deepcopy(whole)
        change(changed["details"][0])
        assert faults("report", changed)


def test_what_the_reader_of_reports_refuses_the_schema_refuses_too(run_plain: Run, small: SmallBenchmark) -> None:
    whole = run_plain(*small.options, "--rb-inference=all", "--rb-arms=grep,broken", "--rb-command=broken=false").report
    assert in_shape(whole) == whole
    refused = 0
    for value in (-1.5, "", {"no": "such"}, [None], True):
        for place in _places(whole):
            changed = copy.deepcopy(whole)
            *path, last = place
            part: Any = changed
            for step in path:
                part = part[step]
            part[last] = value
            try:
                in_shape(changed)
            except ValueError:
                refused += 1
                assert faults("report", changed), (place, value)
    assert refused > 500


def _places(document: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The places of the report's members; in its rows and its registration, those of all values."""
    parts = document.items() if isinstance(document, dict) else enumerate(document)
    for step, part in parts:
        yield (*path, step)
        if isinstance(part, (dict, list)) and path[:1] in ((), ("details",), ("registration",)):
            yield from _places(part, (*path, step))


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("suite", {"title": "no data"}),
        ("suite", {"samples": "s.jsonl", "release": "x"}),
        ("suite", {"samples": "s.jsonl", "further": 1}),
        ("sample", {"id": "a", "task_type": "t", "repo": "noslash", "base_commit": "a" * 40}),
        ("sample", {"id": "", "task_type": "t", "repo": "o/r", "base_commit": "a" * 40}),
        ("sample", {"instance_id": "a", "repo": "o/r", "base_commit": "a" * 40}),
        ("journal", {"sample_id": "a"}),
        ("registration", {}),
        ("comparison", {}),
        ("noise", {}),
        ("published", {}),
        ("manifest", {}),
    ],
)
def test_what_is_no_such_document_is_refused(name: str, document: Any) -> None:
    assert faults(name, document)


@pytest.mark.parametrize("name", NAMES)
def test_the_command_prints_it(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main(["schema", name]) == 0
    assert capsys.readouterr().out == schema_text(name)

"""Artefacts and their manifest: written from reports, and held against them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.reporting.canonical import canonical
from pytest_retrieval_bench.reporting.load import Report, load_report
from pytest_retrieval_bench.reporting.merge import merge
from pytest_retrieval_bench.reporting.published.folder import check_folder, publish
from tests.reporting.small_reports import HIT, MISS, report, row, written
from tests.schemas import faults


@pytest.fixture
def measured(tmp_path: Path) -> Report:
    return whole(tmp_path / "runs" / "mine.json", "s1")


def whole(path: Path, *hits: str) -> Report:
    """A report with all its sections, in which `mine` hits these samples of three."""
    path.parent.mkdir(exist_ok=True)
    rows = [row(name, {"mine": HIT if name in hits else MISS, "grep": HIT}) for name in ("s1", "s2", "s3")]
    part = written(path, report(rows, {"baseline_arms": ["grep"]}))
    path.write_bytes(canonical(merge([part])))
    return load_report(path)


def test_an_artefact_has_the_figures_and_no_row(tmp_path: Path, measured: Report) -> None:
    sizes = publish([measured], tmp_path / "docs" / "published")
    path = tmp_path / "docs" / "published" / "mine.json"
    artefact = json.loads(path.read_bytes())
    assert sizes == {"mine.json": path.stat().st_size}
    assert path.read_bytes() == canonical(artefact)
    assert artefact["arms"] == measured.data["arms"]
    assert artefact["paired"] == measured.data["paired"]
    assert artefact["paired"]["all"]["mine"]["grep"]["recall@5"]["n"] == 3
    assert not any(identity in path.read_text() for identity in ('"s1"', "gold.py"))
    assert faults("published", artefact) == []
    manifest = json.loads((path.parent / "manifest.json").read_bytes())
    assert faults("manifest", manifest) == []
    assert manifest["artefacts"]["mine.json"]["report"] == "../../runs/mine.json"


def test_what_follows_from_its_report_holds(tmp_path: Path, measured: Report) -> None:
    publish([measured], tmp_path / "published")
    checked = check_folder(tmp_path / "published")
    assert (checked.disagreements, checked.unverifiable, checked.following) == ((), (), ("mine.json",))


def test_the_bytes_of_the_report_do_not_matter(tmp_path: Path, measured: Report) -> None:
    publish([measured], tmp_path / "published")
    measured.path.write_text(json.dumps(measured.data, indent=3), encoding="utf-8")
    assert check_folder(tmp_path / "published").following == ("mine.json",)


def test_a_report_that_is_not_here_makes_its_artefact_unverifiable(tmp_path: Path, measured: Report) -> None:
    publish([measured], tmp_path / "published")
    measured.path.unlink()
    checked = check_folder(tmp_path / "published")
    assert checked.disagreements == ()
    assert checked.following == ()
    assert checked.unverifiable == ("mine.json: its report ../runs/mine.json is not here",)
    assert list(checked.artefacts) == ["mine.json"]


def _other_run(folder: Path) -> None:
    whole(folder / "runs" / "mine.json", "s1", "s2")


def _changed_artefact(folder: Path) -> None:
    path = folder / "published" / "mine.json"
    path.write_bytes(canonical(json.loads(path.read_bytes()) | {"limit": 6}))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_other_run, "mine.json: it no longer follows from ../runs/mine.json, by registration, arms, paired; publish"),
        (_changed_artefact, "mine.json: limit is not what manifest.json says"),
        (lambda folder: (folder / "published" / "mine.json").unlink(), "mine.json: cannot be read"),
        (lambda folder: (folder / "published" / "mine.json").write_text("{"), "mine.json: cannot be read"),
        (lambda folder: (folder / "published" / "mine.json").write_text("{}"), "the profile is not"),
        (lambda folder: (folder / "published" / "more.json").write_text("{}"), "more.json: it is not in manifest.json"),
        (lambda folder: (folder / "runs" / "mine.json").write_text("{"), "cannot be read as a report"),
    ],
)
def test_what_moved_disagrees(tmp_path: Path, measured: Report, change: Callable[[Path], Any], words: str) -> None:
    publish([measured], tmp_path / "published")
    change(tmp_path)
    checked = check_folder(tmp_path / "published")
    assert words in "; ".join(checked.disagreements)


def test_publishing_again_renews_and_keeps_the_others(tmp_path: Path, measured: Report) -> None:
    folder = tmp_path / "published"
    publish([measured, whole(tmp_path / "runs" / "other.json")], folder)
    publish([whole(tmp_path / "runs" / "mine.json", "s1", "s2")], folder)
    checked = check_folder(folder)
    assert checked.disagreements == ()
    assert sorted(checked.following) == ["mine.json", "other.json"]
    assert checked.artefacts["mine.json"]["arms"]["mine"]["all"]["hit@k"] == 0.666667


def test_a_file_of_somebody_else_is_not_overwritten(tmp_path: Path, measured: Report) -> None:
    folder = tmp_path / "published"
    folder.mkdir()
    (folder / "mine.json").write_text("theirs")
    with pytest.raises(ReportError, match="would be overwritten; move it away"):
        publish([measured], folder)
    assert (folder / "mine.json").read_text() == "theirs"
    assert not (folder / "manifest.json").exists()


def test_two_reports_of_one_name_and_the_name_of_the_manifest_are_refused(tmp_path: Path, measured: Report) -> None:
    again = tmp_path / "again"
    again.mkdir()
    for reports in ([measured, whole(again / "mine.json")], [whole(again / "manifest.json")]):
        with pytest.raises(ReportError, match="there can be only one"):
            publish(reports, tmp_path / "published")


@pytest.mark.parametrize("text", ["", "[]", '{"profile": "x"}', '{"profile": "pytest-retrieval-bench-manifest/1"}'])
def test_what_is_no_manifest_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(ReportError, match=r"manifest\.json"):
        check_folder(tmp_path)


def test_a_report_of_the_reference_tool_can_be_published(tmp_path: Path) -> None:
    reference = Path(__file__).parents[2] / "conformance" / "reference" / "all.json"
    publish([load_report(reference)], tmp_path)
    assert check_folder(tmp_path).following == ("all.json",)

"""Where a capture and the files beside it may lie."""

from __future__ import annotations

import pytest

from tests.conftest import Run
from tests.corvint_program import write_corvint
from tests.small_benchmark import SmallBenchmark


def test_a_place_that_is_not_new_or_not_its_own_is_refused(
    run_plain: Run, small: SmallBenchmark, pytester: pytest.Pytester
) -> None:
    folder = small.folder
    (folder / "taken").write_text("earlier")
    (folder / "dangling").symlink_to("nowhere")
    (folder / "link").symlink_to(pytester.mkdir("real"))
    (folder / "real" / "below").mkdir()
    worktree = pytester.mkdir("tree")
    (worktree / "only.py").write_text("x\n")
    rows = pytester.mkdir("rows")
    small.samples.rename(rows / "a.jsonl")
    options = [
        f"--rb-samples={rows}",
        f"--rb-corpus={small.corpus}",
        f"--rb-corvint={write_corvint(folder / 'corvint')}",
    ]
    options += [f"--rb-snapshot=acme/shop@{'a' * 40}={worktree}", "--rb-output=real/report.json"]
    for place, words in [
        ("taken", "taken exists; give a new path"),
        ("dangling", "dangling exists; give a new path"),
        ("link/new", "leads through a symbolic link; give the path without it"),
        ("link/below/new", "leads through a symbolic link"),
        ("real/../link/below/new", "leads through a symbolic link"),
        ("absent/new", "is no directory; make it first"),
        ("real", "is a directory; name a file"),
        ("corpus/new", "lies in the corpus, which is never written to"),
        ("corpus/acme__shop/new", "lies in a snapshot, which is never written to"),
        ("real/../corpus/acme__shop/new", "lies in a snapshot, which is never written to"),
        ("tree/new", "lies in a snapshot, which is never written to"),
        ("rows/new.jsonl", "is read as samples; give a path elsewhere"),
        ("real/report.json", "is also the report; give another path"),
        ("real/below/../report.json", "is also the report; give another path"),
        ("real/report.json.registration.json", "is also the registration; give another path"),
        ("real/report.json.journal.jsonl", "is also the journal; give another path"),
    ]:
        finished = run_plain(*options, f"--rb-context-packets={place}", output=None)
        assert finished.status == pytest.ExitCode.USAGE_ERROR, place
        assert words in finished.text, place
        assert [path.name for path in (folder / "real").iterdir()] == ["below"]
    assert (folder / "taken").read_text() == "earlier"
    assert (folder / "dangling").is_symlink()
    assert not (folder / "nowhere").exists()


def test_a_registration_in_the_place_of_the_journal_is_refused(run_plain: Run, small: SmallBenchmark) -> None:
    finished = run_plain(*small.options, "--rb-registration=report.json.journal.jsonl")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "--rb-registration: " in finished.text
    assert "report.json.journal.jsonl is also the journal; give another path" in finished.text
    assert list(small.folder.glob("report*")) == []

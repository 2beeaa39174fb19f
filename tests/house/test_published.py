"""The numbers of this project's own pages: they are their artefacts, and these follow from the demo suite."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pytest_retrieval_bench.__main__ import main
from pytest_retrieval_bench.reporting.load import load_report
from pytest_retrieval_bench.reporting.published.artefact import artefact_of
from tests.conftest import LEXICAL, Run

ROOT = Path(__file__).parents[2]
PUBLISHED, PAGE = ROOT / "docs" / "published", ROOT / "docs" / "publishing.md"
# Another run of the same thing has other times, and another registration.
OF_ANY_RUN = ("samples", "samples_sha256", "limit", "missing", "arms", "paired", "inference")


def check(*arguments: str | Path) -> int:
    return main(["publish", "--check", *map(str, arguments)])


def test_the_numbers_of_the_page_are_their_artefacts(capsys: pytest.CaptureFixture[str]) -> None:
    assert check(f"--to={PUBLISHED}", PAGE) == 0
    assert "12 numbers in 1 file, 1 artefact: " in capsys.readouterr().out


def test_the_figures_are_those_that_the_demo_gives_today(run_plain: Run) -> None:
    finished = run_plain("--rb-suite=demo", f"--rb-arms={LEXICAL}", "--rb-inference=all", output="demo.json")
    artefact = artefact_of(load_report(finished.output))
    published = json.loads((PUBLISHED / "demo.json").read_bytes())
    for name in OF_ANY_RUN:
        assert artefact[name] == published[name]
    assert artefact["latency"].keys() == published["latency"].keys()


def test_a_number_that_is_wrong_is_named_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    text = PAGE.read_text(encoding="utf-8")
    page.write_text(text.replace("**86.8%**", "**86.9%**"), encoding="utf-8")
    assert check(f"--to={PUBLISHED}", page) == 1
    (line,) = [number for number, words in enumerate(text.splitlines(), 1) if "**86.8%**" in words]
    told = capsys.readouterr().out
    assert f"disagrees: {page}:{line}: 86.9% is not 0.867925 (demo.json arms.grep.all.hit@k)" in told
    assert "unverifiable: demo.json: its report ../../demo.json is not here" in told or (ROOT / "demo.json").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--check", "--to=absent"], "manifest.json: cannot be read"),
        (["--check"], "give the folder of the artefacts, --to=DIR"),
        (["--to=x"], "give the reports whose figures are quoted, or --check"),
        (["absent.json", "--to=x"], "absent.json: cannot be read as a report"),
        (["--check", f"--to={PUBLISHED}", "absent.md"], "absent.md: cannot be read"),
        (["--check", f"--to={PUBLISHED}", str(ROOT / "LICENSE")], "no number in it is marked"),
    ],
)
def test_what_cannot_be_done_ends_with_4(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["publish", *arguments]) == 4
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["publish", "--chekc"], ["publisch"], []])
def test_a_command_line_without_sense_ends_with_4(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 4
    assert "usage: " in capsys.readouterr().err


def test_the_commands_of_the_page_work_as_they_stand(
    run_plain: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    report = run_plain("--rb-suite=demo", f"--rb-arms={LEXICAL}", "--rb-inference=all", output="demo.json").output
    monkeypatch.chdir(tmp_path)
    shutil.copy(report, "demo.json")
    Path("docs").mkdir()
    shutil.copy(PAGE, "docs/publishing.md")
    assert main(["publish", "demo.json", "--to=docs/published"]) == 0
    assert check("--to=docs/published", "docs/publishing.md") == 0
    assert "1 follow from their reports, 0 unverifiable here; 0 disagreements" in capsys.readouterr().out

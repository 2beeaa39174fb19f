"""`--rb-html` of a run, a merge and a comparison, and the command `html` for reports that are there already."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.__main__ import main
from tests.conftest import Run
from tests.reporting.html.pages import Seen, unpacked
from tests.small_benchmark import ROWS, SmallBenchmark

ARMS = "--rb-arms=grep,bm25:all"


def page(folder: Path, name: str = "page.html") -> str:
    return (folder / name).read_text(encoding="utf-8")


def data(folder: Path, name: str = "page.html") -> dict[str, Any]:
    """What the browser of samples is given."""
    (packed,) = re.findall(r'id="data">([A-Za-z0-9+/=]*)<', page(folder, name))
    return unpacked(packed)


def told(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err


def test_a_run_writes_its_page_with_queries_and_gold_files(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, ARMS, "--rb-html=page.html")
    assert finished.status == 0
    found = data(small.folder)
    assert [sample["id"] for sample in found["samples"]] == [row["id"] for row in finished.report["details"]]
    by_id = {sample["id"]: sample for sample in found["samples"]}
    assert by_id["wrong-sum"]["query"].endswith("totalPrice is wrong")
    assert by_id["wrong-sum"]["heads"] == ["def totalPrice(cart):\n    return sum(cart)"]
    assert [found["paths"][path] for path in by_id["cart-test"]["hard"]] == ["shop/price.py"]


def test_the_command_makes_the_page_of_the_run_from_its_report(run_plain: Run, small: SmallBenchmark) -> None:
    finished = run_plain(*small.options, ARMS, "--rb-html=of-run.html")
    later = small.folder / "later.html"
    options = [f"--samples={small.samples}", f"--corpus={small.corpus}", f"--out={later}"]
    assert main(["html", str(finished.output), *options]) == 0
    assert data(small.folder, "later.html") == data(small.folder, "of-run.html")


def test_a_page_of_a_part_of_the_samples_has_that_part(run_plain: Run, small: SmallBenchmark) -> None:
    run_plain(*small.options, ARMS, "-k", "trace2code", "--rb-html=page.html")
    found = data(small.folder)
    assert [sample["id"] for sample in found["samples"]] == ["wrong-sum", "tick"]


def test_a_snapshot_that_cannot_be_read_is_told_and_the_page_is_there(run: Run, small: SmallBenchmark) -> None:
    small.chunk_file("acme/shop").write_text("{", encoding="utf-8")
    finished = run(*small.options, ARMS, "--rb-html=page.html")
    assert finished.status == pytest.ExitCode.TESTS_FAILED
    found = data(small.folder)
    whys = {sample["id"]: sample["why"] for sample in found["samples"]}
    assert "acme__shop" in whys["wrong-sum"]
    assert whys["tick"] == ""


def test_what_is_missing_of_a_stopped_run_is_told_on_its_page(run_plain: Run, small: SmallBenchmark) -> None:
    finished = run_plain(*small.options, "-x", "--rb-judge=strict", "--rb-arms=grep-ident", "--rb-html=page.html")
    assert len(finished.report["incomplete"]) == 1
    assert "1 result missing" in Seen(page(small.folder)).text


def test_a_merge_and_a_comparison_write_pages(run: Run, small: SmallBenchmark) -> None:
    first = run(*small.options, ARMS)
    merged = run(f"--rb-summarize={first.output}", "--rb-html=merged.html", output=None)
    compared = run("--rb-compare", first.output, first.output, "--rb-html=compared.html", output=None)
    assert (merged.status, compared.status) == (0, 0)
    assert len(data(small.folder, "merged.html")["samples"]) == 4
    assert "No sample flipped." in page(small.folder, "compared.html")


def test_two_reports_on_the_command_are_compared(run_plain: Run, small: SmallBenchmark) -> None:
    first = run_plain(*small.options, ARMS)
    assert main(["html", str(first.output), str(first.output), f"--out={small.folder / 'page.html'}"]) == 0
    text = Seen(page(small.folder)).text
    assert text.index("What changed") < text.index("The bar is the share")


def test_what_the_command_cannot_do_is_refused_and_nothing_is_written(
    run_plain: Run, small: SmallBenchmark, capsys: pytest.CaptureFixture[str]
) -> None:
    report = str(run_plain(*small.options, ARMS).output)
    other = small.write_samples(ROWS[:2], "other.jsonl")
    (small.folder / "mine.html").write_text("mine", encoding="utf-8")
    out = small.folder / "page.html"
    for arguments, words in (
        ([report, report, report, f"--out={out}"], "merge more with pytest --rb-summarize first"),
        ([report, f"--corpus={small.corpus}", f"--out={out}"], "give --samples as well"),
        ([report, f"--samples={other}", f"--out={out}"], "was measured on other samples"),
        ([report, f"--out={small.folder / 'mine.html'}"], "exists; give a new path"),
        ([report, f"--out={small.folder / 'absent' / 'x.html'}"], "is no directory; make it first"),
        ([str(small.samples), f"--out={out}"], "cannot be read as a report"),
    ):
        capsys.readouterr()
        assert main(["html", *arguments]) != 0
        assert words in told(capsys)
    assert not out.exists()
    assert (small.folder / "mine.html").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("module", "option", "extra"), [("jinja2", "html=page.html", "html"), ("pyarrow", "table=x.parquet", "parquet")]
)
def test_an_export_whose_extra_is_absent_is_refused_before_anything_runs(
    run_plain: Run, small: SmallBenchmark, monkeypatch: pytest.MonkeyPatch, module: str, option: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    finished = run_plain(*small.options, ARMS, f"--rb-{option}")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert f"needs {module}: pip install 'pytest-retrieval-bench[{extra}]'" in finished.text
    assert not finished.output.exists()

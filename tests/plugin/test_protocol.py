"""`--rb-protocol`: the run is bound to it before it starts, and its report judges it."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.house.pages import written
from tests.small_benchmark import SmallBenchmark

DOCS = Path(__file__).parents[2] / "docs"
TEXT = """samples = 4
[[hypotheses]]
name = "all words help"
arm = "bm25:all"
baseline = "grep"
metric = "hit@k"
direction = "better"
"""
ARM = "--rb-arms=bm25:all,grep,grep-ident"


@pytest.fixture
def protocol(small: SmallBenchmark) -> Path:
    path = small.folder / "protocol.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_the_run_is_bound_to_its_protocol_and_judges_it(run: Run, small: SmallBenchmark, protocol: Path) -> None:
    finished = run(*small.options, ARM, f"--rb-protocol={protocol}", "--rb-markdown=result.md", "--rb-html=page.html")
    assert finished.status == 0
    text = (small.folder / "result.md").read_text(encoding="utf-8")
    assert "| `all words help` | `bm25:all, hit@k against grep: above 0` | 3 | 2 |" in text
    assert "Exploratory, not registered: arms `grep-ident`." in text
    page = (small.folder / "page.html").read_text(encoding="utf-8")
    assert "bm25:all, hit@k against grep: above 0" in page
    registered = json.loads((small.folder / "report.json.registration.json").read_text(encoding="utf-8"))
    assert registered["protocol"]["sha256"] == hashlib.sha256(TEXT.encode()).hexdigest()
    assert registered["protocol"]["hypotheses"][0]["name"] == "all words help"
    section = finished.report["protocol"]
    assert section["samples"] == {"registered": 4, "measured": 4}
    (hypothesis,) = section["hypotheses"]
    assert (hypothesis["n"], hypothesis["verdict"]) == (3, "undecided")
    assert hypothesis["why"] == "3 samples are too few for any test"
    assert section["not_registered"]["arms"] == ["grep-ident"]
    assert "exploratory, not registered: arms grep-ident" in finished.text


def test_a_merge_of_shards_keeps_the_protocol_and_one_of_several_drops_it(
    run: Run, run_plain: Run, small: SmallBenchmark, protocol: Path
) -> None:
    def shard(part: int, name: str) -> str:
        options = [ARM, f"--rb-shard={part}/2", f"--rb-protocol={protocol}"]
        return f"--rb-summarize={run_plain(*small.options, *options, output=name).output}"

    first, second = shard(1, "1.json"), shard(2, "2.json")
    merged = run(first, second, output="merged.json").report
    assert merged["protocol"]["samples"] == {"registered": 4, "measured": 4}
    alone = run(first, output="alone.json").report["protocol"]
    assert (
        alone["hypotheses"][0]["why"] == f"the protocol is about 4 samples, {alone['samples']['measured']} are measured"
    )
    protocol.write_text(TEXT.replace("help", "matter"), encoding="utf-8")
    assert "protocol" not in run(first, shard(2, "other.json"), output="mixed.json").report


def test_a_resumed_run_must_have_the_same_protocol(run: Run, small: SmallBenchmark, protocol: Path) -> None:
    options = [*small.options, ARM, f"--rb-protocol={protocol}"]
    run(*options)
    assert run(*options, "--rb-resume").status == 0
    protocol.write_text(TEXT.replace("better", "equal") + "margin = 0.1\n", encoding="utf-8")
    finished = run(*options, "--rb-resume")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert "protocol.sha256" in finished.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (TEXT.replace('"grep"', '"grip"'), "hypothesis 'all words help': not in this run: unknown arm 'grip'; did you"),
        (TEXT.replace("hit@k", "abstained"), "unknown metric 'abstained'"),
        (TEXT.replace("samples", "sample"), "unknown key 'sample'; did you mean 'samples'?"),
    ],
)
def test_a_protocol_that_does_not_fit_is_a_usage_error(
    run_plain: Run, small: SmallBenchmark, protocol: Path, text: str, words: str
) -> None:
    protocol.write_text(text, encoding="utf-8")
    finished = run_plain(*small.options, ARM, f"--rb-protocol={protocol}")
    assert finished.status == pytest.ExitCode.USAGE_ERROR
    assert words in finished.text
    assert not finished.output.exists()


def test_the_protocol_of_its_page_is_judged_as_it_stands(run_apart: Run, pytester: pytest.Pytester) -> None:
    page = (DOCS / "protocol-files.md").read_text(encoding="utf-8")
    (text,) = written(page, "protocol.toml")
    (command,) = re.findall(r"^pytest (.*) --rb-output=report.json$", page, re.MULTILINE)
    (pytester.path / "protocol.toml").write_text(text, encoding="utf-8")
    finished = run_apart(*command.split())
    assert finished.status == 0
    section = finished.report["protocol"]
    assert [one["verdict"] for one in section["hypotheses"]] == ["confirmed", "refuted"]
    assert section["not_registered"]["arms"] == ["grep"]

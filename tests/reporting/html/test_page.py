"""The page as bytes: what went wrong first, no tag but its own, and nothing of the network."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.reporting.compare import compare
from pytest_retrieval_bench.reporting.gate_reading import read_gates
from pytest_retrieval_bench.reporting.gates import Scope, reported_groups
from pytest_retrieval_bench.reporting.html.page import comparison_page
from pytest_retrieval_bench.reporting.html.texts import SampleTexts
from pytest_retrieval_bench.reporting.judging import judge
from pytest_retrieval_bench.text.visible import visible
from tests.reporting.html.pages import BIDI, MARKUP, Seen, page, whole
from tests.reporting.small_reports import HIT, MISS, report, row, written


def named(folder: Path, name: str) -> str:
    """A page in which a stranger names all that a stranger can name."""
    lost = [{"id": name, "arm": "mine", "why": name}]
    found = whole(folder, [row(f"id {name}", {"mine": HIT, "grep": None})])
    found |= {"incomplete": lost, "details": [row(name, {"mine": [name], "grep": [name]}, repo=name, task_type=name)]}
    found["arms"][name] = found["arms"]["mine"]
    text = visible(name)  # as `sample_texts` gives it
    return page(found, {name: SampleTexts(text, (name,), {name: text}, name)}, problems=[name])


@pytest.mark.parametrize("name", [MARKUP, BIDI, "\ud800", "{{ 7 * 7 }}", "x" * 10_000, "&lt;"])
def test_no_text_of_a_stranger_becomes_a_tag(tmp_path: Path, name: str) -> None:
    plain, hostile = Seen(named(tmp_path, "plain")), Seen(named(tmp_path, name))
    assert hostile.tags == plain.tags
    assert hostile.attributes == plain.attributes
    assert visible(name, 2_000) in hostile.text


def test_nothing_is_loaded_and_only_the_pages_own_script_runs(tmp_path: Path) -> None:
    html = named(tmp_path, "plain")
    assert "default-src 'none'" in html
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/=]{44}'", html)
    assert not re.findall(r'(?:src|href)="(?!#)', html)
    assert {url for url in re.findall(r'https?://[^"\s]+', html) if "w3.org" not in url} == set()


def test_what_went_wrong_stands_first(tmp_path: Path) -> None:
    found = whole(tmp_path, [row("a", {"mine": HIT})]) | {"incomplete": [{"id": "b", "arm": "mine", "why": "killed"}]}
    text = Seen(page(found, problems=["--rb-table: nothing was written"])).text
    places = [text.index(words) for words in ("1 result missing", "nothing was written", "The bar is the share")]
    assert places == sorted(places)
    assert "killed" in text


def test_gold_that_nobody_checked_is_told_and_the_suite_is_named(tmp_path: Path) -> None:
    told = {"unreviewed_ids": ["a"], "suite": {"title": "Our shop", "licence": "CC0-1.0"}}
    text = Seen(page(whole(tmp_path, [row("a", {"mine": HIT})], registration=told))).text
    assert "1 of 1 sample not reviewed" in text
    assert "Retrieval benchmark: Our shop" in text
    assert "samples under CC0-1.0" in text


def test_gates_are_shown_with_what_was_found(tmp_path: Path) -> None:
    found = whole(tmp_path, [row("a", {"mine": HIT})])
    scope = Scope(["mine"], found["limit"], reported_groups(found["details"]), old_report=False)
    verdicts = [judge(gate, found, None) for gate in read_gates([("mine hit@k < 0.5", "--rb-gate")], scope)]
    assert verdicts[0].message in Seen(page(found, verdicts=verdicts)).text


def test_a_page_without_samples_and_corpus_says_so(tmp_path: Path) -> None:
    found = whole(tmp_path, [row("a", {"mine": HIT})])
    assert "are not in a report" in page(found)
    assert "are not in a report" not in page(found, {})


def test_a_comparison_has_its_flips_first_and_each_leads_to_its_sample(tmp_path: Path) -> None:
    names = ["a", "b", "c"]
    old = written(tmp_path / "old.json", report([row(name, {"mine": MISS}) for name in names]))
    new = written(tmp_path / "new.json", report([row(name, {"mine": HIT if name != "a" else MISS}) for name in names]))
    html = comparison_page(compare(old, new), "old.json", new, None).decode()
    assert re.findall(r'<li><a href="#sample-(\d)">(.)</a></li>', html) == [("1", "b"), ("2", "c")] * 2
    text = Seen(html).text
    places = [text.index(words) for words in ("hit@5 won", "Paired differences", "The bar is the share")]
    assert places == sorted(places)


def test_a_comparison_without_flips_says_so(tmp_path: Path) -> None:
    same = written(tmp_path / "r.json", report([row("a", {"mine": HIT})]))
    assert "No sample flipped." in comparison_page(compare(same, same), "r.json", same, None).decode()


@pytest.mark.parametrize("module", ["jinja2", "matplotlib"])
def test_without_the_extra_the_refusal_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    found: dict[str, Any] = whole(tmp_path, [row("a", {"mine": HIT})])
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ReportError, match=r"pip install 'pytest-retrieval-bench\[html\]'"):
        page(found)

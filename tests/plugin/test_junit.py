"""JUnit XML, which continuous integration reads: names, properties, well-formed whatever the ids are."""

from __future__ import annotations

import hashlib
from xml.etree import ElementTree

import pytest

from tests.conftest import Run
from tests.small_benchmark import ROWS, SmallBenchmark

HOSTILE = [
    "id with space", "a::b", "a[0]", "x@y",
    "quote\"'<&>", "bell\x07", "\x1b[31mred", "nul\x00", "tab\tnewline\n",
    "ünïcode-日本", "😀", "\ud800lone", "x" * 10_000, "a\\b", "a_b", "a/../b", "-leading", "]]>",
    "\u2028", "\ufffe", "id",
]  # fmt: skip


def _cases(small: SmallBenchmark) -> list[ElementTree.Element]:
    return list(ElementTree.parse(small.folder / "junit.xml").getroot().iter("testcase"))


def test_an_item_is_a_case_with_its_figures(run: Run, small: SmallBenchmark) -> None:
    run(*small.options, "--junitxml=junit.xml", "--rb-arms=bm25:all", "-k", "wrong-sum")
    (case,) = _cases(small)
    assert case.attrib["classname"] == "samples.jsonl"
    assert case.attrib["name"] == "test_retrieval[trace2code-acme/shop-wrong-sum-bm25:all]"
    properties = {entry.attrib["name"]: entry.attrib["value"] for entry in case.iter("property")}
    assert properties == {
        "rb.sample": "wrong-sum",
        "rb.arm": "bm25:all",
        "rb.outcome": "answered",
        "rb.hit@k": "1",
        "rb.mrr@k": "1",
        "rb.recall@20": "1",
        "rb.abstained": "0",
        "rb.selective_success": "1",
    }


def test_the_suite_says_what_was_measured_and_the_means_with_their_n(run: Run, small: SmallBenchmark) -> None:
    finished = run(*small.options, "--junitxml=junit.xml", "--rb-arms=bm25:all,broken", "--rb-command=broken=false")
    suite = ElementTree.parse(small.folder / "junit.xml").getroot()[0]
    # The schema has them first.
    assert [child.tag for child in suite] == ["properties", *["testcase"] * 8]
    properties = {entry.attrib["name"]: entry.attrib["value"] for entry in suite[0]}
    sidecar = (small.folder / "report.json.registration.json").read_bytes()
    assert properties == {
        "rb.registration_sha256": hashlib.sha256(sidecar).hexdigest(),
        "rb.samples_sha256": finished.report["samples_sha256"],
        "rb.samples": "4",
        "rb.limit": "20",
        "rb.missing": "0",
        "rb.bm25:all.hit@k": "0.666667 (n=3)",
        "rb.bm25:all.mrr@k": "0.666667 (n=3)",
        "rb.bm25:all.recall@20": "0.666667 (n=3)",
        "rb.bm25:all.abstained": "0.25 (n=4)",
        "rb.bm25:all.selective_success": "0.75 (n=4)",
        "rb.bm25:all.errors": "0 (n=4)",
        "rb.broken.hit@k": "0 (n=3)",
        "rb.broken.mrr@k": "0 (n=3)",
        "rb.broken.recall@20": "0 (n=3)",
        "rb.broken.abstained": "0 (n=4)",
        "rb.broken.selective_success": "0 (n=4)",
        "rb.broken.errors": "4 (n=4)",
    }


def test_a_merge_has_the_properties_beside_its_gates(run_plain: Run, small: SmallBenchmark) -> None:
    finished = run_plain(*small.options, "--rb-arms=grep")
    merge = [f"--rb-summarize={finished.output}", "--rb-gate=grep hit@k >= 0.5", "--junitxml=junit.xml"]
    assert run_plain(*merge, output=None).status == 0
    suite = ElementTree.parse(small.folder / "junit.xml").getroot()[0]
    assert [child.tag for child in suite] == ["properties", "testcase"]
    assert suite.find("properties/property[@name='rb.grep.errors']") is not None


def test_a_strict_miss_is_a_failure_whose_message_carries_the_facts(run: Run, small: SmallBenchmark) -> None:
    run(*small.options, "--junitxml=junit.xml", "--rb-arms=grep-ident", "--rb-judge=strict", "-k", "tick")
    (case,) = _cases(small)
    (failure,) = case.iter("failure")
    assert "grep-ident found no gold in the 1 file that it ranked: tick" in failure.attrib["message"]
    assert "src/zone.ts" in (failure.text or "")


@pytest.mark.parametrize("judge", ["record", "strict"])
def test_hostile_ids_leave_the_xml_well_formed_and_the_report_whole(
    run: Run, small: SmallBenchmark, judge: str
) -> None:
    small.write_samples([{**ROWS[2], "id": identity} for identity in HOSTILE])
    finished = run(*small.options, "--junitxml=junit.xml", "--rb-arms=grep-ident", f"--rb-judge={judge}")
    cases = _cases(small)
    names = [case.attrib["name"] for case in cases]
    assert len(names) == len(set(names)) == len(HOSTILE)
    assert all(name.isascii() and name.isprintable() and len(name) <= 160 for name in names)
    ids = [identity.replace("\ud800", "\ufffd") for identity in HOSTILE]
    assert [row["id"] for row in finished.report["details"]] == ids
    assert "incomplete" not in finished.report

"""Merging as a pure function: what is taken from which report, what is rebuilt, what is refused (PROTOCOL 7)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.reporting.canonical import canonical
from pytest_retrieval_bench.reporting.load import Report, load_report
from pytest_retrieval_bench.reporting.merge import merge
from tests.reporting.small_reports import HIT, MISS, SECOND, report, row, written

REFERENCE = Path(__file__).parents[1] / "conformance" / "reference"


@pytest.fixture
def write(tmp_path: Path) -> Any:
    """Writes a report and reads it back; its file name is `first.json`, `second.json` and so on."""
    names = iter(("first", "second", "third", "fourth"))
    return lambda *args, **members: written(tmp_path / f"{next(names)}.json", report(*args, **members))


def test_samples_stand_in_order_of_first_appearance_and_later_arms_replace_earlier_ones(write: Any) -> None:
    first = write([row("b", {"grep": MISS, "context": HIT}), row("a", {"grep": HIT})])
    second = write([row("c", {"grep": HIT}), row("b", {"grep": HIT})])
    merged = merge([first, second])
    assert [each["id"] for each in merged["details"]] == ["b", "a", "c"]
    b = merged["details"][0]
    assert (b["arms"]["grep"]["ranked"], b["arms"]["context"]["ranked"]) == (list(HIT), list(HIT))
    assert merged["arms"]["grep"]["all"]["hit@k"] == 1
    assert (merged["samples"], merged["arms"]["grep"]["all"]["n"], merged["arms"]["context"]["all"]["n"]) == (3, 3, 1)
    assert list(merged["paired"]["all"]) == ["context"]
    other_way = merge([second, first])
    assert [each["id"] for each in other_way["details"]] == ["c", "b", "a"]
    assert other_way["arms"]["grep"]["all"]["hit@k"] == pytest.approx(2 / 3, abs=1e-6)


def test_a_merge_names_its_sources_and_a_merge_of_it_gives_the_same_bytes(write: Any, tmp_path: Path) -> None:
    first, second = write([row("a", {"grep": MISS})]), write([row("a", {"context": HIT})])
    merged = merge([first, second])
    assert merged["registration"]["source_reports_sha256"] == [first.sha256, second.sha256]
    path = tmp_path / "merged.json"
    path.write_bytes(canonical(merged))
    again = load_report(path)
    assert canonical(merge([again])) == canonical(merge([again, again])) == path.read_bytes()
    assert canonical(merge([first, first])) == canonical(merge([first]))


def test_what_all_registrations_say_alike_is_kept_and_the_rest_is_rebuilt_or_left_out(write: Any) -> None:
    common = {"plugin": {"sha256": "p"}, "max_samples": 0, "environment": ["CORVINT_A=1"]}
    first = write([row("a", {"grep": HIT})], common | {"registered_at": "monday", "baseline_arms": ["grep"]})
    second = write([row("b", {"mine": HIT})], common | {"registered_at": "tuesday", "environment": ["CORVINT_B=2"]})
    registration = merge([first, second])["registration"]
    assert registration["plugin"] == {"sha256": "p"}
    assert registration["max_samples"] == 0
    assert "registered_at" not in registration
    assert registration["environment"] == ["CORVINT_A=1", "CORVINT_B=2"]
    assert (registration["arms"], registration["baseline_arms"]) == (["grep", "mine"], ["grep"])
    assert registration["sample_ids"] == ["a", "b"]


def test_what_is_missing_stays_missing_until_another_report_has_it(write: Any) -> None:
    lost = [{"id": "a", "arm": "grep", "why": "a worker died"}, {"id": "b", "arm": "context", "why": "it stopped"}]
    torn = write([row("a", {"context": HIT}), row("b", {"grep": HIT})], incomplete=lost)
    assert merge([torn])["incomplete"] == lost
    filled = write([row("a", {"grep": HIT})])
    assert merge([torn, filled])["incomplete"] == [lost[1]]
    assert "incomplete" not in merge([torn, filled, write([row("b", {"context": HIT})])])


def test_what_was_there_before_is_not_missing_because_a_later_report_lacks_it(write: Any) -> None:
    whole = write([row("a", {"grep": HIT})])
    torn = write([row("a", {})], incomplete=[{"id": "a", "arm": "grep", "why": "it stopped"}])
    assert "incomplete" not in merge([whole, torn])


def test_shards_stand_in_the_runs_order_unless_only_a_part_of_one_was_selected(write: Any) -> None:
    def shard(number: int, places: list[int], *names: str) -> Report:
        rows = [row(name, {"grep": HIT}) for name in names]
        found: Report = write(rows, {"shard": {"number": number, "of": 2, "ordinals": places}})
        return found

    whole = shard(2, [1, 3], "b", "d")
    ids = [each["id"] for each in merge([whole, shard(1, [0, 2], "a", "c")])["details"]]
    assert ids == ["a", "b", "c", "d"]
    ids = [each["id"] for each in merge([whole, shard(1, [0, 2], "c")])["details"]]
    assert ids == ["b", "d", "c"]


def test_each_sample_that_was_skipped_counts_once(write: Any) -> None:
    def part(name: str, *unlabelled: str) -> Report:
        skipped = {"no_gold_unlabeled": len(unlabelled)}
        found: Report = write([row(name, {"grep": HIT})], {"unlabelled_ids": list(unlabelled)}, skipped=skipped)
        return found

    merged = merge([part("a", "x", "y"), part("b", "y", "z")])
    assert merged["skipped"] == {"no_gold_unlabeled": 3}
    assert merged["registration"]["unlabelled_ids"] == ["x", "y", "z"]


def test_reports_that_do_not_name_what_they_skipped_are_taken_to_have_skipped_the_same(write: Any) -> None:
    first = write([row("a", {"grep": HIT})], skipped={"no_gold_unlabeled": 3})
    second = write([row("a", {"context": HIT})], skipped={"no_gold_unlabeled": 3})
    assert merge([first, second])["skipped"] == {"no_gold_unlabeled": 3}


CORVINT = {"context": {"kind": "corvint", "sha256": "c1", "version": "1"}}
MINE = {"mine": {"kind": "command", "command": "mine {root}", "sha256": "m1"}}


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ({"samples_sha256": "s1"}, {"samples_sha256": "s2"}, "they are over different samples, s1 and s2"),
        ({"limit": 5}, {"limit": 6}, "they are over different limits, 5 and 6"),
        (
            {"registration": {"retrievers": CORVINT}},
            {"registration": {"retrievers": {"corvint": CORVINT["context"] | {"sha256": "c2"}}}},
            "they measured different corvints, c1 and c2",
        ),
        (
            {"registration": {"retrievers": MINE}},
            {"registration": {"retrievers": {"mine": MINE["mine"] | {"sha256": "m2"}}}},
            "'mine' is another retriever in each, by its sha256; give the arm another name and measure it again",
        ),
        ({"gold": ["a"]}, {"gold": ["b"]}, "the sample 'a' has another gold in each"),
    ],
)
def test_reports_that_do_not_belong_together_are_refused_with_both_names(
    write: Any, first: dict[str, Any], second: dict[str, Any], words: str
) -> None:
    reports = []
    for arm, members in (("grep", first), ("mine", second)):
        other = {name: value for name, value in members.items() if name not in ("registration", "gold")}
        sample = row("a", {arm: HIT}, **{name: members[name] for name in ("gold",) if name in members})
        reports.append(write([sample], members.get("registration"), **other))
    with pytest.raises(ReportError) as caught:
        merge(reports)
    assert str(caught.value).endswith(f"cannot be merged: {words}")
    assert all(str(each.path) in str(caught.value) for each in reports)


def test_an_executable_that_did_not_run_conflicts_with_none(write: Any) -> None:
    measured = write([row("a", {"context": HIT})], {"retrievers": CORVINT})
    not_run = write([row("a", {"grep": HIT})], {"retrievers": {}})
    for order in ([measured, not_run], [not_run, measured]):
        merged = merge(order)
        assert merged["corvint"] == {"sha256": "c1", "version": "1"}
        assert merged["registration"]["corvint_sha256"] == "c1"


def test_the_reference_tools_executable_is_held_against_ones_own(write: Any) -> None:
    reference = write([row("a", {"corvint": HIT})], corvint={"sha256": "c2", "version": "2"})
    with pytest.raises(ReportError, match="different corvints, c1 and c2"):
        merge([write([row("a", {"context": HIT})], {"retrievers": CORVINT}), reference])


def test_an_arm_that_is_neither_built_in_nor_registered_is_refused(write: Any) -> None:
    stranger = write([row("a", {"grep": HIT, "mine": SECOND})], {"arms": ["grep"]})
    with pytest.raises(ReportError, match=r"first\.json: the arm 'mine' is neither built in nor named") as caught:
        merge([stranger])
    assert "registration" in str(caught.value)
    merge([write([row("a", {"grep": HIT})], {"arms": []})])


def test_negative_zero_becomes_zero(tmp_path: Path) -> None:
    sample = row("a", {"grep": MISS, "context": MISS})
    sample["metrics"]["grep"]["mrr@k"] = -0.0
    merged = canonical(merge([written(tmp_path / "r.json", report([sample]))]))
    assert b"-0" not in merged
    assert b'"mrr@k":0' in merged


@pytest.mark.parametrize("section", ["arms", "paired", "latency", "registration", "skipped", "corvint", "profile"])
def test_a_report_from_before_a_section_gains_it(tmp_path: Path, section: str) -> None:
    whole = json.loads((REFERENCE / "lexical.json").read_text(encoding="utf-8"))
    old = {name: value for name, value in whole.items() if name != section}
    merged = merge([written(tmp_path / "old.json", old)])
    assert set(merged) >= {"arms", "paired", "latency", "registration", "skipped", "corvint", "profile"}
    assert merged["arms"] == whole["arms"]
    assert merged["latency"] == whole["latency"]

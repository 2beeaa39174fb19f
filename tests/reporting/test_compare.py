"""What changed between two reports: flips, groups, paired differences, and what makes reports unlike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_retrieval_bench.errors import ReportError
from pytest_retrieval_bench.reporting.compare import compare
from pytest_retrieval_bench.reporting.load import Report
from pytest_retrieval_bench.reporting.paired import paired_section
from tests.reporting.small_reports import HIT, MISS, SECOND, report, row, written


@pytest.fixture
def write(tmp_path: Path) -> Any:
    names = iter(("old", "new"))
    return lambda *args, **members: written(tmp_path / f"{next(names)}.json", report(*args, **members))


def test_samples_that_flipped_are_wins_and_losses_and_errors_are_named_apart(write: Any) -> None:
    old = write([row("a", {"x": MISS}), row("b", {"x": HIT}), row("c", {"x": HIT}), row("d", {"x": None})])
    new = write([row("a", {"x": HIT}), row("b", {"x": MISS}), row("c", {"x": None}), row("d", {"x": MISS})])
    section = compare(old, new)["arms"]["x"]
    assert section["flips"]["hit@k"] == {"wins": ["a"], "losses": ["b", "c"]}
    assert (section["newly_errored"], section["newly_answered"]) == (["c"], ["d"])
    block = section["groups"]["all"]["metrics"]["hit@k"]
    assert (block["n"], block["wins"], block["losses"], block["ties"]) == (4, 1, 2, 1)
    assert (block["old"], block["new"], block["mean_diff"]) == (0.5, 0.25, -0.25)


def test_silence_on_a_question_without_gold_flips_selective_success_alone(write: Any) -> None:
    members: dict[str, Any] = {"stratum": "natural_no_gold", "gold": []}
    old, new = write([row("a", {"x": MISS}, **members)]), write([row("a", {"x": ()}, **members)])
    section = compare(old, new)["arms"]["x"]
    assert section["flips"] == {
        "hit@k": {"wins": [], "losses": []},
        "selective_success": {"wins": ["a"], "losses": []},
    }
    assert list(section["groups"]["all"]["metrics"]) == ["selective_success"]


def test_flips_are_counted_by_task_repository_fold_and_stratum(write: Any) -> None:
    other = {"task_type": "code2test", "repo": "o/other", "partition": "B", "anchor_bearing": True}
    old = write([row("a", {"x": MISS}), row("b", {"x": MISS}, **other)])
    new = write([row("a", {"x": MISS}), row("b", {"x": HIT}, **other)])
    groups = compare(old, new)["arms"]["x"]["groups"]
    wins = {name: group["metrics"]["hit@k"]["wins"] for name, group in groups.items()}
    assert wins == {
        "all": 1,
        "task:trace2code": 0,
        "task:code2test": 1,
        "repo:o/r": 0,
        "repo:o/other": 1,
        "fold:A": 0,
        "fold:B": 1,
        "stratum:positive": 1,
        "stratum:anchor-bearing": 1,
    }


def test_fewer_files_that_only_look_right_are_a_win(write: Any) -> None:
    old, new = write([row("a", {"x": ("trap.py",)})]), write([row("a", {"x": MISS})])
    block = compare(old, new)["arms"]["x"]["groups"]["all"]["metrics"]["hard_negative_hits@k"]
    assert (block["mean_diff"], block["wins"], block["losses"]) == (-1, 1, 0)


RANKINGS = st.sampled_from([HIT, MISS, SECOND, None, ()])


@given(st.lists(st.tuples(RANKINGS, RANKINGS), min_size=1, max_size=12))
@settings(deadline=None, max_examples=30)
def test_differences_are_those_of_the_paired_section_of_one_report_with_both(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[Any, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("compare")
    old = written(folder / "old.json", report([row(str(n), {"x": before}) for n, (before, _) in enumerate(pairs)]))
    new = written(folder / "new.json", report([row(str(n), {"x": after}) for n, (_, after) in enumerate(pairs)]))
    both = [row(str(n), {"old": before, "new": after}) for n, (before, after) in enumerate(pairs)]
    expected = paired_section(both, ["old", "new"], ["old"], 5)["all"]["new"]["old"]
    found = compare(old, new)["arms"]["x"]["groups"]["all"]["metrics"]
    for metric in ("mrr@k", "recall@5"):
        assert {name: found[metric][name] for name in expected[metric] if name != "repos"} == {
            name: value for name, value in expected[metric].items() if name != "repos"
        }


@given(st.lists(RANKINGS, min_size=1, max_size=8))
@settings(deadline=None, max_examples=20)
def test_a_report_beside_itself_shows_no_flip(tmp_path_factory: pytest.TempPathFactory, rankings: list[Any]) -> None:
    path = tmp_path_factory.mktemp("self") / "r.json"
    same = written(path, report([row(str(n), {"x": ranking}) for n, ranking in enumerate(rankings)]))
    section = compare(same, same)["arms"]["x"]
    assert not any(section["newly_errored"] + section["newly_answered"])
    assert not any(ids for flips in section["flips"].values() for ids in flips.values())
    blocks = [block for group in section["groups"].values() for block in group["metrics"].values()]
    assert all(block["ties"] == block["n"] for block in blocks)
    assert {(block["mean_diff"], block["low"], block["high"]) for block in blocks} == {(0, 0, 0)}


def test_what_only_one_report_holds_is_named(write: Any) -> None:
    lost = [{"id": "a", "arm": "y", "why": "it stopped"}]
    old = write([row("a", {"x": HIT}), row("gone", {"x": HIT})], {"arms": ["x", "y"]}, incomplete=lost)
    new = write([row("a", {"x": HIT, "z": HIT}), row("come", {"x": HIT})])
    found = compare(old, new)
    assert found["samples"] == 1
    assert (found["old"]["only_arms"], found["old"]["only_samples"], found["old"]["missing"]) == (["y"], ["gone"], 1)
    assert (found["new"]["only_arms"], found["new"]["only_samples"], found["new"]["missing"]) == (["z"], ["come"], 0)


def test_an_arm_that_is_another_retriever_now_is_named(write: Any) -> None:
    old = write([row("a", {"x": HIT})], {"retrievers": {"x": {"kind": "command", "sha256": "1"}}})
    new = write([row("a", {"x": HIT})], {"retrievers": {"x": {"kind": "command", "sha256": "2"}}})
    bound = compare(old, new)["arms"]["x"]["retriever"]
    assert (bound["old"]["sha256"], bound["new"]["sha256"]) == ("1", "2")
    assert "retriever" not in compare(old, old)["arms"]["x"]


def unlike(old: Report, new: Report) -> str:
    with pytest.raises(ReportError) as caught:
        compare(old, new)
    assert str(old.path) in str(caught.value)
    assert str(new.path) in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"gold": ["other.py"]}, "the gold (1 sample: a)"),
        ({"given": ["seen.py"]}, "the given files (1 sample: a)"),
        ({"base_commit": "d" * 40}, "the snapshot's commit (1 sample: a)"),
        ({"repo": "o/s"}, "the repository (1 sample: a)"),
        ({"task_type": "code2test"}, "the task type (1 sample: a)"),
        ({"partition": "B"}, "the fold (1 sample: a)"),
    ],
)
def test_samples_that_are_not_the_same_are_refused(write: Any, members: dict[str, Any], words: str) -> None:
    assert unlike(write([row("a", {"x": HIT})]), write([row("a", {"x": HIT}, **members)])).endswith(words)


def test_all_that_differs_is_named_at_once(write: Any) -> None:
    old = write([row("a", {"x": HIT})], samples_sha256="s1")
    new = write([row("a", {"x": HIT}, gold=["b"])], samples_sha256="s2", limit=6)
    assert unlike(old, new).endswith(
        "cannot be compared, they differ in the samples (s1 and s2); the limit (5 and 6); the gold (1 sample: a)"
    )


def test_one_answer_with_two_scores_means_that_metrics_are_defined_differently(write: Any) -> None:
    scored = row("a", {"x": SECOND})
    scored["metrics"]["x"]["mrr@k"] = 0.4
    assert unlike(write([row("a", {"x": SECOND})]), write([scored])).endswith("the meaning of mrr@k (1 sample: a)")


def test_a_metric_that_only_one_report_knows_is_refused(write: Any) -> None:
    scored = row("a", {"x": SECOND})
    scored["metrics"]["x"]["ndcg@k"] = 0.4
    assert unlike(write([row("a", {"x": MISS})]), write([scored])).endswith("the meaning of ndcg@k (1 sample: a)")


def test_last_digits_make_no_difference(write: Any) -> None:
    scored = row("a", {"x": SECOND})
    scored["metrics"]["x"]["mrr@k"] += 1e-12
    section = compare(write([row("a", {"x": SECOND})]), write([scored]))["arms"]["x"]
    assert section["groups"]["all"]["metrics"]["mrr@k"]["ties"] == 1


def test_a_lexical_arm_of_one_version_that_answers_otherwise_tells_of_another_snapshot(write: Any) -> None:
    plugin = {"plugin": {"sha256": "p1"}}
    old = write([row("a", {"grep": HIT}), row("b", {"grep": None})], plugin)
    new = write([row("a", {"grep": MISS}), row("b", {"grep": HIT})], plugin)
    place = f"o/r@{'c' * 12}"
    assert unlike(old, new).endswith(f"the content of the snapshots (1 snapshot: {place})")


def test_a_lexical_arm_of_another_version_may_answer_otherwise(write: Any) -> None:
    old = write([row("a", {"grep": HIT})], {"plugin": {"sha256": "p1"}})
    new = write([row("a", {"grep": MISS})], {"plugin": {"sha256": "p2"}})
    assert compare(old, new)["arms"]["grep"]["flips"]["hit@k"]["losses"] == ["a"]


@pytest.mark.parametrize(("score", "tells"), [(1.5, True), (1.000001, False)])
def test_a_top_score_tells_of_another_snapshot_too(write: Any, score: float, tells: bool) -> None:
    first, second = row("a", {"grep": HIT}), row("a", {"grep": HIT})
    first["arms"]["grep"]["top_score"], second["arms"]["grep"]["top_score"] = 1, score
    plugin = {"plugin": {"sha256": "p1"}}
    old, new = write([first], plugin), write([second], plugin)
    if tells:
        assert "the content of the snapshots" in unlike(old, new)
    else:
        assert compare(old, new)["samples"] == 1


def test_lines_of_one_answer_that_score_otherwise_tell_of_another_snapshot(write: Any) -> None:
    first, second = row("a", {"x": HIT}), row("a", {"x": HIT})
    first["metrics"]["x"]["cb_line_precision"], second["metrics"]["x"]["cb_line_precision"] = 0.5, 0.25
    assert "the content of the snapshots (1 snapshot" in unlike(write([first]), write([second]))


def test_reports_without_an_arm_in_both_are_refused(write: Any) -> None:
    words = unlike(write([row("a", {"grep": HIT})]), write([row("a", {"context": HIT})]))
    assert words.endswith("no sample has an arm in both; arms grep; and context")

"""What in a query gives the answer away, and what is a mere hint."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.benchmarks.jsonl import Row
from pytest_retrieval_bench.doctor.leaks import hints, leaks, traced
from pytest_retrieval_bench.model import Json
from tests.benchmarks.rows import arb_row, arb_sample

COMMIT = "0123abcd4567ef890123abcd4567ef890123abcd"


def leaked(query: Row, gold: Json = "src/auth.py", task: str = "code2test", **metadata: Json) -> dict[str, str]:
    row = arb_row(
        task_type=task, query=query, gold={"files": [gold], "related_tests": [gold], **metadata}, metadata=metadata
    )
    return {check.name: words for check, words in leaks(arb_sample(**row), row)}


def hinted(query: Row, *gold: str, task: str = "code2test", **members: Json) -> dict[str, str]:
    sample = arb_sample(task_type=task, query=query, gold={"files": [*gold], **members})
    return {check.name: words for check, words in hints(sample)}


@pytest.mark.parametrize("text", ["see src/auth.py", "SRC/AUTH.PY:", "a\nsrc/auth.py\nb"])
def test_a_gold_path_in_the_query_is_a_leak_in_any_case(text: str) -> None:
    assert leaked({"text": text}) == {"leak: gold path": "names src/auth.py"}


@pytest.mark.parametrize("text", ["see auth.py", "src/author.py", "src / auth.py"])
def test_a_part_of_a_gold_path_is_none(text: str) -> None:
    assert leaked({"text": text}) == {}


@pytest.mark.parametrize(
    ("text", "leaks_patch"),
    [
        ("diff --git a/x b/x", True), ("so: diff --git", True), ("diff --gitlab", False),
        ("x\n--- a/x.py", True), ("--- /dev/null", False), ("x\n---  a/x", True), ("x\n+++ b/x", True),
        ("x\n+++ a/x", False), ("see --- a/x", False), ("x\n+++ /dev/null", True),
    ],
)  # fmt: skip
def test_a_patch_is_known_by_its_marks_at_the_beginning_of_a_line(text: str, leaks_patch: bool) -> None:
    # The first line of the query is that of its JSON, so that a mark right at its start is none.
    assert ("leak: raw patch" in leaked({"text": text})) is leaks_patch


@pytest.mark.parametrize(
    ("text", "known_as"),
    [(COMMIT, COMMIT), (COMMIT.upper(), COMMIT), (f"in {COMMIT[:12]}", COMMIT[:12]), (COMMIT[:7], COMMIT[:7])],
)
def test_the_commit_of_the_fix_is_a_leak_by_its_id_and_by_the_beginning_of_it(text: str, known_as: str) -> None:
    assert leaked({"text": text}, fix_commit=COMMIT) == {"leak: fix commit": f"names {known_as}"}
    assert leaked({"text": COMMIT[:6]}, fix_commit=COMMIT) == {}
    assert leaked({"text": "short"}, fix_commit="short") == {}


@pytest.mark.parametrize("text", ["```suggestion\nx", "Learnings used", "Auto-generated reply by CodeRabbit"])
def test_words_of_a_review_robot_are_a_leak(text: str) -> None:
    assert set(leaked({"text": text})) == {"leak: generated review"}


@pytest.mark.parametrize(
    ("text", "gold", "names"),
    [
        ("mod.rs", "src/net/mod.rs", "names mod.rs"),
        ("import net.tcp.stream", "src/net/tcp/stream.py", "names net.tcp.stream"),
        ("import src.net.tcp", "src/net/tcp.py", "names src.net.tcp, net.tcp"),
        ("net/tcp", "src/net/tcp.py", None),
        ("tcp", "tcp.py", None),
    ],
)
def test_an_edit_leaks_a_file_by_its_name_and_by_its_import_path(text: str, gold: str, names: str | None) -> None:
    assert leaked({"text": text}, gold, "edit2ripple").get("leak: gold name") == names
    assert "leak: gold name" not in leaked({"text": text}, gold)


@pytest.mark.parametrize(
    "text",
    [
        'File "/repo/src/auth.py", line 42, in login', "src/auth.py:42: error", "/repo/src/auth.py, line 3",
        "at src/auth.py(42)", r"C:\repo\src\auth.py:7", "other/auth.py:1",
    ],
)  # fmt: skip
def test_a_failure_may_show_gold_in_its_trace(text: str) -> None:
    sample = arb_sample(query={"failure_excerpt": text}, gold={"files": ["src/auth.py"]})
    assert traced(sample) == ["src/auth.py"]
    assert leaked({"failure_excerpt": text}, task="trace2code") == {}
    assert "hint: trace" in hinted({"failure_excerpt": text}, "src/auth.py", task="trace2code")


@pytest.mark.parametrize("text", ["src/auth.py", "site-packages/auth.py:3", "src/auth.pyx:1", "auth.py :1"])
def test_a_path_without_a_place_and_one_of_a_package_are_no_trace(text: str) -> None:
    assert traced(arb_sample(query={"failure_excerpt": text}, gold={"files": ["src/auth.py"]})) == []


def test_only_failures_have_traces() -> None:
    assert traced(arb_sample(task_type="code2test", query={"text": "a.py:1"}, gold={"files": ["a.py"]})) == []


def test_traces_are_found_in_time_that_grows_with_the_text_alone() -> None:
    text = "a.py" * 200_000
    assert traced(arb_sample(query={"text": text}, gold={"files": ["a.py"]})) == []


def test_a_file_whose_path_is_named_is_not_counted_by_its_name_too() -> None:
    assert hinted({"text": "a/x.py and y.py"}, "a/x.py", "b/y.py") == {
        "hint: path": "names a/x.py",
        "hint: file name": "names b/y.py",
    }


def test_a_module_is_shared_by_words_that_no_given_path_has() -> None:
    query: Row = {"text": "the socketPool leaks in a test", "path": "net/client.py"}
    gold = "net/socket/pool_test.py"
    assert hinted(query, gold) == {"hint: module": "names pool, socket"}
    assert hinted({**query, "changed_file": "net/socket/other.py"}, gold) == {"hint: module": "names pool"}
    assert hinted(query, gold, task="comment2context", given_files=["socket/pool.py"]) == {}
    assert hinted({"text": "src test util ab"}, "src/ab/util_test.py") == {}

"""From issues to rows: each way to drop out is counted, and the counts add up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_retrieval_bench.builders.issues.build import build_issues
from pytest_retrieval_bench.builders.issues.filters import is_record, is_test
from pytest_retrieval_bench.builders.issues.functions import functions_of
from pytest_retrieval_bench.builders.issues.issue import Issue
from tests.snapshots.worktree import git, make_worktree

CART = """import os


class Cart:
    @property
    def total(self):
        return 0


if os:
    def late():
        pass
"""
TREE = {"shop/cart.py": CART, "docs/cart.rst": "Carts\n", "CHANGELOG.md": "new\n", "tests/test_cart.py": "\n"}


def patch(*paths: str, created: bool = False) -> str:
    old = "/dev/null" if created else None
    return "".join(f"--- {old or f'a/{path}'}\n+++ b/{path}\n@@ -1 +1 @@\n-x\n+y\n" for path in paths)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("folder") / "clone"
    make_worktree(folder, {path: text.encode() for path, text in TREE.items()})
    return folder


@pytest.fixture(scope="module")
def issue(clone: Path) -> Issue:
    first = git(clone, "rev-parse", "HEAD")
    return Issue("swe", "shop-1", "acme/shop", first, "Totals are wrong in shop/cart.py", patch("shop/cart.py"))


def test_each_issue_comes_to_one_end_and_the_ends_add_up(clone: Path, issue: Issue) -> None:
    issues = {
        "kept": issue,
        "no clone": replace(issue, repo="acme/other"),
        "no question": replace(issue, question=""),
        "no patch": replace(issue, patch=""),
        "all files added": replace(issue, patch=patch("shop/new.py", created=True)),
        "only tests": replace(issue, patch=patch("tests/test_cart.py")),
        "only records of change": replace(issue, patch=patch("CHANGELOG.md", "tests/test_cart.py")),
        "unknown commit": replace(issue, base_commit="f" * 40),
        "gold missing at the commit": replace(issue, patch=patch("shop/cart.py", "shop/gone.py")),
        "merged with another": replace(issue, id="shop-2"),
    }
    made = build_issues(issues.values(), {"acme/shop": clone})
    assert made.report == {"swe": {"all": len(issues), **dict.fromkeys(sorted(issues), 1)}}
    assert [row["id"] for row in made.rows] == ["shop-1"]


def test_a_row_has_the_text_the_gold_and_what_is_known_of_it(clone: Path, issue: Issue) -> None:
    (row,) = build_issues([replace(issue, patch=patch("shop/cart.py", "CHANGELOG.md"))], {"acme/shop": clone}).rows
    assert row == {
        "id": "shop-1", "task_type": "issue2code", "repo": "acme/shop", "base_commit": issue.base_commit,
        "query": {"text": "Totals are wrong in shop/cart.py"}, "gold": {"files": ["shop/cart.py"]},
        "metadata": {"datasets": ["swe"], "n_gold": 1, "leaks_gold_path": True, "leaks_gold_basename": True},
    }  # fmt: skip


def test_documentation_is_gold(clone: Path, issue: Issue) -> None:
    (row,) = build_issues([replace(issue, patch=patch("docs/cart.rst"))], {"acme/shop": clone}).rows
    assert row["gold"] == {"files": ["docs/cart.rst"]}


def test_one_issue_of_two_data_sets_keeps_both_names_and_what_either_knows(clone: Path, issue: Issue) -> None:
    other = replace(issue, dataset="loc", id="other", functions=("shop/cart.py:Cart.total",), category="Bug")
    (row,) = build_issues([issue, other], {"acme/shop": clone}).rows
    assert row["id"] == "shop-1"
    assert row["metadata"]["datasets"] == ["swe", "loc"]  # type: ignore[index, call-overload]
    assert row["metadata"]["category"] == "Bug"  # type: ignore[index, call-overload]
    assert row["gold"] == {
        "files": ["shop/cart.py"],
        "gold_blocks": [{"path": "shop/cart.py", "symbol": "Cart.total", "start_line": 5, "end_line": 7}],
    }
    assert row["gold_functions"] == ["shop/cart.py:Cart.total"]


def test_rows_stand_in_the_order_of_their_commits(clone: Path, issue: Issue, tmp_path: Path) -> None:
    tree, who = git(clone, "rev-parse", "HEAD^{tree}"), "t <t@example.org>"
    issues = []
    for number, time in enumerate([3_000_000_000, 1_000_000_000, 2_000_000_000]):
        (tmp_path / "commit").write_text(f"tree {tree}\nauthor {who} 0 +0000\ncommitter {who} {time} +0000\n\nx\n")
        commit = git(clone, "hash-object", "-t", "commit", "-w", str(tmp_path / "commit"))
        issues.append(replace(issue, id=str(number), base_commit=commit))
    made = build_issues(issues, {"acme/shop": clone})
    assert [row["id"] for row in made.rows] == ["1", "2", "0"]


def test_functions_are_found_with_their_decorators_in_all_branches() -> None:
    names = ["c.py:Cart", "c.py:Cart.total", "c.py:late", "c.py:gone", "other.py:x", "no function"]
    found = functions_of(names, {"c.py": CART.encode()})
    lines = {one.name: (one.first, one.last) for one in found}
    assert lines == {"Cart": (4, 7), "Cart.total": (5, 7), "late": (11, 12)}
    assert functions_of(["c.py:x"], {"c.py": b"def x(:\n"}) == []


@pytest.mark.parametrize(
    ("path", "test", "record"),
    [
        ("tests/x.py", True, False), ("a/tests/b/x.py", True, False), ("django/test/client.py", False, False),
        ("a/test_x.py", True, False), ("x_test.go", True, False), ("web/x.spec.ts", True, False),
        ("src/test/java/X.java", True, False), ("contest/x.py", False, False), ("latest.py", False, False),
        ("CHANGELOG.md", False, True), ("docs/Changes.rst", False, True), ("a/news", False, True),
        ("NEWS/x.rst", False, False), ("licenses.py", False, False), ("changelog_writer.py", False, False),
    ],
)  # fmt: skip
def test_tests_and_records_are_known_by_their_paths(path: str, test: bool, record: bool) -> None:
    assert (is_test(path), is_record(path)) == (test, record)

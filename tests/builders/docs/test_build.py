"""The whole way from a commit to rows and report, over invented repositories."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_retrieval_bench.builders.docs import build, tree
from pytest_retrieval_bench.builders.docs.build import DocsBenchmark, build_docs
from pytest_retrieval_bench.builders.docs.rules import DocsRules
from pytest_retrieval_bench.errors import SettingsError, SnapshotError
from tests.snapshots.worktree import git, make_worktree, state_of, write_tree

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

WORDS = "A cart holds what somebody wants to buy until it is paid for, and forgets it when that takes more than a day."
CART = "class Cart:\n    def total(self): ...\n"
PAGE = f"""Carts
=====

.. module:: shop.cart

:class:`Cart` is where it begins. {WORDS}

.. code-block:: python

   secret_code()

Totals
------

.. method:: Cart.total()

   What is to be paid. {WORDS}

Elsewhere
---------

:class:`numpy.ndarray` is from elsewhere. {WORDS}

Prose alone
-----------

{WORDS}

Short
-----

See :class:`Cart`.

Again
-----

.. include:: ../../secret.txt
"""


def made(folder: Path, files: Mapping[str, str | bytes], **rules: Any) -> DocsBenchmark:
    """The benchmark of a repository with these files."""
    contents = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    commit = make_worktree(folder, contents)
    return build_docs(folder, DocsRules("acme/shop", commit, **rules))


def ends(report: Mapping[str, Any], kind: str) -> dict[str, int]:
    counts = dict(report[kind])
    assert counts.pop("all") == sum(counts.values())
    return counts


def test_sections_that_name_code_become_rows_and_the_report_adds_up(tmp_path: Path) -> None:
    built = made(tmp_path / "shop", {"docs/carts.rst": PAGE, "shop/__init__.py": "", "shop/cart.py": CART})
    assert [row["id"] for row in built.rows] == ["shop:docs/carts.rst#1", "shop:docs/carts.rst#12"]
    assert ends(built.report, "sections") == {
        "kept": 2,
        "names no code": 2,
        "no gold": 1,
        "under 120 characters": 1,
    }
    assert ends(built.report, "documents") == {"read": 1}
    assert ends(built.report, "references") == {"definition": 3, "external": 1, "module": 1}


def test_a_row_has_question_gold_and_all_that_is_known_of_them(tmp_path: Path) -> None:
    built = made(tmp_path / "shop", {"docs/carts.rst": PAGE, "shop/__init__.py": "", "shop/cart.py": CART})
    assert built.rows[1] == {
        "id": "shop:docs/carts.rst#12",
        "task_type": "docs2code",
        "repo": "acme/shop",
        "base_commit": git(tmp_path / "shop", "rev-parse", "HEAD"),
        "query": {"text": f"Totals. What is to be paid. {WORDS}"},
        "gold": {"files": ["shop/cart.py"], "given_files": ["docs/carts.rst"]},
        "metadata": {
            "doc_path": "docs/carts.rst",
            "doc_line": 12,
            "lexical_overlap": 0.0714,
            "overlap_bucket": "non-obvious",
            "leaks_gold_path": False,
            "leaks_gold_basename": False,
            "leaks_gold_module": False,
            "leaks_gold_symbol": False,
            "references": [{"target": "Cart.total", "outcome": "definition", "file": "shop/cart.py"}],
        },
    }


def test_the_short_form_asks_the_beginning_and_keeps_the_gold(tmp_path: Path) -> None:
    page = f"Carts\n=====\n\n:func:`shop.a.first` begins. {WORDS} {WORDS} {WORDS} Then :func:`shop.b.last`.\n"
    files = {"docs/a.rst": page, "shop/a.py": "def first(): ...\n", "shop/b.py": "def last(): ...\n"}
    (long,) = made(tmp_path / "long", files).rows
    (short,) = made(tmp_path / "short", files, short=True).rows
    assert [row["gold"]["files"] for row in (long, short)] == [["shop/a.py", "shop/b.py"]] * 2  # type: ignore[index, call-overload]
    assert short["query"] == {"text": f"Carts. first begins. {WORDS}"}


def test_the_same_question_is_asked_once_and_counted(tmp_path: Path) -> None:
    page = f"Carts\n=====\n\n:class:`shop.cart.Cart` is it. {WORDS}\n"
    built = made(tmp_path / "shop", {"docs/a.rst": page, "docs/b.rst": page, "shop/cart.py": CART})
    assert [row["id"] for row in built.rows] == ["shop:docs/a.rst#1"]
    assert ends(built.report, "sections") == {"kept": 1, "asked before": 1}


def test_an_index_of_names_is_no_question(tmp_path: Path) -> None:
    names = " ".join(f":func:`shop.cart.function_{number}`" for number in range(20))
    defined = "".join(f"def function_{number}(): ...\n" for number in range(20))
    built = made(tmp_path / "shop", {"docs/a.rst": f"Index\n=====\n\n{names}\n", "shop/cart.py": defined})
    assert ends(built.report, "sections") == {"mostly names": 1}


def test_the_commit_is_read_and_the_work_tree_is_not(tmp_path: Path) -> None:
    files = {"docs/carts.rst": PAGE, "shop/__init__.py": "", "shop/cart.py": CART}
    first = made(tmp_path / "shop", files)
    commit = git(tmp_path / "shop", "rev-parse", "HEAD")
    write_tree(tmp_path / "shop", {"shop/cart.py": b"", "docs/carts.rst": b"", "docs/new.rst": PAGE.encode()})
    before = state_of(tmp_path / "shop")
    assert build_docs(tmp_path / "shop", DocsRules("acme/shop", commit)) == first
    assert state_of(tmp_path / "shop") == before


def test_globs_folders_and_bounds_choose_what_is_read(tmp_path: Path) -> None:
    page = f"Carts\n=====\n\n:class:`Cart` is it. {WORDS}\n"
    files = {
        **{f"handbook/{name}.rst": page.replace("it", name) for name in ("a", "releases/b")},
        "handbook/large.rst": "x" * (tree.MAX_DOCUMENT_BYTES + 1),
        "handbook/picture.png": "x",
        "lib/cart.py": CART,
        "lib/large.py": "#" * (tree.MAX_SOURCE_BYTES + 1),
        "examples/cart.py": CART,
        "lib/tests/test_cart.py": CART,
    }
    rules = {"docs": "handbook", "exclude": ("handbook/releases/**",)}
    built = made(tmp_path / "shop", files, sources=("lib",), **rules)
    assert [row["gold"]["files"] for row in built.rows] == [["lib/cart.py"]]  # type: ignore[index, call-overload]
    assert ends(built.report, "documents") == {"read": 1, "excluded": 1, "over 512 KiB": 1}
    assert ends(built.report, "sources") == {"defines names": 1, "over 1 MiB": 1}
    everywhere = made(tmp_path / "everywhere", files, **rules)
    assert ends(everywhere.report, "references") == {"ambiguous": 1}


def test_the_settings_of_sphinx_are_read_and_never_run(tmp_path: Path) -> None:
    conf = "import os\nos.makedirs('made')\nsource_suffix = {'.txt': 'restructuredtext'}\ndefault_role = 'any'\n"
    page = f"Carts\n=====\n\n`shop.cart.Cart` is it. {WORDS}\n"
    built = made(tmp_path / "shop", {"docs/conf.py": conf, "docs/a.txt": page, "shop/cart.py": CART})
    assert len(built.rows) == 1
    assert not list(tmp_path.rglob("made"))


def test_markdown_and_other_languages_become_rows_too(tmp_path: Path) -> None:
    files = {
        "docs/a.md": f"# Totals\n\n{{c:func}}`cart_total` and {{js:class}}`Cart`. {WORDS}\n",
        "docs/b.md": f"# Reference\n\n::: shop.cart.Cart\n\nThe {WORDS}\n",
        "docs/c.rst": f"C++\n===\n\n.. cpp:class:: template<class T> shop::Basket\n\n   Holds it. {WORDS}\n",
        "src/cart.c": "int cart_total(void) { return 0; }\n",
        "src/cart.h": "int cart_total(void);\nnamespace shop { template<class T> class Basket { }; }\n",
        "src/cart.ts": "export class Cart {}\n",
        "shop/cart.py": CART,
    }
    gold = [row["gold"]["files"] for row in made(tmp_path / "shop", files).rows]  # type: ignore[index, call-overload]
    assert gold == [["src/cart.c", "src/cart.ts"], ["shop/cart.py"], ["src/cart.h"]]


def test_hostile_files_are_counted_and_stop_nothing(tmp_path: Path) -> None:
    page = f"Carts\n=====\n\n:class:`shop.cart.Cart` is it. {WORDS}\n"
    deep = "Deep\n====\n\n" + "".join("  " * depth + "* x\n\n" for depth in range(700))
    files: dict[str, str | bytes] = {
        "docs/a.rst": page,
        "docs/b.rst": b"\xef\xbb\xbf" + page.replace("it", "\xe9t\xe9").encode("latin-1"),
        "docs/deep.rst": deep,
        "docs/deep.md": "# x\n\n" + ">" * 5_000 + " x\n",
        "docs/nul.rst": b"\x00" * 100,
        "docs/empty.rst": "",
        "shop/cart.py": CART,
        "shop/broken.py": "def f(:\n",
        "shop/latin.py": b"# \xe9\nx = 1\n",
        "shop/broken.c": "{" * 1_000,
    }
    built = made(tmp_path / "shop", files)
    assert [row["id"] for row in built.rows] == ["shop:docs/a.rst#1", "shop:docs/b.rst#1"]
    counted = ends(built.report, "documents")
    assert counted["not readable"] >= 1
    assert sum(counted.values()) == 6


def test_links_and_submodules_are_no_files(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    make_worktree(
        folder, {"docs/a.rst": f"Carts\n=====\n\n:class:`Cart` {WORDS}\n".encode(), "shop/cart.py": CART.encode()}
    )
    (folder / "docs" / "b.rst").symlink_to("a.rst")
    (folder / "shop" / "copy.py").symlink_to("cart.py")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=links")
    built = build_docs(folder, DocsRules("acme/shop", git(folder, "rev-parse", "HEAD")))
    assert [row["gold"]["files"] for row in built.rows] == [["shop/cart.py"]]  # type: ignore[index, call-overload]


@pytest.mark.parametrize(
    ("files", "rules", "words"),
    [
        ({"a.py": ""}, {}, "--docs: the commit has no folder doc or docs"),
        ({"doc/a.rst": "", "docs/a.rst": ""}, {}, "--docs: the commit has both a folder doc and a folder docs"),
        ({"docs/a.rst": ""}, {"docs": "handbook"}, "'handbook' is no folder of commit "),
        ({"docs/a.rst": ""}, {"sources": ("lib",)}, "'lib' is no folder of commit "),
    ],
)
def test_a_folder_that_is_not_there_is_refused(
    tmp_path: Path, files: dict[str, str], rules: dict[str, Any], words: str
) -> None:
    with pytest.raises(SettingsError, match=words):
        made(tmp_path / "shop", files, **rules)


def test_a_commit_that_is_not_there_is_refused(tmp_path: Path) -> None:
    make_worktree(tmp_path / "shop", {"docs/a.rst": b""})
    with pytest.raises(SnapshotError, match="does not hold commit"):
        build_docs(tmp_path / "shop", DocsRules("acme/shop", "a" * 40))


def test_a_stop_is_no_unreadable_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(build, "read_restructuredtext", stop)
    with pytest.raises(KeyboardInterrupt):
        made(tmp_path / "shop", {"docs/a.rst": PAGE, "shop/cart.py": CART})

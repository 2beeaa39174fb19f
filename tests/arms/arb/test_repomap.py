"""The repository map: what hangs together, and what a query says of files (ARB 3.3)."""

from __future__ import annotations

import hashlib

import pytest

from pytest_retrieval_bench.arms.arb.corpus import Corpus
from pytest_retrieval_bench.arms.arb.repomap import references
from pytest_retrieval_bench.arms.arb.repomap.arm import RepoMapArm, task_affinity
from pytest_retrieval_bench.arms.arb.repomap.files import symbol_key
from pytest_retrieval_bench.arms.arb.repomap.imports import imported, path_index, resolved
from pytest_retrieval_bench.arms.arb.repomap.repo_map import RepoMap, repo_map
from pytest_retrieval_bench.index.chunk_table import chunk_table
from pytest_retrieval_bench.model import Answer
from pytest_retrieval_bench.snapshots.chunk_row import ChunkRow
from tests.arms.arb.chunks import ChunkSnapshot, file_row, query, symbol_row

SHOP = [
    file_row("README.md", "shop/cart.py is the cart"),
    file_row("shop/cart.py", "from shop.price import totalPrice\nclass ShoppingCart: pass"),
    symbol_row("shop/cart.py", "ShoppingCart", "class ShoppingCart: pass"),
    file_row("shop/price.py", "def totalPrice(): return 0"),
    symbol_row("shop/price.py", "totalPrice", "def totalPrice(): return 0"),
    file_row("tests/test_cart.py", "shopping cart"),
]


def edges(found: RepoMap) -> dict[tuple[str, str], float]:
    graph, paths = found.graph.tocoo(), found.files.paths
    places = zip(graph.row.tolist(), graph.col.tolist(), graph.data.tolist(), strict=True)
    return {(paths[source], paths[target]): weight for source, target, weight in places}


def shop() -> RepoMap:
    return repo_map(chunk_table(ChunkSnapshot(SHOP)))


def test_imports_symbols_and_tests_tie_files_together_in_both_directions() -> None:
    found = edges(shop())
    # 1.5 for the import, 1 for the symbol that both parts are held of.
    assert found["shop/cart.py", "shop/price.py"] == found["shop/price.py", "shop/cart.py"] == 1.5 + 1.0
    # 1 for the symbol ShoppingCart, 2 for the name that both have.
    assert found["shop/cart.py", "tests/test_cart.py"] == found["tests/test_cart.py", "shop/cart.py"] == 1.0 + 2.0
    assert len(found) == 4


@pytest.mark.parametrize(
    ("name", "path", "files"),
    [
        ("shop.price", "x.py", ["shop/price.py"]),
        ("shop::price", "x.rs", ["shop/price.py"]),
        ("price", "x.py", ["shop/price.py"]),
        (".price", "shop/cart.py", ["shop/price.py"]),
        ("..web", "shop/sub/cart.py", ["shop/web/index.ts"]),
        ("./web", "shop/cart.ts", ["shop/web/index.ts"]),
        ("../shop/price.py", "web/a.ts", ["shop/price.py"]),
        ("../../../shop/price", "web/a.ts", ["shop/price.py"]),
        ("shop.nothing", "x.py", []),
        ("..", "a.py", []),
    ],
)
def test_what_an_import_may_mean(name: str, path: str, files: list[str]) -> None:
    assert resolved(name, path, path_index(["shop/price.py", "shop/web/index.ts"])) == files


@pytest.mark.parametrize(
    "line",
    [
        "from shop.price import total", "import shop.price", "p = require('shop/price')", "import x from 'shop/price'",
        "import 'shop/price'", '#include "shop/price"', "use crate::shop::price", "  import shop.price, os",
    ],
)  # fmt: skip
def test_lines_that_import(line: str) -> None:
    assert list(imported("x.py", f"first\n{line}\n", path_index(["shop/price.py"]))) == ["shop/price.py"]


@pytest.mark.parametrize(
    "line", ["// import shop.price", "# import shop.price", "* use shop::price", "reimport shop.price"]
)
def test_lines_that_import_nothing(line: str) -> None:
    assert list(imported("x.py", line, path_index(["shop/price.py"]))) == []


@pytest.mark.parametrize(
    ("symbol", "key"),
    [("refresh_token", "refreshtoken"), ("fooBar", "foobar"), ("get", ""), ("abc", ""), ("_1234", ""), ("update", "")],
)
def test_symbols_that_tell_something(symbol: str, key: str) -> None:
    assert symbol_key(symbol) == key


def test_candidates_that_a_file_holds_equally_are_walked_by_the_hash_of_their_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [f"firstword{number} secondword{number}".replace(" ", "_") for number in range(9)]
    rows = [symbol_row(f"src/{name}.py", name, name) for name in names] + [file_row("src/user.py", " ".join(names))]
    monkeypatch.setattr(references, "MAX_CANDIDATES", 4)
    found = edges(repo_map(chunk_table(ChunkSnapshot(rows))))
    walked = sorted(names, key=lambda name: hashlib.sha256(name.replace("_", "").encode()).digest())
    assert {target for source, target in found if source == "src/user.py"} == {f"src/{name}.py" for name in walked[:4]}


def test_symbols_are_not_looked_at_where_there_is_too_much_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(references, "MAX_FILES", 2)
    assert edges(shop())["shop/cart.py", "shop/price.py"] == 1.5


@pytest.mark.parametrize(
    ("task_type", "given", "affinity"),
    [
        # By path: README.md, shop/cart.py, shop/price.py, tests/test_cart.py; the query names shop/cart.py.
        ("", (), [0, 0.4, 1, 1]),
        ("code2test", (), [0, 0.4, 1, 2]),
        ("trace2code", (), [0, 0.9, 1.5, 0.8]),
        ("comment2context", ("shop/price.py", "not/there.py"), [0, 0.4 + 0.8, 1 - 1, 1]),
    ],
)
def test_what_the_task_says_of_files(task_type: str, given: tuple[str, ...], affinity: list[float]) -> None:
    asked = query({"path": "shop/cart.py"}, task_type, given)
    assert task_affinity(asked, shop()).tolist() == pytest.approx(affinity)


def answer(rows: list[ChunkRow], text: str, candidate_filter: str = "all_files") -> Answer:
    arm = RepoMapArm("arb:repomap", Corpus(candidate_filter))
    return arm.answer(query({"text": text}), ChunkSnapshot(rows), 20)


def test_every_candidate_is_ranked_and_the_filter_changes_no_score() -> None:
    whole, tests = answer(SHOP, "totalPrice"), answer(SHOP, "totalPrice", "tests_only")
    assert whole.ranking[0] == "shop/price.py"
    assert sorted(whole.ranking) == ["README.md", "shop/cart.py", "shop/price.py", "tests/test_cart.py"]
    assert list(tests.ranking) == ["tests/test_cart.py"]
    assert (
        dict(zip(tests.ranking, tests.scores or (), strict=True)).items()
        <= dict(zip(whole.ranking, whole.scores or (), strict=True)).items()
    )


def test_a_query_that_says_nothing_of_a_snapshot_ranks_by_path() -> None:
    found = answer([file_row("b.md", "x"), file_row("a.md", "x")], "y")
    assert list(found.ranking) == ["a.md", "b.md"]

"""`symbols`: files that define what the question names."""

from __future__ import annotations

import pytest

from pytest_retrieval_bench.arms.floor.symbols import SymbolLookup, names_of
from pytest_retrieval_bench.model import Answer, Query
from tests.memory_snapshot import MemorySnapshot

TREE = {
    "shop/cart.py": b"class Cart:\n    def cart_total(self): ...\n    def add_item(self): ...\n",
    "shop/all.py": b"def cart_total(): ...\n",
    "web/cart.ts": b"export function cartTotal() { return cart_total }\n",
    "engine/cart.cpp": b"int cart_total_of(int n) { return n; }\n",
    "tests/test_cart.py": b"cart_total()\n",
    "README.md": b"cart_total",
}


def asked(text: str, tree: dict[str, bytes] | None = None) -> Answer:
    return SymbolLookup().answer(Query({}, "", text), MemorySnapshot(TREE if tree is None else tree), 20)


def test_files_that_define_a_name_come_before_those_where_it_begins_another_one() -> None:
    found = asked("why is cart_total wrong")
    assert list(found.ranking) == ["shop/cart.py", "shop/all.py", "engine/cart.cpp"]
    assert found.scores == [1.0, 1.0, 0.5]


def test_each_name_counts_once_and_of_a_dotted_one_the_last_part() -> None:
    assert names_of(Query({}, "", "`Cart.cart_total` and cart_total and cartTotal")) == ["cart_total", "cartTotal"]
    assert next(iter(asked("cart_total and add_item").ranking)) == "shop/cart.py"


@pytest.mark.parametrize("text", ["nothing here", "no_such_name", "the README.md"])
def test_it_keeps_silent_where_nothing_that_is_named_is_defined(text: str) -> None:
    assert not asked(text).ranking


def test_files_that_cannot_be_read_as_code_define_nothing() -> None:
    good, broken = b"def cart_total(): ...", b"def cart_total(:\n"
    tree = {"broken.py": broken, "deep.py": b"(" * 5000, "bytes.c": bytes(range(256)), "ok.py": good}
    assert list(asked("cart_total", tree).ranking) == ["ok.py"]


def test_its_reasons_add_up_to_its_scores() -> None:
    snapshot, query, arm = MemorySnapshot(TREE), Query({}, "", "cart_total and add_item"), SymbolLookup()
    answer = arm.answer(query, snapshot, 20)
    reasons = arm.explain(query, snapshot, answer, [*answer.ranking, "README.md"])
    assert answer.scores is not None
    for path, score in zip(answer.ranking, answer.scores, strict=True):
        assert sum(one.adds or 0 for one in reasons[path]) == score
    assert reasons["README.md"] == []

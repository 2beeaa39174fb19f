"""Identifiers of a question, mangled ones, and four questions with one gold."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.builders.identifiers.build import PROJECTIONS, build_identifiers
from pytest_retrieval_bench.builders.identifiers.extract import identifiers_of
from pytest_retrieval_bench.builders.identifiers.mangle import mangled
from tests.snapshots.worktree import git, make_worktree

TEXT = """Totals are wrong

`bisect` and `that` in carts fail:
```python
cart_total(QuerySet) and a plain word
```
See shop/cart_lines.py, `Cart.total`, cartTotal and a_very_long_name_of_more_than_forty_characters_in_all.
"""


def test_names_in_backticks_come_first_then_those_of_code_blocks_then_others() -> None:
    assert identifiers_of(TEXT) == ["bisect", "Cart.total", "cart_total", "QuerySet", "cart_lines.py", "cartTotal"]


def test_twelve_at_most() -> None:
    assert identifiers_of(" ".join(f"name_{number:02}" for number in range(20))) == [f"name_{n:02}" for n in range(12)]


@given(st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{3,30}", fullmatch=True), st.integers(0, 99))
def test_a_name_is_mangled_the_same_each_time_and_changed_where_it_can_be(name: str, seed: int) -> None:
    found = mangled(name, random.Random(seed))
    assert found == mangled(name, random.Random(seed))
    assert found
    if len(set(name[1:-1])) > 1 and len(name) > 5 and name.isalpha() and name.islower():
        assert any(mangled(name, random.Random(other)) != name for other in range(9))


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("cart_total", {"cartTotal", "crt_ttl"}),
        ("cartTotal", {"cart_total", "crtTtl"}),
        ("QuerySet", {"query_set", "QrySt"}),
    ],
)
def test_style_and_vowels_are_changed_as_a_hurried_caller_would(name: str, forms: set[str]) -> None:
    assert forms <= {mangled(name, random.Random(seed)) for seed in range(60)}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    make_worktree(folder, {"shop/cart.py": b"def cart_total(): ...\n", "a.py": b"cart_total\n", "b.py": b"x\n"})
    return folder


def source(clone: Path, identity: str = "shop-1", text: str = TEXT, **members: Any) -> dict[str, Any]:
    return {
        "id": identity, "task_type": "issue2code", "repo": "acme/shop",
        "base_commit": git(clone, "rev-parse", "HEAD"),
        "query": {"text": text}, "gold": {"files": ["shop/cart.py"]},
        "metadata": {"n_gold": 1, "leaks_gold_path": False, "overlap_bucket": "obvious"},
    } | members  # fmt: skip


def test_four_questions_have_the_gold_of_their_source_byte_for_byte(clone: Path) -> None:
    row = source(clone)
    made = build_identifiers([row], {"acme/shop": clone})
    assert [(one["id"], one["task_type"]) for one in made.rows] == [(f"shop-1#{name}", name) for name in PROJECTIONS]
    for name in ("gold", "repo", "base_commit"):
        assert {json.dumps(one[name]) for one in made.rows} == {json.dumps(row[name])}
    asked = {one["task_type"]: one["query"]["text"] for one in made.rows}  # type: ignore[index, call-overload]
    assert asked["prose"] == TEXT
    assert asked["ident"] == "bisect Cart.total cart_total QuerySet cart_lines.py cartTotal"
    assert asked["ident-intent"] == f"{asked['ident']} Totals are wrong"
    assert len(str(asked["ident-mangled"]).split()) == 6
    assert asked["ident-mangled"] != asked["ident"]


def test_rows_say_where_the_identifiers_occur_and_not_what_another_text_gave_away(clone: Path) -> None:
    made = build_identifiers([source(clone)], {"acme/shop": clone})
    assert made.rows[1]["metadata"] == {
        "n_gold": 1, "source_id": "shop-1", "projection": "ident", "n_idents": 6, "ident_in_gold": True,
        "ident_df_min": 2,
    }  # fmt: skip


def test_sources_without_identifiers_or_gold_are_left_out_and_counted(clone: Path) -> None:
    rows = [source(clone, "a", "all is wrong"), source(clone, "b", gold={"no_gold": True}), source(clone, "c")]
    made = build_identifiers(rows, {})
    assert (len(made.rows), made.sources, made.without_identifiers, made.without_gold) == (4, 3, 1, 1)
    assert "ident_in_gold" not in str(made.rows)


def test_equal_rows_and_seeds_give_equal_rows_and_another_seed_other_names(clone: Path) -> None:
    rows = [source(clone)]
    assert build_identifiers(rows, {}) == build_identifiers(rows, {})
    assert build_identifiers(rows, {}, seed=1) != build_identifiers(rows, {}, seed=2)

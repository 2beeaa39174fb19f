"""Lists of the names of arms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_retrieval_bench.text.arm_names import components, reranked, split_names

PLAIN = st.text("ab:.-() ", min_size=1).map(str.strip).filter(lambda name: name and not name.startswith("rrf("))
SIMPLE = st.text("ab:.-", min_size=1)
NAMES = st.recursive(
    SIMPLE, lambda inner: st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"rrf({','.join(parts)})")
)


@pytest.mark.parametrize(
    ("listed", "names"),
    [
        ("", []),
        (" , ,", []),
        ("a,b", ["a", "b"]),
        ("rrf(a,b)", ["rrf(a,b)"]),
        ("x, rrf( a , b ) ,y", ["x", "rrf(a,b)", "y"]),
        ("rrf(a,rrf(b,c)),d", ["rrf(a,rrf(b,c))", "d"]),
        ("rrf(a,b", ["rrf(a,b"]),
        ("mine (v2),b", ["mine (v2)", "b"]),
        ("a(b,c", ["a(b", "c"]),
    ],
)
def test_a_comma_inside_of_a_fusion_does_not_separate(listed: str, names: list[str]) -> None:
    assert split_names(listed) == names


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("grep", None),
        ("rrf", None),
        ("rrf(a,b", None),
        ("rrf()", []),
        ("rrf(a)", ["a"]),
        ("rrf(a,rrf(b,c))", ["a", "rrf(b,c)"]),
    ],
)
def test_the_parts_of_a_fusion(name: str, parts: list[str] | None) -> None:
    assert components(name) == parts


@given(st.lists(NAMES | PLAIN, max_size=4))
def test_names_come_back_from_the_list_of_them(names: list[str]) -> None:
    assert split_names(", ".join(names)) == names
    for name in names:
        parts = components(name)
        assert parts is None or f"rrf({','.join(parts)})" == name


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("rerank:models/small(grep)", ("models/small", "grep")),
        ("rerank:m(rrf(a,b))", ("m", "rrf(a,b)")),
        ("rerank:m", None),
        ("rerank:(grep)", None),
        ("rerank:m()", None),
        ("rrf(a,b)", None),
    ],
)
def test_a_reranker_has_a_model_and_a_first_stage(name: str, parts: tuple[str, str] | None) -> None:
    assert reranked(name) == parts


def test_a_comma_in_the_first_stage_of_a_reranker_does_not_separate() -> None:
    assert split_names("grep, rerank:m( rrf(a, b) ), x") == ["grep", "rerank:m(rrf(a,b))", "x"]

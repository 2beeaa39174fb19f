from __future__ import annotations

import pytest

from pytest_retrieval_bench.builders.path_kinds import path_kind


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("shop/cart.py", "source"),
        ("pyproject.toml", "source"),
        ("src/contest.py", "source"),
        ("shop/changes_of_price.py", "source"),
        ("tests/cart.py", "test"),
        ("shop/test_cart.py", "test"),
        ("web/Cart.spec.tsx", "test"),
        ("src/CartTest.java", "test"),
        ("pkg/cart_test.go", "test"),
        ("README.md", "document"),
        ("docs/conf.py", "document"),
        ("CHANGELOG.md", "by-product"),
        ("CHANGES", "by-product"),
        ("newsfragments/12.bugfix.rst", "by-product"),
        ("poetry.lock", "by-product"),
        ("web/package-lock.json", "by-product"),
        ("go.sum", "by-product"),
        ("vendor/x.go", "by-product"),
        ("logo.png", "by-product"),
    ],
)
def test_a_path_is_told_from_what_changes_beside_it(path: str, kind: str) -> None:
    assert path_kind(path) == kind
